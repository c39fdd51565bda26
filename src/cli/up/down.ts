import { toDownDocument } from '../../contract/daemon-documents.ts';
import { Failure } from '../../operations/failure.ts';
import type { DaemonControl, DaemonSighting } from '../../ports/daemon.ts';
import { defineCommand } from '../frame/command.ts';
import { showText } from '../render/show.ts';
import { seeSurely, waitFor } from './up-call.ts';

/** A close under way is let end, and may take that long. */
const STOP_MS = 90_000;
/** It supervises no more: all that is left to it is to exit. */
const EXIT_MS = 5_000;
type Running = Extract<DaemonSighting, { state: 'running' }>;

export const downCommand = defineCommand({
  name: 'down',
  summary: 'End the daemon.',
  usage: ['rollcall down [flags]'],
  description: [
    'Asks the daemon to end and waits for it: what it is doing is done, what it only decided is dropped. Sessions and tmux servers stay as they are. Where none runs it only says so. It has ended when its process is gone; until then rollcall says what that waits for.',
  ],
  examples: {
    'rollcall down': 'end it',
  },
  exits: {
    done: 'it ended, or none ran',
    failed: 'nobody can tell whether one runs',
    usage: 'an unknown flag',
    'timed-out': 'it does not end within 90 seconds, or its process stays for 5 more',
  },
  run: async ({ flags, surroundings }) => {
    const control = await surroundings.daemonControl();
    const seen = await seeSurely(control);
    if (seen.state === 'unknown') throw new Failure('failed', seen.text, { hint: seen.hint });
    if (seen.state === 'running') {
      const rest = control.watch(seen);
      control.askToStop(seen);
      await stopped(control, seen);
      await exited(seen.pid, rest);
    }
    const pid = seen.state === 'running' ? seen.pid : null;
    const document = toDownDocument(pid === null ? 'not-running' : 'stopped', pid);
    const text = pid === null ? 'no daemon runs\n' : `the daemon (pid ${pid}) ended\n`;
    return showText({ flags, surroundings }, document, text);
  },
});

function stopped(control: DaemonControl, { pid, since }: Running): Promise<true> {
  const ask = () => {
    const now = control.see();
    // Another one that began meanwhile is not the one that was to end.
    return now.state !== 'running' || now.pid !== pid || now.since !== since || null;
  };
  const late = () =>
    new Failure('timed-out', `the daemon (pid ${pid}) has not ended yet`, {
      hint: `its log is ${control.logPath}`,
    });
  return waitFor(ask, STOP_MS, late);
}

function exited(pid: number, rest: () => string | null): Promise<true> {
  let held: string | null = null;
  const ask = () => {
    held = rest();
    return held === null || null;
  };
  const late = () =>
    new Failure('timed-out', `the daemon (pid ${pid}) stopped, but its process is still there: ${held}`, {
      hint: `nothing is supervised any more and another one can be started; ps -o stat,wchan ${pid} shows where it waits`,
    });
  return waitFor(ask, EXIT_MS, late);
}
