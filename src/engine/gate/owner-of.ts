import type { GateOwner } from '../../core/gate/contract.ts';
import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import type { AgentEvidence, ProcessNote } from '../../core/verdict/evidence.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import { notesIn, pieceOf } from '../act/spoken-panes.ts';
import { type Trouble, trouble } from '../act/trouble.ts';

/** An agent in one pane, as the look saw it. */
interface Seen {
  readonly pane: PaneEntry;
  readonly note: ProcessNote;
  readonly evidence: AgentEvidence | null;
}

/** Stamps the agent of a session, or of one pane of it, as the owner; or says why nobody can be. */
export function ownerOf(
  entry: SessionEntry,
  paneId: string | null,
  agents: readonly AgentAdapter[],
  at: number,
): { readonly owner: GateOwner; readonly pane: PaneEntry } | Trouble {
  const where = paneId === null ? `session '${visible(entry.name)}'` : `pane ${visible(paneId, 40)}`;
  if (paneId !== null && !entry.panes.some((pane) => pane.paneId === paneId)) {
    return trouble('not-found', `session '${visible(entry.name)}' has no ${where}`);
  }
  const seen = agentsIn(entry).filter(({ pane }) => paneId === null || pane.paneId === paneId);
  const [agent, ...others] = seen;
  if (agent === undefined) {
    return trouble('refused', `there is no agent in ${where}`, {
      hint: 'start one there first; rollcall agents lists those that are known',
    });
  }
  if (others.length > 0) {
    return trouble('ambiguous', `there are ${seen.length} agents in ${where}`, {
      hint: 'name the pane with --pane',
      details: seen.map(({ pane, note }) => `${pane.paneId}: ${note.agentKind}`),
    });
  }
  return stamp(entry, agent, agents, at);
}

function stamp(
  entry: SessionEntry,
  { pane, note, evidence }: Seen,
  agents: readonly AgentAdapter[],
  at: number,
): { readonly owner: GateOwner; readonly pane: PaneEntry } | Trouble {
  const kind = note.agentKind ?? '';
  if (agents.find((one) => one.kind === kind)?.gate === undefined) {
    return trouble('refused', `${visible(kind, 60)} cannot be kept going`, {
      hint: 'the gate works with agents that ask it when they stop',
    });
  }
  const conversation = evidence?.conversation ?? '';
  if (conversation === '') {
    const text = `the conversation of the ${visible(kind, 60)} in ${pane.paneId} is not known yet`;
    return trouble('refused', text, { hint: 'give it a prompt first, then try again' });
  }
  const { socketPath, pid, startTicks } = entry.server;
  const root = notesIn(entry.evidence, pane.paneId).find((one) => one.pid === pane.pid);
  if (startTicks <= 0 || root === undefined) {
    return trouble('failed', `what runs in ${pane.paneId} cannot be told from what may run there later`);
  }
  return {
    pane,
    owner: {
      session: { key: entry.key, name: entry.name },
      server: { socketPath, pid, startTicks },
      paneId: pane.paneId,
      pane: { pid: root.pid, startTicks: root.startTicks },
      agent: { pid: note.pid, startTicks: note.startTicks, kind },
      conversation,
      ...(evidence?.transcript?.startsWith('/') && { transcript: evidence.transcript }),
      stampedAt: at,
    },
  };
}

function agentsIn(entry: SessionEntry): Seen[] {
  return entry.panes.flatMap((pane) => {
    if (pane.isDead) return [];
    const evidence = pieceOf('agent', entry.evidence, pane.paneId) ?? null;
    const notes = notesIn(entry.evidence, pane.paneId);
    const note =
      notes.find(({ pid }) => pid === evidence?.agentPid) ??
      notes.find(({ role, relation }) => role === 'agent' && relation !== 'outside');
    return note === undefined ? [] : [{ pane, note, evidence }];
  });
}
