import { processKey } from '../sight/identity.ts';
import type { Process } from '../sight/process.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { ProcessFacts } from './facts.ts';
import type { ProcessClass } from './finding.ts';
import type { Stranger } from './process-scene.ts';
import { type RecordedSessions, recordedIn } from './recorded.ts';

/** Everything that lives and that a process may belong to, indexed once per run. */
export interface KnownProcesses {
  readonly recorded: RecordedSessions;
  /** Sessions on the roll, by key. */
  readonly byKey: ReadonlyMap<string, SessionEntry>;
  /** Sessions that tmux showed, by server pid and `$id`, and by server pid and pane id. */
  readonly byPlace: ReadonlyMap<string, SessionEntry>;
  /** The conversations that agents in live panes hold. */
  readonly byConversation: ReadonlyMap<string, SessionEntry>;
  /** The session that has a process, by pid and start mark. */
  readonly byProcess: ReadonlyMap<string, SessionEntry>;
  /** Servers that answered: pid to start mark. */
  readonly answered: ReadonlyMap<number, number>;
  readonly strangers: ReadonlyMap<number, Stranger>;
  /** The kinds of agents that run in live panes. */
  readonly kinds: ReadonlySet<string>;
  /** Its parent, the parent of that, and so on. */
  above(process: Process): readonly Process[];
}

/** The key of a session or pane on a server. */
export function placeKey(serverPid: number, id: string): string {
  return `${serverPid} ${id}`;
}

export function aroundIn(facts: ProcessFacts): KnownProcesses {
  const byKey = new Map<string, SessionEntry>();
  const byPlace = new Map<string, SessionEntry>();
  const byConversation = new Map<string, SessionEntry>();
  const byProcess = new Map<string, SessionEntry>();
  const kinds = new Set<string>();
  for (const entry of facts.roll.sessions) {
    byKey.set(entry.key, entry);
    if (entry.panes.length === 0) continue;
    const { pid } = entry.server;
    byPlace.set(placeKey(pid, entry.sessionId), entry);
    for (const { paneId } of entry.panes) byPlace.set(placeKey(pid, paneId), entry);
    for (const piece of entry.evidence) {
      if (piece.kind === 'agent' && piece.conversation !== undefined) {
        byConversation.set(piece.conversation, entry);
      }
      if (piece.kind !== 'processes') continue;
      for (const note of piece.processes) {
        byProcess.set(processKey(note), entry);
        if (note.agentKind !== undefined) kinds.add(note.agentKind);
      }
    }
  }
  return {
    ...{ byKey, byPlace, byConversation, byProcess, kinds },
    recorded: recordedIn(facts),
    answered: new Map(
      facts.roll.servers.flatMap(({ pid, startTicks }) =>
        pid === undefined || startTicks === undefined ? [] : [[pid, startTicks] as const],
      ),
    ),
    strangers: new Map(facts.processes.strangers.map((stranger) => [stranger.process.pid, stranger])),
    above: (process) => above(process, facts.table.byPid),
  };
}

// A table that was read while processes came and went may hold a ring.
function above(process: Process, byPid: ReadonlyMap<number, Process>): Process[] {
  const found: Process[] = [];
  const seen = new Set([process.pid]);
  for (let at = byPid.get(process.ppid); at && !seen.has(at.pid); at = byPid.get(at.ppid)) {
    seen.add(at.pid);
    found.push(at);
  }
  return found;
}

/** Whose a process is, and what says so. */
export interface Attribution {
  readonly class: ProcessClass;
  /** Why, in one sentence. */
  readonly text: string;
  readonly evidence: readonly string[];
  /** The session it belongs or belonged to, where that is known. */
  readonly session: { readonly key: string; readonly name: string } | null;
}

/** One way to tell whose a process is; null where it has no word on it. */
export type AttributionRule = (
  stranger: Stranger,
  facts: ProcessFacts,
  around: KnownProcesses,
) => Attribution | null;

/** A word on a process without a session of its own. */
export function word(of: ProcessClass, text: string, evidence: readonly string[] = []): Attribution {
  return { class: of, text, evidence, session: null };
}

/** It belongs to a session that lives. */
export function living(
  { key, name }: { readonly key: string; readonly name: string },
  how: string,
): Attribution {
  const text = `it belongs to session '${name}', which lives`;
  return { class: 'belongs-to-a-live-session', text, evidence: [how], session: { key, name } };
}
