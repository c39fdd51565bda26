import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { optionTable, readWords, takesNext, valueGiven } from '../common/option-words.ts';
import { resumesBy } from '../common/resumed-words.ts';
import { argumentsOf } from '../common/started-by.ts';

/** How an opencode was started, as far as it matters to those who look at it. */
export interface StartWords {
  /** The port that it was told to answer HTTP on. */
  readonly port?: number;
  /** The session that it was told to open. */
  readonly session?: string;
  /** It was told to open the last session of its folder. */
  readonly isContinued: boolean;
  /** It was told to open a copy. */
  readonly isForked: boolean;
  /** It shows the sessions of a server elsewhere; nothing of theirs is this process's. */
  readonly isAttached: boolean;
}

const SIGNATURE = { programs: ['opencode', 'opencode.exe'], packages: ['opencode-ai'] };

// Everything that `opencode --help` lists beside the interface itself and `attach`.
const OTHER_COMMANDS = new Set(
  (
    'completion acp mcp run debug providers auth agent upgrade uninstall serve web models stats export import github pr ' +
    'session plugin plug db'
  ).split(' '),
);
const PRINTS_AND_ENDS = new Set(['-h', '--help', '-v', '--version']);

/** Whether a command line is opencode's terminal interface: its servers, one-shot runs and tools are not. */
export function recognises(argv: readonly string[]): boolean {
  const given = argumentsOf(argv, SIGNATURE);
  if (given === null || given.some((word) => PRINTS_AND_ENDS.has(word))) return false;
  const command = positional(given);
  return command === undefined || !OTHER_COMMANDS.has(command);
}

/** What the command line says of the port and the session. Words that it does not hold are left out. */
export function startWords(argv: readonly string[]): StartWords {
  const words = argumentsOf(argv, SIGNATURE) ?? [];
  const { given } = readWords(words, OPTIONS);
  const isOn = (names: readonly string[]) =>
    given.some(({ name, values }) => names.includes(name) && values[0] !== 'false');
  const port = Number(valueGiven(given, ['--port']));
  const session = valueGiven(given, ['-s', '--session']);
  const isForked = isOn(['--fork']);
  return {
    ...(Number.isInteger(port) && port > 0 && port < 65_536 && { port }),
    ...(session !== undefined && !isForked && SESSION_ID.test(session) && { session }),
    isContinued: !isForked && isOn(['-c', '--continue']),
    isForked,
    isAttached: positional(words) === 'attach',
  };
}

/** How opencode writes the id of a session. */
export const SESSION_ID = /^ses_[0-9A-Za-z]{1,60}$/;

function positional(given: readonly string[]): string | undefined {
  return given.find((word, at) => !word.startsWith('-') && !takesNext(given[at - 1], OPTIONS));
}

/** How a command line comes to its session. One that shows those of a server elsewhere holds none itself. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  // `run` is one turn without a screen.
  if (!recognises(argv) && positional(argumentsOf(argv, SIGNATURE) ?? []) !== 'run') return null;
  const { session, isContinued, isForked, isAttached } = startWords(argv);
  if (isAttached) return null;
  if (session !== undefined || isForked) return { how: 'own' };
  return { how: isContinued ? 'open' : 'new' };
}

// `opencode --help`, 1.18.
const OPTIONS = optionTable({
  kept: {
    truth: '--print-logs --pure --mdns --auto --mini --no-replay',
    word: '--log-level --port --hostname --mdns-domain -m --model --agent --replay-limit',
    words: '--cors',
  },
  conversation: { truth: '-c --continue --fork', word: '-s --session' },
  prompt: { word: '--prompt' },
});

export const resume = resumesBy({
  signature: SIGNATURE,
  options: OPTIONS,
  words: (id) => ['-s', id],
  // `opencode [project]`: the folder to start in.
  read: ([folder, ...prompt]) => ({ ...(folder !== undefined && { folder }), prompt }),
});
