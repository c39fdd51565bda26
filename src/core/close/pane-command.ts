import { agentBehind } from '../agent/agent-behind.ts';
import { programName, programOf, type RecogniseAgent, SHELLS } from '../sight/program.ts';
import { sleptFrom } from '../sleep/sleeper.ts';
import type { KeptAgent, KeptPane, KeptProcess, ShownPane } from './kept-document.ts';
import {
  commandShown,
  type OneProgram,
  onlyShows,
  programInLine,
  programInWords,
  programShown,
} from './one-program.ts';

/** What runs again in a pane, and what does not. */
export interface PaneCommand {
  /** As tmux takes it; null for a plain shell. */
  readonly command: readonly string[] | null;
  /** Where it was started, where that is known. */
  readonly cwd?: string;
  readonly missing: readonly string[];
  /** The program that is named there. */
  readonly named?: string;
}

/**
 * Whether a pane's own command runs again: only where it plainly is one program, and that program still ran when the pane was
 * kept. A program that had ended has done its work. What was typed into a shell is not the pane's own command. What was seen
 * some time before the pane went (`isOld`) may have ended since: then only viewers and editors run again.
 */
export function paneCommand(
  paneId: string,
  pane: KeptPane,
  shown: ShownPane | null,
  recogniseAgent: RecogniseAgent,
  isOld = false,
): PaneCommand {
  const root = rootOf(pane);
  const command = shown?.command;
  if (command == null) {
    const isLost = command === null && root !== null && root.role !== 'shell';
    return {
      command: null,
      missing: isLost ? [`pane ${paneId}: its command is too long to be run again`] : [],
    };
  }
  const receipt = sleptFrom(startedWords(command));
  // It would wait for an agent that is put back elsewhere.
  if (receipt !== null)
    return {
      command: null,
      missing: [`pane ${paneId}: its sleeper of receipt ${receipt} is not started again`],
    };
  const isHarmless = !isOld || root?.role === 'shell' || onlyShows(oneIn(command), startedWords(command));
  const why = whyNot(pane, root, command, recogniseAgent) ?? (isHarmless ? null : MAY_HAVE_ENDED);
  if (why === null) return { command, ...(shown?.cwd != null && { cwd: shown.cwd }), missing: [] };
  const named = commandShown(startedWords(command));
  return { command: null, named, missing: [`pane ${paneId}: ${why}, and is not run again: ${named}`] };
}

const MAY_HAVE_ENDED = 'it may have ended after it was last seen';

/** What stands behind the variables that `rollcall run` puts before a program. */
export function startedWords(command: readonly string[]): readonly string[] {
  const at = command.findLastIndex((word) => word.startsWith('ROLLCALL_OWNER='));
  return command.slice(at + 1);
}

/** Whether a pane's own process is a shell, which runs what is typed into it. */
export function isShell(pane: KeptPane): boolean {
  return rootOf(pane)?.role === 'shell';
}

function rootOf({ processes }: KeptPane): KeptProcess | null {
  return processes.find(({ relation }) => relation === 'root') ?? null;
}

function whyNot(
  pane: KeptPane,
  root: KeptProcess | null,
  command: readonly string[],
  recogniseAgent: RecogniseAgent,
): string | null {
  // A pane with an agent in it does not come to this: the agent has left, or cannot be resumed.
  const agent = agentBehind(startedWords(command), recogniseAgent);
  if (agent !== null) return `it may start ${agent} with its first prompt once more`;
  const isThere = pane.isDead !== true && root !== null && stillRuns(root, command);
  return isThere ? null : 'it had ended, or a part of it';
}

// Of several the first may have done their work (`deploy; tail -f log`). What rollcall itself started is meant as a whole,
// but for a shell that is left (`make; exec bash`).
function stillRuns(root: KeptProcess, command: readonly string[]): boolean {
  const words = startedWords(command);
  if (root.role !== 'shell' && words.length < command.length) return true;
  const one = oneIn(command);
  return one !== null && (root.role === 'shell' ? isOnlyShell(root, one) : isStill(root, one));
}

function oneIn(command: readonly string[]): OneProgram | null {
  return command.length === 1 ? programInLine(command[0] as string) : programInWords(startedWords(command));
}

function isOnlyShell(root: KeptProcess, { words: [first = '', ...flags] }: OneProgram): boolean {
  return programName(first) === root.program && flags.every((flag) => PLAIN.test(flag));
}

// Options that neither name a file nor run anything.
const PLAIN = /^(?:-[fil]+|--(?:login|interactive|norc|noprofile|no-rcs|no-config|posix))$/;

// A script that became another program (`exec serve` at its end) has done its part. A shell may stay before its only program.
function isStill(root: KeptProcess, { words, lines }: OneProgram): boolean {
  const { program } = root;
  const isShellBefore = root.role === 'wrapper' && SHELLS.has(program ?? '');
  if (isShellBefore) return root.argv?.some((word) => lines.includes(word)) ?? false;
  const { name } = programOf('', words, () => null);
  // It goes on as npm.
  return program === name || (name === 'npx' && program === 'npm');
}

/** A pane as an archive tells of it. */
export interface ArchivedPane {
  readonly paneId: string;
  readonly cwd: string;
  readonly isActive: boolean;
  readonly agent: KeptAgent | null;
  /** The programs that ran in it and do not come back. */
  readonly programs: readonly string[];
  readonly own: PaneCommand;
}

/** What is no command that somebody ran. */
const OWN_ROLES: ReadonlySet<unknown> = new Set(['shell', 'agent', 'sleeper']);

/**
 * Reads a pane of an archive; none where the archive does not name it. `shown`: what the layout says of all panes. `isOld`:
 * whether what ran in a pane may have ended since it was seen.
 */
export function paneIn(
  pane: KeptPane,
  shown: readonly ShownPane[],
  recogniseAgent: RecogniseAgent,
  isOld: (paneId: string) => boolean = () => false,
): ArchivedPane[] {
  const { paneId, agent = null, isActive = false } = pane;
  if (paneId == null) return [];
  const place = shown.find((one) => one.paneId === paneId) ?? null;
  const own = paneCommand(paneId, pane, place, recogniseAgent, isOld(paneId));
  const running = pane.processes.filter(({ role }) => !OWN_ROLES.has(role));
  // What an agent runs is the agent's; what runs below the pane's own command comes back with it.
  const comesBack = agent !== null || (own.command !== null && !isShell(pane));
  const programs = comesBack ? [] : new Set(running.flatMap(programIn));
  return [
    {
      paneId,
      agent,
      own,
      isActive,
      cwd: agent?.cwd ?? pane.cwd ?? '/',
      programs: [...programs].filter((name) => name !== own.named),
    },
  ];
}

// Of what was shown of it only the first word: nobody can tell where a path with spaces ends. A script by its own name.
function programIn({ command, argv, program }: KeptProcess): string[] {
  if (command == null) return [];
  const [first = command.split(' ')[0] as string] = argv ?? [];
  const isShells = SHELLS.has(programName(first));
  return [programShown((isShells ? program : null) ?? first)];
}
