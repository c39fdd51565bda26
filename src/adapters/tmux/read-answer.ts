import type { ServerFailure } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import type { TmuxRun } from './run-tmux.ts';

/** Why a call brought no answer: the server is exactly absent, or the call failed and proves nothing. */
export type NoAnswer =
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly failure: ServerFailure; readonly text: string };

/** Judges a call that did not bring the wanted output. Only tmux's own word about this very socket is absence. */
export function readNoAnswer(run: TmuxRun, socketPath: string): NoAnswer {
  switch (run.ended) {
    case 'timeout':
      return failed('timeout', 'tmux did not answer in time');
    case 'aborted':
      return failed('stopped', 'the server process is stopped');
    case 'too-long':
      return failed('garbled', 'tmux printed more than any listing holds');
    case 'unstartable':
      return failed('failed', `tmux could not be started: ${run.text}`);
    case 'exit': {
      if (run.signal !== null) return failed('failed', `the tmux client was killed by ${run.signal}`);
      if (run.code === 0) return failed('garbled', 'tmux printed something else than was asked');
      return readComplaint(run.stderr.trimEnd(), socketPath);
    }
  }
}

// Wordings of tmux 3.0 to 3.7; all but the first two lines mean that something is there.
function readComplaint(complaint: string, socketPath: string): NoAnswer {
  if (complaint === `no server running on ${socketPath}`) return { state: 'absent' };
  const connecting = `error connecting to ${socketPath} `;
  if (complaint === `${connecting}(No such file or directory)`) return { state: 'absent' };
  if (complaint === `${connecting}(Connection refused)`) return { state: 'absent' };
  if (complaint === `${connecting}(Permission denied)`) return failed('not-permitted', complaint);
  if (complaint === `${connecting}(Operation not permitted)`) return failed('not-permitted', complaint);
  if (/access not allowed|protocol version mismatch|server version is too old/.test(complaint)) {
    return failed('refused', complaint);
  }
  return failed('failed', complaint || 'tmux failed without a word');
}

function failed(failure: ServerFailure, text: string): NoAnswer {
  return { state: 'failed', failure, text: visible(text, 500) };
}
