import { beforeEach, describe, expect, test } from 'vitest';
import type { CheckResult, GateCheck } from '../../../src/core/gate/check.ts';
import { type GateContract, NOTHING_USED } from '../../../src/core/gate/contract.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { StopParts } from '../../../src/engine/gate/parts.ts';
import { stopGate } from '../../../src/engine/gate/stop-gate.ts';
import type { AgentAdapter, AgentGate } from '../../../src/ports/agent.ts';
import type { GateChecks, GateStore, StartedProcess, TreeState } from '../../../src/ports/gate.ts';

const NOW = 1_800_000_000_000;
const COMMAND: GateCheck = { kind: 'command', argv: ['npm', 'test'], cwd: null, timeoutMs: 100_000 };
const APPROVED = { exitCode: 0 };
const SAID = { conversation: 'c', isSubagent: false, isContinued: false, transcript: null };
const server = { pid: 7, startTicks: 70, argv: ['tmux'] };
const pane = { pid: 8, startTicks: 80, argv: ['sh'] };
const agent = { pid: 9, startTicks: 90, argv: ['agent'] };
const hook = { pid: 10, startTicks: 95, argv: ['sh', '/share/rollcall/hook.sh', 'agent', 'Stop'] };
const daemon = { pid: 20, startTicks: 200, argv: ['agent', 'daemon'] };

let contracts: GateContract[];
let recorded: EntryDraft[];
let world: {
  tree: TreeState;
  result: Partial<CheckResult>;
  ran: number[];
  above: StartedProcess[];
  alive: number[];
  elapsedMs: number;
  problem: string | null;
  isAwaited: boolean;
  sender: { tmuxServerPid?: number; paneId?: string };
  onRun: () => void;
};
let gate: AgentGate;

const contract = (id: string, over: Partial<GateContract> = {}): GateContract => ({
  ...{ format: 1, id, task: null, startedAt: NOW - 1000, expiresAt: NOW + 1000, cwd: '/work', project: null },
  checks: [{ check: { kind: 'clean' }, result: null }],
  reinforce: 3,
  owner: {
    session: { key: 'k', name: 'n' },
    server: { pid: 7, startTicks: 70, socketPath: '/s' },
    ...{ paneId: '%1', pane: { pid: 8, startTicks: 80 }, conversation: 'c', stampedAt: 1 },
    agent: { pid: 9, startTicks: 90, kind: 'agent' },
  },
  ...{ phase: 'open', ended: null, enforced: NOTHING_USED, shadowed: NOTHING_USED, stale: null },
  ...over,
});

beforeEach(() => {
  contracts = [contract('00000001')];
  recorded = [];
  world = {
    ...{ tree: { state: 'known', digest: 't', root: '/work', dirtyFiles: 1 }, result: {}, ran: [] },
    ...{
      above: [hook, agent, pane, server],
      alive: [7, 8, 9],
      elapsedMs: 100,
      problem: null,
      isAwaited: true,
    },
    ...{ sender: { tmuxServerPid: 7, paneId: '%1' }, onRun: () => {} },
  };
  gate = {
    ...{ event: 'Stop', hasDaemon: false, cap: () => null, resumes: () => null },
    read: () => SAID,
    block: (reason) => JSON.stringify({ reason }),
    todo: () => ({ state: 'read', open: [] }),
  };
});

function parts(over: Partial<StopParts> = {}): StopParts {
  const adapter: AgentAdapter = {
    ...{ kind: 'agent', gate, recognises: ([word, next]) => word === 'agent' && next === undefined },
    isShared: ([, next]) => next === 'daemon',
  };
  const result = (at: number): CheckResult => ({
    ...{ state: 'unmet', text: 'missing', mark: '1', tree: null, at, ...world.result },
  });
  const checks: GateChecks = {
    tree: async () => world.tree,
    look: async (_, { at }) => result(at),
    run: async ({ timeoutMs }, { at }) => {
      world.ran.push(timeoutMs);
      world.onRun();
      return result(at);
    },
  };
  const store: GateStore = {
    ...{
      problem: world.problem,
      folder: '/gate',
      switch: () => null,
      setSwitch: () => {},
      setMode: () => {},
    },
    contracts: () => ({ contracts, damaged: [] }),
    contract: (id) => contracts.find((one) => one.id === id) ?? null,
    save(changed, before) {
      before?.();
      contracts = contracts.map((one) => (one.id === changed.id ? changed : one));
    },
    modes: () => ({ user: 'enforce', projects: {}, problem: null }),
    ...{ syncOwners: () => {}, passed: () => [], emptyPassed: () => {} },
  };
  return {
    ...{ store, checks, agents: [adapter], env: {}, now: () => NOW, digest: (text: string) => text },
    writer: { hold: async (_, __, work) => ({ state: 'done', value: await work() }) },
    projectOf: async () => null,
    processes: {
      ancestors: () => world.above,
      isAlive: ({ pid }) => world.alive.includes(pid),
      stdinOf: () => 'stream',
      below: ({ pid }) => (pid === 8 ? [agent] : []),
    },
    readStop: () => ({
      agentKind: 'agent',
      event: 'Stop',
      sender: { parentPid: 1, ...world.sender },
      payload: {},
    }),
    later: { add: () => true, take: () => null, isWaiting: () => false, forget: () => {} },
    removeStop: () => {},
    openLedger: async () => ({
      append: (draft) => {
        recorded.push(draft);
        return draft as LedgerEntry;
      },
      read: () => ({ isEmpty: true, entries: [], head: { sequence: 0, hash: '' }, damage: null }),
      facts: () => {
        throw new Error('nobody asks');
      },
      scan: () => {
        throw new Error('nobody asks');
      },
      verify: () => {
        throw new Error('nobody asks');
      },
      repair: () => ({ state: 'intact' }),
      close: () => {},
    }),
    latencyMs: () => 5,
    elapsedMs: () => world.elapsedMs,
    isAwaited: () => world.isAwaited,
    ...over,
  };
}

