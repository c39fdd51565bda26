import type { HostIdentity } from '../core/sight/identity.ts';
import type { PaneEntry, Problem, Roll, SessionEntry } from '../core/sight/roll.ts';
import type { Evidence } from '../core/verdict/evidence.ts';
import type { Recorded } from '../schema/recorded.ts';
import type { ActedDocument } from './acted-schema.ts';
import { toDocument } from './document.ts';
import type { AgentsDocument, ExplainDocument, ProblemObject, RollDocument } from './document-schemas.ts';
import type { PaneObject, SessionObject } from './session-schema.ts';

/** The roll as `rollcall --json` prints it. This file and what it imports load no schema library. */
export function toRollDocument(roll: Roll): RollDocument {
  return toDocument({
    host: toHostObject(roll.host),
    at: roll.at,
    memory: roll.memory,
    servers: roll.servers.map(({ socketPath, label, version }) => ({ socketPath, label, version })),
    sessions: roll.sessions.map((entry) => sessionObject(entry, roll.host)),
    problems: roll.problems.map(problemObject),
  });
}

/** One session with the evidence it was judged by, as `rollcall explain --json` prints it. */
export function toExplainDocument(roll: Roll, entry: SessionEntry): ExplainDocument {
  return toDocument({
    host: toHostObject(roll.host),
    at: roll.at,
    session: {
      ...sessionObject(entry, roll.host),
      evidence: entry.evidence.map((piece) => ({ ...piece })),
    },
    problems: roll.problems.map(problemObject),
  });
}

/** The roll that a document tells of. What documents leave out is not known of its sessions: their evidence, and start marks. */
export function rollIn({ host, at, memory, servers, sessions, problems }: RollDocument): Roll {
  return {
    host: { machineId: host.id, bootId: host.bootId, name: host.name },
    ...{ at, memory, servers },
    sessions: sessions.map((session) => entryIn(session, [])),
    problems: problems.map(problemIn),
  };
}

/** The session of an explanation, on a roll of its own. */
export function explainedIn({ session: { evidence, ...session }, ...document }: ExplainDocument): {
  readonly roll: Roll;
  readonly entry: SessionEntry;
} {
  const roll = rollIn({ ...document, memory: null, servers: [], sessions: [] });
  return { roll, entry: entryIn(session, evidence as unknown as readonly Evidence[]) };
}

function entryIn(
  { host: _, ended, receipt, ...session }: SessionObject,
  evidence: readonly Evidence[],
): SessionEntry {
  return {
    ...session,
    server: { ...session.server, startTicks: 0 },
    evidence,
    ...(ended !== null && { ended }),
    ...(receipt !== null && { receipt }),
  };
}

function problemIn({ code, text, hint, socketPath }: ProblemObject): Problem {
  return { code, text, ...(hint !== null && { hint }), ...(socketPath !== null && { socketPath }) };
}

/** One session, for documents that hold a single one; its evidence is left out. */
export function toSessionObject(entry: SessionEntry, host: HostIdentity): SessionObject {
  const { schemaVersion: _, ...session } = toDocument(sessionObject(entry, host));
  return session;
}

function sessionObject(entry: SessionEntry, host: HostIdentity): SessionObject {
  const { socketPath, label, pid, version } = entry.server;
  return {
    key: entry.key,
    name: entry.name,
    sessionId: entry.sessionId,
    server: { socketPath, label, pid, version },
    host: host.machineId,
    createdAt: entry.createdAt,
    agent: entry.agent === null ? null : agentObject(entry.agent),
    activity: entry.activity,
    waitingFor: entry.waitingFor,
    lifecycle: entry.lifecycle,
    since: entry.since,
    reasons: entry.reasons.map(({ code, source, observedAt, text }) => ({ code, source, observedAt, text })),
    blockers: entry.blockers.map(({ code, kind, text }) => ({ code, kind, text })),
    protections: entry.protections.map(({ code, text }) => ({ code, text })),
    checks: entry.checks.map(({ code, kind, state, text }) => ({ code, kind, state, text })),
    role: entry.role,
    task: entry.task,
    owner: entry.owner,
    attached: entry.attached,
    memoryBytes: entry.memoryBytes,
    retainedUntil: entry.retainedUntil,
    panes: entry.panes.map(paneObject),
    ended: entry.ended === undefined ? null : endedObject(entry.ended),
    receipt: entry.receipt ?? null,
  };
}

function endedObject(end: NonNullable<SessionEntry['ended']>): NonNullable<SessionObject['ended']> {
  const { exitStatus, exitSignal, endedAt, lines } = end;
  return { exitStatus, exitSignal, endedAt, lines: [...lines] };
}

// Field by field: what the core adds for itself becomes part of the contract only on purpose.
function paneObject(pane: PaneEntry): PaneObject {
  return {
    paneId: pane.paneId,
    windowIndex: pane.windowIndex,
    paneIndex: pane.paneIndex,
    isActive: pane.isActive,
    pid: pane.pid,
    program: pane.program,
    activity: pane.activity,
    waitingFor: pane.waitingFor,
    title: pane.title,
    cwd: pane.cwd,
    isDead: pane.isDead,
    exitStatus: pane.exitStatus,
    exitSignal: pane.exitSignal,
  };
}

function agentObject(agent: NonNullable<SessionEntry['agent']>): NonNullable<SessionObject['agent']> {
  return { kind: agent.kind, version: agent.version, conversation: agent.conversation, pid: agent.pid };
}

export function problemObject(problem: Problem): ProblemObject {
  return {
    code: problem.code,
    text: problem.text,
    hint: problem.hint ?? null,
    socketPath: problem.socketPath ?? null,
  };
}

export function toHostObject(host: HostIdentity): RollDocument['host'] {
  return { id: host.machineId, bootId: host.bootId, name: host.name };
}

/** A session to which something was done, as the commands that act print it. */
export function toActedDocument(
  result: ActedDocument['result'],
  entry: SessionEntry,
  host: HostIdentity,
  note?: string,
): ActedDocument {
  return toDocument({ result, ...(note !== undefined && { note }), ...toSessionObject(entry, host) });
}

/** What `rollcall agents` knows; the shapes are those of the surface and of the port. */
export interface AgentsFound {
  readonly installed: Recorded<AgentsDocument['installed']>;
  readonly running: Recorded<AgentsDocument['running']>;
  readonly problems: readonly Problem[];
}

/** Installed and running agents as `rollcall agents --json` prints them. */
export function toAgentsDocument({ installed, running, problems }: AgentsFound): AgentsDocument {
  return toDocument({
    installed,
    running: running.map((agent) => ({
      ...agent,
      gaps: agent.gaps.map(({ code, text }) => ({ code, text })),
    })),
    problems: problems.map(problemObject),
  });
}
