import { connect } from 'node:net';
import type { ServerFailure } from '../../core/sight/sighting.ts';
import { answerTime } from '../programs/answer-time.ts';

/** What stands behind a socket file. */
export type Probe =
  | { readonly state: 'listening' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly failure: ServerFailure; readonly text: string };

/** Connects and hangs up at once: far cheaper than a tmux client for each socket file that a dead server left. */
export function probeSocket(socketPath: string, timeoutMs: number): Promise<Probe> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const late = () =>
      end({ state: 'failed', failure: 'timeout', text: `no connection within ${timeoutMs} ms` });
    const callOff = answerTime(timeoutMs, late);
    const end = (probe: Probe): void => {
      callOff();
      socket.destroy();
      resolve(probe);
    };
    socket.on('connect', () => end({ state: 'listening' }));
    socket.on('error', (error: NodeJS.ErrnoException) => end(meaningOf(error)));
  });
}

function meaningOf(error: NodeJS.ErrnoException): Probe {
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return { state: 'absent' };
    // Linux says so when the queue of a listener is full: busy, not gone.
    case 'EAGAIN':
      return { state: 'listening' };
    case 'EACCES':
    case 'EPERM':
      return { state: 'failed', failure: 'not-permitted', text: error.message };
    default:
      return { state: 'failed', failure: 'failed', text: error.message };
  }
}
