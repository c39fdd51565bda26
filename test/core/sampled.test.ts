import { describe, expect, it } from 'vitest';
import type { Recollection, RememberedPane } from '../../src/core/recollection.ts';
import { sampled } from '../../src/core/sampled.ts';
import type { RememberedInput } from '../../src/core/shell-input.ts';

const input = (turns: string): RememberedInput => ({
  ...{ pid: 9, startTicks: 90, program: 'bash', observedAt: 1, turns, readAt: 1 },
});

function pane(cpuMs: number, over: Partial<RememberedPane> = {}): RememberedPane {
  const processes = [{ pid: 9, startTicks: 90, cpuMs }];
  return {
    ...{ pid: 9, startTicks: 90, isDead: false, processes, observations: 1 },
    ...{ quietSinceAwakeMs: 0, isDisturbed: false, ...over },
  };
}

function memory(panes: Readonly<Record<string, RememberedPane>>): Recollection {
  const verdict = { activity: 'none', lifecycle: 'stale', since: 0 } as const;
  const session = { sessionId: '$1', name: 'one', createdAtSeconds: 1, verdict, panes };
  const server = { socketPath: '/tmp/s', pid: 1, startTicks: 1, sessions: { key: session } };
  const moment = { at: 1, awakeMs: 1, suspendedMs: 0, steppedMs: 0 };
  return { format: 1, bootId: 'b', ...moment, servers: { s: server }, farewells: [] };
}

const panesIn = ({ servers }: Recollection) => servers.s?.sessions.key?.panes;

describe('after a first look that nobody hears', () => {
  it('the second tells what was entered since the look before both, and rates since the first', () => {
    const before = memory({ '%1': pane(1, { input: input('1 1 1') }) });
    const first = memory({ '%1': pane(5, { input: input('2 2 2') }) });
    expect(panesIn(sampled(first, before))).toEqual({ '%1': pane(5, { input: input('1 1 1') }) });
  });

  it.each<[string, RememberedPane | undefined, RememberedPane]>([
    ['a pane that is new', undefined, pane(5, { input: input('2') })],
    ['another program in the pane', pane(1, { pid: 8, input: input('1') }), pane(5, { input: input('2') })],
    ['one that began later', pane(1, { startTicks: 8, input: input('1') }), pane(5, { input: input('2') })],
    ['a shell that is seen first', pane(1), pane(5, { input: input('2') })],
    [
      'a completion that came since',
      pane(1, { input: input('1') }),
      pane(5, { input: input('2'), word: { at: 5 } }),
    ],
    ['an agent that came since', pane(1, { input: input('1') }), pane(5)],
  ])('%s is as the first look has it', (_, before, now) => {
    const first = memory({ '%1': now });
    expect(sampled(first, memory(before ? { '%1': before } : {}))).toEqual(first);
  });

  it('nothing is older where there was no look before', () => {
    const first = memory({ '%1': pane(5, { input: input('2') }) });
    expect(sampled(first, null)).toBe(first);
  });
});
