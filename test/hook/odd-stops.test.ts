import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readPayload } from '../../src/adapters/spool/read-event.ts';
import { allAgents } from '../../src/compose/look/agents.ts';
import { type GateContract, NOTHING_USED } from '../../src/core/gate/contract.ts';
import type { EntryDraft } from '../../src/core/ledger/entry.ts';
import type { StopParts } from '../../src/engine/gate/parts.ts';
import { stopGate } from '../../src/engine/gate/stop-gate.ts';
import type { StopEvent } from '../../src/ports/gate.ts';
import { ODD_AGENTS, type OddAgent, oddPayloads, TRUE_PAYLOADS } from './odd-payloads.ts';

const NOW = Date.UTC(2026, 10, 15, 8);
const OWN = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f';
const SERVER = { pid: 77, startTicks: 7, argv: ['tmux'] };
const AGENT = { pid: 99, startTicks: 9, argv: ['claude'] };
const HOOK = { pid: 100, startTicks: 10, argv: ['sh', '/share/rollcall/hook.sh', 'claude', 'Stop'] };
const SENDER = { parentPid: 99, tmuxServerPid: 77, tmuxSocket: '/tmp/t', paneId: '%3' };

const CONTRACT: GateContract = {
  format: 1,
  id: '0badcafe',
  task: 'be odd',
  startedAt: NOW - 1000,
  expiresAt: NOW + 3_600_000,
  cwd: '/',
  project: null,
  checks: [{ check: { kind: 'clean' }, result: null }],
  reinforce: 3,
  owner: {
    session: { key: 'k', name: 'owner' },
    server: { ...SERVER, socketPath: '/tmp/t' },
    ...{ paneId: '%3', pane: AGENT, agent: { ...AGENT, kind: 'claude' }, conversation: OWN, stampedAt: NOW },
  },
  phase: 'open',
  ended: null,
  enforced: NOTHING_USED,
  shadowed: NOTHING_USED,
  stale: null,
};

/** The real decision, in the very pane and below the very process of the owner: only the payload is odd. */
function sceneOf() {
  const scene = {
    contract: CONTRACT,
    event: null as StopEvent | null,
    removed: 0,
    reasons: new Map<string, number>(),
    parts: null as unknown as StopParts,
  };
  const note = ({ action, body }: EntryDraft) => {
    if (action !== 'gate-stop') return;
    const reason = String((body as { reason?: unknown }).reason);
    scene.reasons.set(reason, (scene.reasons.get(reason) ?? 0) + 1);
  };
  scene.parts = {
    agents: allAgents(),
    env: {},
    now: () => NOW,
    projectOf: async () => null,
    store: {
      problem: null,
      contracts: () => ({ contracts: [scene.contract], damaged: [] }),
      contract: () => scene.contract,
      save: (contract: GateContract, before?: () => void) => {
        before?.();
        scene.contract = contract;
      },
      modes: () => ({ user: 'enforce', projects: {}, problem: null }),
      switch: () => null,
      passed: () => [],
      emptyPassed: () => {},
      syncOwners: () => {},
    },
    checks: {
      tree: async () => ({ state: 'known', digest: 'd', root: '/', dirtyFiles: 1 }),
      look: async () => ({
        state: 'unmet',
        text: 'one file is not committed',
        at: NOW,
        tree: 'd',
        mark: '1',
      }),
    },
    writer: {
      hold: async (_claim: unknown, _ms: number, work: () => Promise<unknown>) => ({
        state: 'done',
        value: await work(),
      }),
    },
    processes: {
      ancestors: () => [HOOK, AGENT, SERVER],
      ...{ isAlive: () => true, below: () => [AGENT], stdinOf: () => 'stream' },
    },
    digest: (text: string) => createHash('sha256').update(text).digest('hex'),
    readStop: () => scene.event,
    later: { add: () => true, take: () => null, isWaiting: () => false, forget: () => {} },
    removeStop: () => {
      scene.removed += 1;
    },
    openLedger: async () => ({ append: note, close: () => {} }),
    latencyMs: () => 1,
    elapsedMs: () => 1,
    isAwaited: () => true,
  } as unknown as StopParts;
  return scene;
}

const EVENTS: Readonly<Record<OddAgent, string>> = {
  claude: 'Stop',
  codex: 'Stop',
  gemini: 'AfterAgent',
  opencode: 'session.idle',
};

it('S53, S57: 10,000 odd payloads in the owner’s own pane: never a block, never a crash, nothing counted', async () => {
  const scene = sceneOf();
  const answer = async (agentKind: OddAgent, bytes: Buffer) => {
    const { payload, isWhole } = readPayload(bytes, false);
    scene.event = { agentKind, event: EVENTS[agentKind], sender: SENDER, payload: isWhole ? payload : null };
    return stopGate(scene.parts, { name: '1', phase: 'quick' });
  };
  let count = 0;
  for (const { agent, kind, bytes } of oddPayloads(10_000, { seed: 3 })) {
    count += 1;
    // Also as what the owner itself would send.
    const sender = count % 2 === 0 ? 'claude' : agent;
    expect(await answer(sender, bytes), kind).toEqual({ exitCode: 0 });
  }
  expect(scene.contract).toBe(CONTRACT);
  expect(scene.removed).toBe(0);
  expect([...scene.reasons.values()].reduce((sum, one) => sum + one, 0)).toBe(10_000);
  expect([...scene.reasons.keys()]).toEqual(
    expect.arrayContaining(['payload-unreadable', 'identity-unknown', 'subagent', 'another-conversation']),
  );
  // The gate that was asked is one that blocks: its owner's own stop, and nobody else's.
  for (const agent of ODD_AGENTS) {
    expect(await answer(agent, Buffer.from(JSON.stringify(TRUE_PAYLOADS[agent])))).toEqual({ exitCode: 0 });
  }
  const own = JSON.stringify({ ...TRUE_PAYLOADS.claude, session_id: OWN });
  expect(await answer('claude', Buffer.from(own))).toMatchObject({ exitCode: 10 });
  expect(scene.contract.enforced.used).toBe(1);
});
