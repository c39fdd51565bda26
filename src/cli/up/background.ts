import { daemonObject, noteObject, toUpDocument } from '../../contract/daemon-documents.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import type { DaemonControl, DaemonNote, DaemonSighting, StartedDaemon } from '../../ports/daemon.ts';
import { writeJson } from '../frame/write-json.ts';
import { foregroundWords, type UpCall } from './up-call.ts';
import { addressLines, runsAlready } from './words.ts';

/** A first round with a hung tmux server takes a few seconds; a loaded machine takes its time too. */
const READY_MS = 30_000;
const ASK_EVERY_MS = 50;
const LOG_LINES = 8;

/** Starts the daemon behind this command, and waits until it can be reached. */
export async function startInBackground(call: UpCall): Promise<number> {
  const { flags, surroundings } = call;
  const { stdout } = surroundings;
  // A broken config is told here, where somebody reads it.
  void surroundings.settings;
  const control = await surroundings.daemonControl();
  const before = control.see();
  if (before.state === 'unknown') throw new Failure('failed', before.text, { hint: before.hint });
  if (before.state === 'running') {
    tellRunning(call, before);
    return 0;
  }
  const note = await readyNote(control, control.startBehind(foregroundWords(call)));
  // Of two who start at once, one finds the other's.
  if (flags.json) writeJson(stdout, toUpDocument('started', noteObject(note), note));
  else {
    stdout.write(`the daemon runs (pid ${note.pid})\n${addressLines(note)}`);
    for (const text of note.problems) surroundings.stderr.write(`! ${visible(text)}\n`);
  }
  return 0;
}

/** Says that one runs already. */
export function tellRunning({ flags, surroundings: { stdout, now } }: UpCall, seen: DaemonSighting): void {
  if (flags.json) writeJson(stdout, toUpDocument('already-running', daemonObject(seen)));
  else stdout.write(runsAlready(seen, now()));
}

async function readyNote(control: DaemonControl, started: StartedDaemon): Promise<DaemonNote> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const end = started.ended();
    const seen = control.see();
    if (seen.state === 'running' && seen.note !== null) return seen.note;
    if (end !== null && seen.state !== 'running') {
      throw new Failure('failed', `the daemon did not start: ${end}`, {
        details: control.endOfLog(LOG_LINES),
        hint: `its log is ${control.logPath}; rollcall up --foreground shows what it does`,
      });
    }
    if (performance.now() > deadline) {
      throw new Failure('timed-out', `the daemon (pid ${started.pid}) is not ready yet`, {
        details: control.endOfLog(LOG_LINES),
        hint: 'rollcall status shows how it does, rollcall down ends it',
      });
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
