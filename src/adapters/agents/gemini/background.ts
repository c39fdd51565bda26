import type { AgentSign } from '../../../core/agent/sign.ts';
import { programName } from '../../../core/sight/program.ts';
import type { AgentScene, PaneProcess } from '../../../ports/agent.ts';
import type { ServerCommand } from './settings.ts';

/** What is known before any sign is made. */
export interface SeenBackground {
  readonly now: number;
  readonly isVerified: boolean;
  /** When the process began. */
  readonly startedAt: number;
  readonly isTitleReady: boolean;
}

/** The processes of a Gemini's pane, told apart. */
export interface Household {
  /** Shells that it runs its commands in; a command that was sent to the background keeps its own. */
  readonly shells: readonly PaneProcess[];
  /** Started here since the agent began, detached from it, and still running. */
  readonly strays: readonly PaneProcess[];
  /** Children that are neither a command's shell nor a server that its settings name. */
  readonly strangers: readonly PaneProcess[];
}

// Gemini starts every command of its own with this guard, whatever sandbox stands before it.
const SHELL_GUARD = /^shopt -u promptvars /;
// Started by the same shell within the clock tick of the agent.
const CLOCK_SLACK_MS = 1_000;

/** Sorts what runs in the agent's pane beside it. */
export function householdOf(
  { agent, others }: Pick<AgentScene, 'agent' | 'others'>,
  servers: readonly ServerCommand[],
): Household {
  const shells: PaneProcess[] = [];
  const strays: PaneProcess[] = [];
  const strangers: PaneProcess[] = [];
  const byPid = new Map(others().map((other) => [other.pid, other]));
  for (const other of others()) {
    if (byPid.has(other.parentPid)) continue;
    if (isShell(other)) shells.push(other);
    else if (other.relation === 'outside') {
      if (other.startedAt >= agent.startedAt - CLOCK_SLACK_MS) strays.push(other);
    } else if (!servers.some((server) => isServer(other.argv, server))) strangers.push(other);
  }
  return { shells, strays, strangers };
}

/** A command that runs under Gemini, in front or in the background. */
export function isShell(process: Pick<PaneProcess, 'argv'>): boolean {
  return process.argv.some((word) => SHELL_GUARD.test(word));
}

// `npx` and scripts run under an interpreter, and npm writes its own title over its arguments.
function isServer(argv: readonly string[], { command, args }: ServerCommand): boolean {
  const name = programName(command);
  const first = programName(argv[0] ?? '');
  if (first === 'npm' && name === 'npx') return args.some((word) => (argv[0] ?? '').includes(word));
  const rest = argv.slice(argv.length - args.length);
  // Gemini fills in variables: such a word may be anything.
  const isSameWord = (word: string, at: number) => word === args[at] || args[at]?.includes('$');
  const isSame = rest.length === args.length && rest.every(isSameWord);
  const before = argv.slice(0, argv.length - args.length);
  return isSame && before.slice(0, 3).some((word) => programName(word) === name);
}

/**
 * What Gemini left running. Only told when its turn is over: before that, a shell may belong to the turn. “None” is only
 * told if every process is known: an unknown one may be work.
 */
export function backgroundSign(
  { shells, strays, strangers }: Household,
  { now: observedAt, isVerified, isTitleReady }: Omit<SeenBackground, 'startedAt'>,
): AgentSign | null {
  const background = shells.length + strays.length;
  if (!isTitleReady || (background === 0 && strangers.length > 0)) return null;
  const runs = `${background} of its commands still ${background === 1 ? 'runs' : 'run'}`;
  const text = background === 0 ? 'no command of its own runs' : runs;
  return { source: 'agent', observedAt, isLive: true, background, isVerified, text };
}