const quick = (over: Partial<StopParts> = {}) => stopGate(parts(over), { name: 'n', phase: 'quick' });
const run = (over: Partial<StopParts> = {}) => stopGate(parts(over), { name: 'n', phase: 'run' });
const reason = () => recorded.at(-1)?.body?.reason;
const used = () => contracts[0]?.enforced.used;

test('the proven owner with something missing is kept going', async () => {
  expect((await quick()).exitCode).toBe(10);
  expect([used(), reason()]).toEqual([1, 'checks-unmet']);
});

test('where its conversation is written down is kept with the owner', async () => {
  gate = { ...gate, read: () => ({ ...SAID, transcript: '/t' }) };
  await quick();
  expect(contracts[0]?.owner.transcript).toBe('/t');
});

describe('S53: the agent stops, and nothing is counted', () => {
  interface Change {
    readonly gate?: Partial<AgentGate>;
    readonly world?: Partial<typeof world>;
    readonly parts?: Partial<StopParts>;
  }
  test.each<[string, Change]>([
    ['its user has interrupted it', { gate: { isInterrupted: () => true } }],
    ['an answer of two lines', { gate: { block: () => '{\n}' } }],
    ['an answer that is no object', { gate: { block: (text) => text } }],
    ['an answer that only ends like one', { gate: { block: () => 'x}' } }],
    ['nobody waits', { world: { isAwaited: false } }],
    ['the folder is refused', { world: { problem: 'a link' } }],
    ['no event', { parts: { readStop: () => null } }],
    [
      'another writes',
      { parts: { writer: { hold: async () => ({ state: 'failed', text: '', hint: '' }) } } },
    ],
    ['no ledger', { parts: { openLedger: () => Promise.reject(new Error('locked')) } }],
    ['no agent of that kind', { parts: { agents: [] } }],
  ])('%s', async (_, change) => {
    gate = { ...gate, ...change.gate };
    world = { ...world, ...change.world };
    const answer = await quick(change.parts).catch(() => APPROVED);
    expect([answer, used()]).toEqual([APPROVED, 0]);
  });

  test('the contract was ended, or is another’s, while its checks were looked at', async () => {
    contracts = [contract('00000001', { checks: [{ check: COMMAND, result: null }] })];
    const ended: GateContract = { ...contract('00000001'), phase: 'finished', ended: { at: NOW, text: '' } };
    world.onRun = () => {
      contracts = [ended];
    };
    expect(await run()).toEqual(APPROVED);
    expect([reason(), contracts[0]]).toEqual(['ended', ended]);
    contracts = [contract('00000001', { checks: [{ check: COMMAND, result: null }] })];
    world.onRun = () => {
      contracts = contracts.map((one) => ({ ...one, owner: { ...one.owner, conversation: 'other' } }));
    };
    expect(await run()).toEqual(APPROVED);
    expect(reason()).toBe('another-conversation');
    contracts = [contract('00000001', { checks: [{ check: COMMAND, result: null }] })];
    world.onRun = () => {
      contracts = [];
    };
    expect(await run()).toEqual(APPROVED);
    expect(reason()).toBe('no-contract');
  });
});

