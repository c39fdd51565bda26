import { programName, type RecogniseAgent, SHELLS } from '../sight/program.ts';
import type { KeptAgent, KeptPane, KeptProcess, ShownPane } from './kept-document.ts';
import { isShell, type PaneCommand, paneCommand } from './pane-command.ts';
import { programShown } from './program-shown.ts';

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
 * The same, read; none where it does not say which it is. `shown`: what the layout says of all panes. `isOld`: whether what ran
 * in a pane may have ended since it was seen.
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
