import { randomUUID } from 'node:crypto';
import type { ConversationChoice } from '../../../core/agent/choice.ts';
import type { PreparedStart } from '../../../ports/agent.ts';
import { type Given, optionTable, readWords, valueGiven } from '../common/option-words.ts';
import { resumesBy } from '../common/resumed-words.ts';
import { argumentsOf } from '../common/started-by.ts';

const SIGNATURE = { programs: ['claude'], packages: ['@anthropic-ai/claude-code'] };

// Run as one of these it talks to no one: it does its work and returns, or serves others (2.1.325, `claude --help`).
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'agents attach auth auto-mode config daemon doctor gateway import install kill logs mcp plugin plugins project ps ' +
    'purge remote-control respawn rm setup-token stop ultrareview update upgrade'
  ).split(' '),
);
const LEAVES_AT_ONCE = /^(?:-[pvh]|--(?:print|bg|background|version|help|desktop))$/;
// The conversation is chosen already, or it is one that exists.
const CHOOSES = /^(?:-[cr]|--(?:session-id|resume|continue|from-pr|teleport))$/;
const RESUMES = ['--resume', '-r'];

/** Whether a command line is Claude Code in conversation with a person. */
export function isClaude(argv: readonly string[]): boolean {
  const words = argumentsOf(argv, SIGNATURE);
  if (words === null || isTool(words)) return false;
  return !optionsIn(argv).some(({ name }) => LEAVES_AT_ONCE.test(name));
}

/** How a command line comes to its conversation. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  const words = argumentsOf(argv, SIGNATURE);
  if (words === null || isTool(words)) return null;
  const given = optionsIn(argv);
  const isFork = given.some(({ name }) => name === '--fork-session');
  if (isFork || conversationNamedIn(argv) !== undefined) return { how: 'own' };
  return { how: given.some(({ option }) => option?.fate === 'conversation') ? 'open' : 'new' };
}

/** Gives a new conversation its id, so that its transcript and status are known to be this session's from the start. */
export function prepare(argv: readonly string[], newId: () => string = randomUUID): PreparedStart {
  const words = argumentsOf(argv, SIGNATURE);
  if (words === null) return { argv };
  if (optionsIn(argv).some(({ name }) => CHOOSES.test(name))) {
    const conversation = conversationNamedIn(argv);
    return conversation === undefined ? { argv } : { argv, conversation };
  }
  const conversation = newId();
  const before = argv.slice(0, argv.length - words.length);
  return { argv: [...before, '--session-id', conversation, ...words], conversation };
}

/** The conversation that a command line names, which holds until a person clears or switches it. */
export function conversationNamedIn(argv: readonly string[]): string | undefined {
  const given = optionsIn(argv);
  const named = valueGiven(given, ['--session-id']);
  if (named !== undefined) return isConversationId(named) ? named : undefined;
  if (given.some(({ name }) => name === '--fork-session')) return undefined;
  const resumed = valueGiven(given, RESUMES);
  return isConversationId(resumed) ? resumed : undefined;
}

/** The conversation that a command line takes up again, and not a copy of it. */
export function conversationResumedIn(argv: readonly string[]): string | null {
  const given = optionsIn(argv);
  const isAnother = given.some(({ name }) => name === '--fork-session' || name === '--session-id');
  const resumed = isAnother ? undefined : valueGiven(given, RESUMES);
  return isConversationId(resumed) ? resumed : null;
}

/** Conversations are named by UUIDs; anything else must not become part of a path. */
export function isConversationId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Whether these words have it do something else than talk. */
function isTool([first = '']: readonly string[]): boolean {
  return COMMANDS.has(first);
}

/** The options that Claude Code was given; none when it is another program. */
function optionsIn(argv: readonly string[]): readonly Given[] {
  return readWords(argumentsOf(argv, SIGNATURE) ?? [], OPTIONS).given;
}

// `claude --help`, 2.1.325, and four that it does not list. Modes and settings are not kept with a conversation.
const OPTIONS = optionTable({
  kept: {
    nothing:
      '--allow-dangerously-skip-permissions --ax-screen-reader --bare --brief --chrome --dangerously-skip-permissions ' +
      '--disable-slash-commands --exclude-dynamic-system-prompt-sections --ide --no-chrome --restricted --safe-mode ' +
      '--strict-mcp-config --verbose',
    word:
      '--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug-file --effort ' +
      '--fallback-model --max-turns --model -n --name --permission-mode --permission-prompt-tool --plugin-dir --plugin-url ' +
      '--remote-control-session-name-prefix --setting-sources --settings --system-prompt --system-prompt-file ' +
      '--system-prompt-snapshot',
    maybe: '-d --debug --prompt-suggestions --remote-control',
    words:
      '--add-dir --allowedTools --allowed-tools --betas --disallowedTools --disallowed-tools --mcp-config --tools',
  },
  conversation: {
    nothing: '-c --continue --fork-session',
    word: '--session-id',
    maybe: '-r --resume --from-pr --teleport',
  },
  once: {
    nothing: '-p --print --tmux',
    word: '--environment',
    maybe: '-w --worktree --cloud',
    words: '--file',
  },
});

export const resume = resumesBy({ signature: SIGNATURE, options: OPTIONS, words: (id) => ['--resume', id] });
