import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { createNewborns } from '../../../src/adapters/daemon/newborns.ts';
import { createPulse } from '../../../src/adapters/daemon/pulse.ts';
import { isRunning } from '../../../src/adapters/programs/end-group.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { entry, pane } from '../../cli/render/samples.ts';
import { until } from '../../support/until.ts';
import { roundOf } from './daemon-samples.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
const start = (): ChildProcess & { pid: number } => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  return child as ChildProcess & { pid: number };
};

test('the death of a pane’s program, of an agent and of a server each wake, and only once', async () => {
  const [program, agent, server] = [start(), start(), start()];
  const woken: Wake[] = [];
  const pulse = createPulse({ everyMs: 10, newborns: createNewborns({ children: () => [] }) });
  pulse.start((why) => woken.push(why));
  const alive = roundOf({
    servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid: server.pid }],
    sessions: [
      entry('a', {
        panes: [pane({ pid: program.pid }), pane({ pid: 0 }), pane({ pid: 4_194_303, isDead: true })],
        agent: { kind: 'claude', version: null, conversation: null, pid: agent.pid },
      }),
      entry('b', { agent: null }),
    ],
  });
  try {
    await pulse.follow(alive);
    for (const [count, victim] of [program, agent, server].entries()) {
      victim.kill('SIGKILL');
      await until('it is felt', () => woken.length > count);
    }
    // The same dead again: nothing new.
    await pulse.follow(alive);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(woken).toEqual(['death', 'death', 'death']);
    await pulse.follow(roundOf());
  } finally {
    await pulse.stop();
  }
});

test('a process of another user is there', () => {
  expect(isRunning(1)).toBe(true);
  expect(isRunning(4_194_303)).toBe(false);
});

const served = (pid: number) =>
  roundOf({
    servers: [{ socketPath: '/s', label: 's', version: '3.3a', pid }],
    sessions: [entry('a', { panes: [pane({ pid: 70 })], agent: null })],
  });

/** A pulse on a clock that the test turns; each beat tells which processes were asked. */
interface Room {
  turns(): string | null;
  tookMs?(): number;
  costMs?(): number;
  isHeard?(): boolean;
  /** What it costs to ask a server for its turns. */
  turnsCostMs?: number;
}

function room(options: Room) {
  vi.useFakeTimers();
  let nowMs = 0;
  let spentMs = 0;
  let counted = 0;
  const asked: number[] = [];
  const pulse = createPulse({
    newborns: createNewborns({ children: () => [] }),
    ...(options.isHeard && { isHeard: options.isHeard }),
    turns() {
      counted += 1;
      spentMs += options.turnsCostMs ?? 0;
      return options.turns();
    },
    elapsedMs: () => nowMs,
    cpuMs: () => spentMs,
    isAlive: (pid) => {
      asked.push(pid);
      nowMs += options.tookMs?.() ?? 0;
      spentMs += options.costMs?.() ?? 0;
      return true;
    },
  });
  pulse.start(() => {});
  pulse.follow(served(60));
  return {
    pulse,
    /** How often servers were asked for their turns. */
    counted: () => counted,
    async beats(count: number) {
      asked.length = 0;
      for (let beat = 0; beat < count; beat += 1) {
        nowMs += 500;
        await vi.advanceTimersByTimeAsync(500);
      }
      return asked.filter((pid) => pid === 70).length;
    },
  };
}

afterEach(() => {
  vi.useRealTimers();
});

test('while a server sleeps its programs are left alone, and asked now and then all the same', async () => {
  let turns = '1';
  const { pulse, beats } = room({ turns: () => turns });
  expect(await beats(1)).toBe(1);
  expect(await beats(9)).toBe(0);
  expect(await beats(1)).toBe(1);
  expect(await beats(1)).toBe(0);
  turns = '2';
  expect(await beats(1)).toBe(1);
  expect(await beats(1)).toBe(0);
  await pulse.stop();
});

test('where nothing tells whether a server sleeps, its programs are asked at every beat', async () => {
  const { pulse, beats } = room({ turns: () => null });
  expect(await beats(5)).toBe(5);
  await pulse.stop();
});

test('where the end of every pane is heard it comes half as often, and at once as before where it is not', async () => {
  let isHeard = true;
  const { pulse, beats } = room({ turns: () => null, isHeard: () => isHeard });
  expect(await beats(8)).toBe(4);
  isHeard = false;
  expect(await beats(6)).toBe(5);
  await pulse.stop();
});

test('where asking is dear it comes less often, and nothing that moved meanwhile is forgotten', async () => {
  let turns = 0;
  const { pulse, beats } = room({ turns: () => `${turns}`, costMs: () => 2 });
  await beats(1);
  // Two milliseconds for each of two processes, at two thousandths of a core: one asking in two seconds.
  const busy = async () => {
    turns += 1;
    return beats(1);
  };
  expect([await busy(), await busy(), await busy()]).toEqual([0, 0, 0]);
  expect(await beats(1)).toBe(1);
  await pulse.stop();
});

test('where servers are dear to ask they rest too, and deaths are felt in time all the same', async () => {
  let turns = 0;
  // As of 400 servers: at every beat that were nine times the share.
  const { pulse, beats, counted } = room({ turns: () => `${turns}`, turnsCostMs: 9 });
  expect(await beats(1)).toBe(1);
  expect([await beats(8), counted()]).toEqual([0, 1]);
  // At the first beat after the rest nothing has moved; the next rest is no reason to feel later than after five seconds.
  expect([await beats(1), counted()]).toEqual([0, 2]);
  expect([await beats(1), counted()]).toEqual([1, 3]);
  turns += 1;
  expect([await beats(8), counted()]).toEqual([0, 3]);
  expect([await beats(1), counted()]).toEqual([1, 4]);
  await pulse.stop();
});

test('what others take of the processor meanwhile is no reason to ask less often', async () => {
  const { pulse, beats } = room({ turns: () => null, tookMs: () => 200 });
  expect(await beats(5)).toBe(5);
  await pulse.stop();
});

test('however dear asking is, it comes as often as for a server that sleeps', async () => {
  const { pulse, beats } = room({ turns: () => null, costMs: () => 1000 });
  expect(await beats(1)).toBe(1);
  expect(await beats(9)).toBe(0);
  expect(await beats(1)).toBe(1);
  await pulse.stop();
});

test('programs that work in silence are watched too, since no round comes soon to see them return', async () => {
  const child = start();
  const woken: Wake[] = [];
  const pulse = createPulse({ everyMs: 10, newborns: createNewborns({ children: () => [] }) });
  pulse.start((why) => woken.push(why));
  const about = { source: 'process', observedAt: 0, paneId: '%1' };
  const evidence = [
    { ...about, kind: 'processes', processes: [{ pid: child.pid }] },
    { ...about, kind: 'history', observations: 3, quietMs: 20_000 },
  ] as unknown as Evidence[];
  const session = entry('a', { activity: 'working', agent: null, panes: [], evidence });
  try {
    await pulse.follow(roundOf({ servers: [], sessions: [session] }));
    child.kill('SIGKILL');
    await until('it is felt', () => woken.includes('death'));
  } finally {
    await pulse.stop();
  }
});
