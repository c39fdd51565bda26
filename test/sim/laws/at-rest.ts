import { KINDS } from '../machine/agent-kinds.ts';
import type { AgentWhat, JournalEntry } from '../machine/journal.ts';
import type { SimSession } from '../machine/tmux-parts.ts';
import { truth } from '../machine/truth.ts';
import type { Scene } from './scene.ts';

const STIRS: ReadonlySet<string> = new Set<AgentWhat>([
  'turn-began',
  'turn-ended',
  'dialog-opened',
  'dialog-closed',
  'draft',
  'background',
  'agent-started',
]);

/** What was done in a pane beside its agent, or by a person, ends its rest as well. */
const STIRS_SESSION: ReadonlySet<string> = new Set<JournalEntry['what']>([
  'pane-started',
  'pane-died',
  'pane-removed',
  'pane-mode',
  'detached',
  'client-input',
]);

/** Remembers since when nothing was done by or to the agents of a world. */
export class Rest {
  readonly #sinceMs = new Map<string, number>();
  /** By its number, the agent that started a process, itself or through another one. */
  readonly #agents = new Map<number, string>();

  on(entry: JournalEntry): void {
    if (STIRS.has(entry.what) && 'pid' in entry && 'startTicks' in entry)
      this.#sinceMs.set(`${entry.pid}.${entry.startTicks}`, entry.at);
    if (entry.what === 'agent-started') this.#agents.set(entry.pid, `${entry.pid}.${entry.startTicks}`);
    // What an agent has started stirs its session when it begins, and when it ends.
    const ofAgent =
      entry.what === 'process-started'
        ? this.#agents.get(entry.ppid)
        : entry.what === 'process-ended'
          ? this.#agents.get(entry.pid)
          : undefined;
    if (ofAgent !== undefined) this.#sinceMs.set(ofAgent, entry.at);
    if (entry.what === 'process-started' && ofAgent !== undefined) this.#agents.set(entry.pid, ofAgent);
    if (entry.what === 'process-ended') this.#agents.delete(entry.pid);
    if (STIRS_SESSION.has(entry.what) && 'key' in entry && entry.key !== null)
      this.#sinceMs.set(entry.key, entry.at);
  }

  /** Since when all agents of a session rest, ms of the story. */
  sinceMs({ machine }: Scene, session: SimSession): number {
    const { agents } = truth(machine, session);
    return Math.max(
      this.#sinceMs.get(session.key) ?? 0,
      ...agents.map(({ process }) => this.#sinceMs.get(`${process.pid}.${process.startTicks}`) ?? 0),
    );
  }
}

/**
 * Whether there is really nothing in a session but agents at rest whose conversations can be resumed, and nobody who could want
 * it: nothing that rollcall could have any doubt about.
 */
export function isPlainlyIdle({ machine, kept }: Scene, session: SimSession): boolean {
  const now = truth(machine, session);
  const panes = session.windows.flatMap((window) => window.panes);
  const isAgent = panes.every((pane) =>
    now.agents.some((agent) => agent.pane === pane && agent.process === pane.process),
  );
  const isKnown = now.agents.every(
    ({ kind, conversation, mayHooksMislead, isAheadOfClock, truth: { turn } }) => {
      const { hasStatus, hasHooks } = KINDS[kind];
      const last = conversation?.turns.at(-1);
      // Without a status, whoever missed a hook may take a turn for one that goes on.
      const isTold = hasStatus || (hasHooks && !mayHooksMislead && last?.isOver === true);
      return (
        isTold && !isAheadOfClock && turn === 'over' && conversation?.isThere === true && last !== undefined
      );
    },
  );
  const isQuiet =
    !now.hasDraft &&
    now.background === 0 &&
    now.waitingFor === null &&
    !now.isBusy &&
    !now.isRead &&
    !now.isWorking;
  const isAlone = now.processes.length === now.agents.length && session.group === null && now.attached === 0;
  const isFree = !session.options.has('@rollcall_held') && !leftBehind(session, machine);
  const declared = kept.facts('home', session.key);
  return (
    [isAgent, isKnown, isQuiet, isAlone, isFree].every(Boolean) &&
    declared?.origin != null &&
    declared.held == null &&
    declared.retained == null
  );
}

function leftBehind(session: SimSession, machine: Scene['machine']): boolean {
  const mark = `${session.server.socketPath},${session.server.pid},`;
  const own = new Set(session.windows.flatMap(({ panes }) => panes.map(({ id }) => id)));
  const inside = new Set(truth(machine, session).processes);
  for (const process of machine.processes.all()) {
    if (inside.has(process) || process.ending !== null) continue;
    if (process.env.TMUX?.startsWith(mark) && own.has(process.env.TMUX_PANE ?? '')) return true;
  }
  return false;
}
