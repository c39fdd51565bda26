import { noteObject, toUpDocument } from '../../contract/daemon-documents.ts';
import { visible } from '../../core/text/visible.ts';
import { Failure } from '../../operations/failure.ts';
import type { DaemonControl, DaemonNote, StartedDaemon } from '../../ports/daemon.ts';
import { writeJson } from '../frame/write-json.ts';
import { addressLines, foregroundWords, seeSurely, tellRunning, type UpCall, waitFor } from './up-call.ts';

/** A first round with a hung tmux server takes a few seconds; a loaded machine takes its time too. */
const READY_MS = 30_000;
const LOG_LINES = 8;

/** Starts the daemon behind this command, and waits until it can be reached. */
export async function startInBackground(call: UpCall): Promise<number> {
  const { flags, surroundings } = call;
  const { stdout } = surroundings;
  // A broken config is told here, where somebody reads it.
  void surroundings.settings;
  const control = await surroundings.daemonControl();
  const before = await seeSurely(control);
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

function readyNote(control: DaemonControl, started: StartedDaemon): Promise<DaemonNote> {
  const ask = () => {
    const end = started.ended();
    const seen = control.see();
    if (seen.state === 'running') return seen.note;
    // Another one has the lock, and says who it is in a moment.
    if (end === null || (seen.state === 'unknown' && seen.mayPass)) return null;
    throw new Failure('failed', `the daemon did not start: ${end}`, {
      details: control.endOfLog(LOG_LINES),
      hint: `its log is ${control.logPath}; rollcall up --foreground shows what it does`,
    });
  };
  const late = () =>
    new Failure('timed-out', `the daemon (pid ${started.pid}) is not ready yet`, {
      details: control.endOfLog(LOG_LINES),
      hint: 'rollcall status shows how it does, rollcall down ends it',
    });
  return waitFor(ask, READY_MS, late);
}
