import { argumentsOf, type StartSignature } from '../common/started-by.ts';

export const SIGNATURE: StartSignature = { programs: ['claude'], packages: ['@anthropic-ai/claude-code'] };

// Run as one of these it talks to no one: it does its work and returns, or serves others (2.1.325, `claude --help`).
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'agents attach auth auto-mode config daemon doctor gateway import install kill logs mcp plugin plugins project ps ' +
    'purge remote-control respawn rm setup-token stop ultrareview update upgrade'
  ).split(' '),
);
// `-p` may stand in a cluster (`-cp`).
const LEAVES_AT_ONCE = /^(?:-[a-z]*p[a-z]*|-v|-h|--(?:print|bg|background|version|help|desktop))$/;

/** Whether a command line is Claude Code in conversation with a person. */
export function isClaude(argv: readonly string[]): boolean {
  const words = argumentsOfClaude(argv);
  if (words === null || COMMANDS.has(words[0] ?? '')) return false;
  return !flagsOf(words).some((word) => LEAVES_AT_ONCE.test(word));
}

/** The conversation that a command line names, which holds until a person clears or switches it. */
export function conversationNamedIn(argv: readonly string[]): string | undefined {
  const words = flagsOf(argumentsOfClaude(argv) ?? []);
  const named = valueAfter(words, ['--session-id']);
  if (named !== undefined) return isConversationId(named) ? named : undefined;
  if (words.includes('--fork-session')) return undefined;
  const resumed = valueAfter(words, ['--resume', '-r']);
  return resumed !== undefined && isConversationId(resumed) ? resumed : undefined;
}

/** The conversation that a command line takes up again, and not a copy of it. */
export function conversationResumedIn(argv: readonly string[]): string | null {
  const words = flagsOf(argumentsOfClaude(argv) ?? []);
  const isAnother = words.some((word) => /^--(?:fork-session|session-id)(?:=|$)/.test(word));
  const resumed = isAnother ? undefined : valueAfter(words, ['--resume', '-r']);
  return isConversationId(resumed) ? resumed : null;
}

/** What Claude Code itself was given; null when it is another program. */
export function argumentsOfClaude(argv: readonly string[]): readonly string[] | null {
  return argumentsOf(argv, SIGNATURE);
}

/** Conversations are named by UUIDs; anything else must not become part of a path. */
export function isConversationId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The words that may be flags: what follows `--` is the prompt. */
export function flagsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

function valueAfter(words: readonly string[], flags: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (flags.includes(word)) return words[index + 1];
    const flag = flags.find((name) => word.startsWith(`${name}=`));
    if (flag !== undefined) return word.slice(flag.length + 1);
  }
  return undefined;
}
