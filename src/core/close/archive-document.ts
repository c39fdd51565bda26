import type { GitEvidence } from '../evidence.ts';
import type { Claims } from '../ledger/current-facts.ts';
import type { JsonObject } from '../ledger/json.ts';
import { plain } from '../ledger/json-values.ts';
import type { SessionEntry } from '../roll.ts';
import type { WindowLayout } from '../window.ts';
import type { ClosingPane } from './closing-pane.ts';
import { keptEnvironment } from './environment.ts';

/** A process as it was started. */
export interface StartedAs {
  readonly argv: readonly string[];
  readonly cwd?: string;
}

/** What is kept of a session beside what the look saw of it. */
export interface ArchiveParts {
  readonly id: string;
  readonly at: number;
  readonly entry: SessionEntry;
  readonly panes: readonly ClosingPane[];
  readonly windows: readonly WindowLayout[];
  readonly startedAs: ReadonlyMap<number, StartedAs>;
  /** Environments of the agents, by pid. */
  readonly environments: ReadonlyMap<number, Readonly<Record<string, string>>>;
  /** Panes whose history was longer than what is kept. */
  readonly cut: ReadonlySet<string>;
  readonly claims: Claims | null;
}

/** Everything that is kept of a session but what its panes show, as one document. */
export function archiveDocument(parts: ArchiveParts): JsonObject {
  const { id, at, entry, claims } = parts;
  const { key, name, sessionId, createdAt, server, agent, evidence } = entry;
  const { activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks } = entry;
  return plain({
    version: 1,
    ...{ id, at },
    session: { key, name, sessionId, createdAt, server },
    ...{ agent, claims },
    windows: parts.windows,
    panes: entry.panes.map((pane) => ({ ...pane, ...paneParts(pane.paneId, parts) })),
    git: evidence.filter((piece): piece is GitEvidence => piece.kind === 'git').map(({ facts }) => facts),
    verdict: { activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks },
    evidence,
  });
}

function paneParts(paneId: string, { panes, startedAs, environments, cut }: ArchiveParts): object {
  const pane = panes.find((one) => one.paneId === paneId);
  const agent = pane?.agent ?? null;
  const told = pane?.told ?? null;
  const { cwd } = (agent && startedAs.get(agent.pid)) ?? {};
  // What launched it was started by somebody; the agent itself may have been started anew, with options of its own.
  const started = agent && (pane?.launchers[0] ?? agent);
  const { argv = null } = (started && startedAs.get(started.pid)) ?? {};
  const env = environments.get(agent?.pid ?? -1) ?? {};
  return {
    isHistoryCut: cut.has(paneId),
    processes: pane?.processes.map((note) => ({ ...note, ...startedAs.get(note.pid) })) ?? [],
    agent: agent && {
      kind: agent.agentKind,
      version: told?.agentVersion,
      conversation: told?.conversation,
      transcript: told?.transcript,
      resume: told?.resume,
      ...{ argv, cwd, path: env.PATH },
      env: keptEnvironment(env),
    },
  };
}
