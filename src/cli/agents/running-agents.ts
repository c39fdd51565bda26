import type { AgentsFound } from '../../contract/agents-document.ts';
import { SIGN_SOURCES } from '../../core/agent/sign.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { AgentEvidence } from '../../core/verdict/evidence.ts';

/** An agent that runs in a pane, and what can be heard of it. Its sources are those that told something at this look. */
export type RunningAgent = AgentsFound['running'][number];

/** Every agent of a roll, by session. Those that only their process tells of have no sources. */
export function runningAgents(roll: Roll): RunningAgent[] {
  return roll.sessions.flatMap((entry) => {
    const heard = entry.evidence.flatMap((piece) =>
      piece.kind === 'agent' ? [heardAgent(entry, piece)] : [],
    );
    return [...heard, ...unheardAgents(entry, new Set(heard.map((agent) => agent.paneId)))];
  });
}

function heardAgent(entry: SessionEntry, agent: AgentEvidence): RunningAgent {
  const signs = entry.evidence.flatMap((piece) =>
    piece.kind === 'agent-sign' && piece.agentPid === agent.agentPid ? [piece] : [],
  );
  return {
    ...placeOf(entry, agent.paneId),
    kind: agent.agentKind,
    pid: agent.agentPid,
    version: agent.agentVersion ?? null,
    conversation: agent.conversation ?? null,
    sources: SIGN_SOURCES.filter((source) => signs.some((sign) => sign.source === source)),
    isVerified: signs.length === 0 ? null : signs.every((sign) => sign.isVerified),
    gaps: agent.gaps,
  };
}

function unheardAgents(entry: SessionEntry, heard: ReadonlySet<string>): RunningAgent[] {
  return entry.evidence.flatMap((piece) => {
    if (piece.kind !== 'processes' || heard.has(piece.paneId)) return [];
    const note = piece.processes.find((one) => one.role === 'agent' && one.relation !== 'outside');
    if (note?.agentKind === undefined) return [];
    const { agentKind: kind, pid } = note;
    return {
      ...placeOf(entry, piece.paneId),
      kind,
      pid,
      version: null,
      conversation: null,
      sources: [],
      isVerified: null,
      gaps: [{ code: 'process-only', text: `rollcall knows ${kind} by its process only` }],
    };
  });
}

function placeOf(entry: SessionEntry, paneId: string) {
  const activity = entry.panes.find((pane) => pane.paneId === paneId)?.activity ?? entry.activity;
  return { key: entry.key, session: entry.name, server: entry.server.label, paneId, activity };
}
