import { type Given, readWords, valueGiven } from '../common/option-words.ts';
import { argumentsOf, type StartSignature } from '../common/started-by.ts';
import { OPTIONS } from './options.ts';

export const SIGNATURE: StartSignature = { programs: ['claude'], packages: ['@anthropic-ai/claude-code'] };

// Run as one of these it talks to no one: it does its work and returns, or serves others (2.1.325, `claude --help`).
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'agents attach auth auto-mode config daemon doctor gateway import install kill logs mcp plugin plugins project ps ' +
    'purge remote-control respawn rm setup-token stop ultrareview update upgrade'
  ).split(' '),
);
const LEAVES_AT_ONCE = /^(?:-[pvh]|--(?:print|bg|background|version|help|desktop))$/;

/** Whether a command line is Claude Code in conversation with a person. */
export function isClaude(argv: readonly string[]): boolean {
  const words = argumentsOfClaude(argv);
  if (words === null || isTool(words)) return false;
  return !optionsIn(argv).some(({ name }) => LEAVES_AT_ONCE.test(name));
}

/** Whether these words have it do something else than talk. */
export function isTool([first = '']: readonly string[]): boolean {
  return COMMANDS.has(first);
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

const RESUMES = ['--resume', '-r'];

/** The options that Claude Code was given; none when it is another program. */
export function optionsIn(argv: readonly string[]): readonly Given[] {
  return readWords(argumentsOfClaude(argv) ?? [], OPTIONS).given;
}

/** What Claude Code itself was given; null when it is another program. */
export function argumentsOfClaude(argv: readonly string[]): readonly string[] | null {
  return argumentsOf(argv, SIGNATURE);
}

/** Conversations are named by UUIDs; anything else must not become part of a path. */
export function isConversationId(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