describe('checks and time', () => {
  const commands = (...timeouts: number[]) =>
    contract('00000001', {
      checks: timeouts.map((timeoutMs) => ({ check: { ...COMMAND, timeoutMs }, result: null })),
    });

  test('time is asked for by what the commands may take, and no more than four minutes', async () => {
    contracts = [commands(10_000, 20_000)];
    expect(await quick()).toEqual({ exitCode: 11, print: '55' });
    contracts = [commands(100_000, 200_000)];
    expect(await quick()).toEqual({ exitCode: 11, print: '240' });
    expect([world.ran, recorded]).toEqual([[], []]);
  });

  test('S53: what there is no time for is not known, and lets the agent stop', async () => {
    contracts = [commands(200_000, 200_000, 1000)];
    world.result = { mark: 'timed-out' };
    world.onRun = () => {
      world.elapsedMs += world.ran.at(-1) ?? 0;
    };
    expect((await run()).exitCode).toBe(10);
    // The first had all its time, the second what was left, the third none.
    expect(world.ran).toEqual([200_000, 34_900]);
    expect(contracts[0]?.checks.map(({ result }) => result?.state)).toEqual(['unmet', 'unknown', 'unknown']);
    contracts = [commands(400_000)];
    world = { ...world, elapsedMs: 0, ran: [] };
    expect([await run(), world.ran]).toEqual([APPROVED, [235_000]]);
    expect([reason(), used()]).toEqual(['out-of-time', 0]);
  });

  test('S53: what the hook may not hear any more is not counted, so that the next stop is kept going', async () => {
    world.elapsedMs = 1501;
    expect([await quick(), reason(), used()]).toEqual([APPROVED, 'out-of-time', 0]);
    world.elapsedMs = 1500;
    expect([(await quick()).exitCode, used()]).toEqual([10, 1]);
    contracts = [commands(10_000)];
    const ranUntil = (elapsedMs: number) => {
      world.elapsedMs = 100;
      world.onRun = () => {
        world.elapsedMs = elapsedMs;
      };
      return run();
    };
    expect([await ranUntil(34_801), reason(), used()]).toEqual([APPROVED, 'out-of-time', 0]);
    expect([(await ranUntil(34_800)).exitCode, used()]).toEqual([10, 1]);
  });

  test('git that does not answer at once is asked with more patience', async () => {
    world.tree = { state: 'unknown', text: 'slow' };
    expect((await quick()).exitCode).toBe(11);
    world.result = { state: 'unknown' };
    expect(await run()).toEqual(APPROVED);
    expect([reason(), used()]).toEqual(['checks-unknown', 0]);
  });

  test('a result holds for its own tree only, and one that is unknown for none', async () => {
    const item = (over: Partial<CheckResult>) => ({
      check: COMMAND,
      result: { state: 'unmet', text: '', at: 1, tree: 't', mark: '1', ...over } as CheckResult,
    });
    for (const [over, exitCode] of [
      [{}, 10],
      [{ tree: 'other' }, 11],
      [{ tree: null }, 11],
      [{ state: 'unknown' }, 11],
    ] as const) {
      contracts = [contract('00000001', { checks: [item(over)] })];
      expect([over, (await quick()).exitCode]).toEqual([over, exitCode]);
    }
    world.tree = { state: 'unknown', text: 'none' };
    contracts = [contract('00000001', { checks: [item({})] })];
    expect((await quick()).exitCode).toBe(11);
  });
});

describe('S53: a daemon that runs the hooks of several panes', () => {
  beforeEach(() => {
    gate = { ...gate, hasDaemon: true };
    // Started from another pane, whose place its hooks carry.
    world.above = [hook, daemon, { pid: 30, startTicks: 300, argv: ['agent'] }, server];
    world.sender = { tmuxServerPid: 7, paneId: '%5' };
    contracts = [
      contract('00000002', { owner: { ...contract('x').owner, paneId: '%5', conversation: 'd' } }),
      contract('00000001'),
    ];
  });
  const usedBy = () => contracts.map(({ id, enforced }) => [id, enforced.used]);

  test('speaks for the owner of the conversation that it names', async () => {
    expect((await quick()).exitCode).toBe(10);
    expect(usedBy()).toEqual([
      ['00000002', 0],
      ['00000001', 1],
    ]);
  });

  test('and for nobody where the owner is gone, and no agent is in its pane', async () => {
    world.alive = [7, 8];
    const nobody = {
      ancestors: () => world.above,
      isAlive: () => false,
      below: () => [],
      stdinOf: () => 'stream' as const,
    };
    expect(await quick({ processes: nobody })).toEqual(APPROVED);
    expect(reason()).toBe('identity-unknown');
    // An agent that was started anew in the pane of the owner.
    expect((await quick()).exitCode).toBe(10);
  });

  test('a run without a screen is nobody’s, whoever has started it and whatever it takes up', async () => {
    gate = { ...gate, isOther: ([, word]) => word === 'exec' };
    const once = { pid: 21, startTicks: 210, argv: ['agent', 'exec'] };
    world.sender = { tmuxServerPid: 7, paneId: '%1' };
    for (const above of [[once], [once, agent, pane, server]]) {
      world.above = above;
      expect(await quick()).toEqual(APPROVED);
      expect(reason()).toBe('identity-unknown');
    }
    expect(usedBy().map(([, used]) => used)).toEqual([0, 0]);
  });

  test('another conversation is nobody’s, although its pane has an owner', async () => {
    gate = {
      ...gate,
      read: () => ({ conversation: 'e', isSubagent: false, isContinued: false, transcript: null }),
    };
    expect(await quick()).toEqual(APPROVED);
    expect([reason(), recorded.at(-1)?.body?.gate]).toEqual(['another-conversation', '00000002']);
    expect(usedBy().map(([, used]) => used)).toEqual([0, 0]);
  });
});
