import type { Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import { classify } from '../../../src/core/verdict/classify.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { NOW, POLICY } from '../../support/evidence.ts';

/** A session on the roll, judged by this evidence; its panes are those that the evidence speaks of. */
export function entry(evidence: readonly Evidence[], over: Partial<SessionEntry> = {}): SessionEntry {
  const verdict = classify(evidence, NOW, POLICY);
  const { activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks, agent } = verdict;
  return {
    ...{ activity, waitingFor, lifecycle, since, reasons, blockers, protections, checks, agent, evidence },
    key: 'm.b.7.70.s1.1800000000',
    name: 'worker',
    sessionId: '$1',
    createdAt: 1_800_000_000_000,
    server: { socketPath: '/tmp/tmux-0/default', label: 'default', pid: 7, startTicks: 70, version: '3.3a' },
    role: null,
    task: null,
    owner: null,
    attached: 0,
    memoryBytes: null,
    retainedUntil: verdict.retainedUntil,
    panes: verdict.panes.map(({ paneId }, index) => ({
      ...{ paneId, windowIndex: 0, paneIndex: index, isActive: index === 0, pid: 100 + index },
      ...{ program: null, activity: 'idle' as const, waitingFor: null, title: '', cwd: '/project' },
      isDead: evidence.some((one) => one.kind === 'pane' && one.paneId === paneId && one.isDead),
      exitStatus: null,
      exitSignal: null,
    })),
    ...over,
  };
}

/** A roll with these sessions, from the servers among them that answered. */
export function roll(sessions: readonly SessionEntry[]): Roll {
  const servers = sessions.flatMap(({ server: { version, ...server } }) =>
    version === null ? [] : [{ ...server, version }],
  );
  const host = { machineId: 'm', bootId: 'b', name: 'here' };
  return { host, at: NOW.at, memory: null, sessions, problems: [], servers };
}
