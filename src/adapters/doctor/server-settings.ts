import type { AnsweringServer, ServerSettings } from '../../core/doctor/sightings.ts';
import { namesInEnvironment } from '../../core/sight/server-environment.ts';
import { visible } from '../../core/text/visible.ts';
import type { ProgramOutput } from '../programs/run-program.ts';

/** Runs one tmux command list against one socket; the runner of the tmux adapter is one. */
export type AskTmux = (
  socketPath: string,
  command: readonly string[],
  bounds: { readonly maxBytes: number },
) => Promise<
  | ({ readonly ended: 'exit' } & Omit<ProgramOutput, 'signal'>)
  | { readonly ended: 'timeout' | 'aborted' | 'too-long' | 'unstartable' }
>;

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Asks one server for its options and for the names in its global environment, in one fork. `watched` are the variables
 * that matter; of no other is anything kept, and of none its value.
 */
export async function readServerSettings(
  run: AskTmux,
  { socketPath, pid }: AnsweringServer,
  watched: readonly string[],
  nonce: string,
): Promise<ServerSettings> {
  const failed = (text: string): ServerSettings => ({ state: 'failed', socketPath, pid, text });
  const ended = await run(socketPath, commandOf(nonce), { maxBytes: MAX_BYTES });
  if (ended.ended !== 'exit') return failed(WHY[ended.ended]);
  const parts = ended.stdout.toString('utf8').split(`${nonce}\n`);
  const [answeredBy = '', options = '', sessions = '', environment = '', rest] = parts;
  if (ended.code !== 0 || parts.length !== 5 || rest !== '') {
    return failed(visible(ended.stderr.trim() || 'it gave no whole answer', 300));
  }
  if (Number(answeredBy) !== pid) return failed('another server answers there now');
  const names = namesInEnvironment(environment);
  return {
    state: 'read',
    socketPath,
    pid,
    options: Object.fromEntries(linesOf(options).map(pairIn)),
    destroyed: linesOf(sessions).flatMap(destroyedIn),
    leaked: names && watched.filter((name) => names.includes(name)),
  };
}

const WHY = {
  timeout: 'tmux did not answer in time',
  aborted: 'it was not waited for',
  'too-long': 'tmux printed more than any answer holds',
  unstartable: 'tmux could not be started',
} as const;

// The global value is asked by itself: in a format tmux would answer for some session. `-q`: an older tmux that does not
// know an option says nothing of it.
function commandOf(nonce: string): string[] {
  const mark = ['display-message', '-p', nonce, ';'];
  return [
    ...['display-message', '-p', `#{pid}${nonce}`, ';'],
    ...['show-options', '-sq', 'exit-unattached', ';', 'show-options', '-gq', 'destroy-unattached', ';'],
    ...mark,
    ...['list-sessions', '-F', '#{session_id} #{destroy-unattached}', ';'],
    ...mark,
    ...['show-environment', '-gs', ';'],
    ...mark.slice(0, -1),
  ];
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function pairIn(line: string): [name: string, value: string] {
  const space = line.indexOf(' ');
  return [line.slice(0, space), line.slice(space + 1)];
}

// In formats tmux up to 3.3 has 0 and 1 for it, later ones have words.
function destroyedIn(line: string): { sessionId: string; value: string }[] {
  const [sessionId, printed] = pairIn(line);
  const value = printed === '1' ? 'on' : printed;
  return value === '0' || value === 'off' || value === '' ? [] : [{ sessionId, value }];
}
