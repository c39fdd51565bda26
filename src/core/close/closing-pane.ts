import { type Fused, fuse } from '../agent/fuse.ts';
import type { ProcessMark } from '../sight/identity.ts';
import { bareShellsAmong, lineageOf } from '../sight/lineage.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { AgentEvidence, ProcessNote, TerminalUser } from '../verdict/evidence.ts';

/** One pane of a session that is to be closed, by the look that was taken just now. */
export interface ClosingPane {
  readonly paneId: string;
  readonly pid: number;
  readonly isDead: boolean;
  /** Its program let go of the terminal and lives on. */
  readonly hasNoTerminal?: true;
  readonly isInMode: boolean;
  /** Its window lives on in another session, and so does everything in it. */
  readonly isShared: boolean;
  /** Everything that belongs to it, inside its tree and outside. */
  readonly processes: readonly ProcessNote[];
  /** Its terminal; null where it has none. */
  readonly tty: string | null;
  /** What uses its terminal although nothing else ties it to the pane. */
  readonly terminalUsers: readonly TerminalUser[];
  /** The live agent in it: the innermost process of its kind. */
  readonly agent: ProcessNote | null;
  /** Processes of the same kind above the agent. */
  readonly launchers: readonly ProcessNote[];
  readonly word: Fused | null;
  readonly told: AgentEvidence | null;
}

/** The panes of a session with what runs in them. */
export function closingPanes(entry: SessionEntry, now: number): ClosingPane[] {
  return entry.panes.map(({ paneId, pid, isDead }) => {
    const own = entry.evidence.filter((piece) => 'paneId' in piece && piece.paneId === paneId);
    const seen = own.find((piece) => piece.kind === 'pane');
    const told = own.find((piece) => piece.kind === 'agent') ?? null;
    const processes = own.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []));
    const [first, ...more] = own.filter((piece) => piece.kind === 'agent-sign');
    const { agent, launchers } = agentIn(processes, told);
    return {
      ...{ paneId, pid, isDead, processes, agent, launchers, told },
      terminalUsers: own.flatMap((piece) => (piece.kind === 'processes' ? (piece.terminalUsers ?? []) : [])),
      tty: seen?.tty ?? null,
      ...(seen?.hasNoTerminal && { hasNoTerminal: true as const }),
      isInMode: seen?.isInMode ?? false,
      isShared: seen?.isWindowShared ?? false,
      word: first ? fuse([first, ...more], now) : null,
    };
  });
}

/** Nothing in it would be interrupted: it is dead, or bare shells stand at their prompts in it. */
export function isRestful(pane: ClosingPane): boolean {
  return pane.isDead || (pane.processes.some(isRoot) && running(pane).length === 0);
}

type Inhabited = Pick<ClosingPane, 'processes' | 'hasNoTerminal'>;

/** What runs inside a pane and is no bare shell; without a terminal none is. */
export function running({ processes, hasNoTerminal }: Inhabited): ProcessNote[] {
  const isBareShell = bareShellsAmong(processes);
  return processes.filter((note) => note.relation !== 'outside' && (hasNoTerminal || !isBareShell(note)));
}

/** The same without what only runs others (`sh -c "agent; exec sh"`): that ends, or becomes a shell, by itself. */
export function runningItself(pane: Inhabited): ProcessNote[] {
  const lineage = lineageOf(pane.processes);
  return running(pane).filter((note) => !lineage.isTransparent(note));
}

function isRoot({ relation }: ProcessNote): boolean {
  return relation === 'root';
}

function agentIn(
  processes: readonly ProcessNote[],
  told: AgentEvidence | null,
): Pick<ClosingPane, 'agent' | 'launchers'> {
  const agents = processes.filter(({ role, relation }) => role === 'agent' && relation !== 'outside');
  const agent = agents.find(({ pid }) => pid === told?.agentPid) ?? innermostOf(agents);
  if (agent === null) return { agent, launchers: [] };
  const above = lineageOf(processes).above([agent]);
  const launchers = agents.filter((note) => above.has(note) && note.agentKind === agent.agentKind);
  return { agent, launchers };
}

// Parents come before their children: from the first agent down through what it relaunched itself as.
function innermostOf(agents: readonly ProcessNote[]): ProcessNote | null {
  let innermost = agents[0] ?? null;
  for (const note of agents) {
    if (note.parentPid === innermost?.pid && note.agentKind === innermost.agentKind) innermost = note;
  }
  return innermost;
}

/**
 * Processes that began in the panes of a session after the listing: nobody was told that they would end. What a listed program
 * starts belongs to that program; what a shell starts does not.
 */
export function newcomers(
  panes: readonly ClosingPane[],
  isListed: (mark: ProcessMark) => boolean,
): ProcessNote[] {
  return panes
    .filter(({ isShared }) => !isShared)
    .flatMap((pane) => {
      const all = running(pane);
      const theirs = lineageOf(pane.processes).below(all.filter(isListed));
      return all.filter((note) => !isListed(note) && !theirs.has(note));
    });
}

/** Processes that were started after the listing and detached from their pane, such as a hook that saves on exit. */
export function bornSince(
  panes: readonly ClosingPane[],
  isListed: (mark: ProcessMark) => boolean,
): ProcessNote[] {
  return panes
    .filter(({ isShared }) => !isShared)
    .flatMap(({ processes }) =>
      processes.filter((note) => note.relation === 'outside' && !note.isKeeper && !isListed(note)),
    );
}
