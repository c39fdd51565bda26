import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { spokenPanesIn } from '../../../src/core/memory/spoken-pane.ts';

const INPUT = { pid: 1, startTicks: 2, program: 'bash', observedAt: 4, turns: '2 7', readAt: 3 };
const LEAST = { paneId: '%1', at: 5, pid: 1, startTicks: 2, agents: [] };
const WHOLE = {
  ...LEAST,
  agents: [{ pid: 3, startTicks: 4 }],
  conversation: 'c-1',
  isAtRest: true,
  input: INPUT,
};
const without = (whole: JsonObject, field: string) => ({ ...whole, [field]: null });

it('reads back whom a completion speaks for', () => {
  expect(spokenPanesIn([WHOLE, LEAST])).toEqual([WHOLE, LEAST]);
});

it('an earlier version did not say it', () => {
  expect(spokenPanesIn(undefined)).toBeUndefined();
});

it.each(['paneId', 'at', 'pid', 'startTicks'])(
  'what is not understood speaks for nothing: no %s',
  (field) => {
    expect(spokenPanesIn([without(WHOLE, field), LEAST])).toEqual([LEAST]);
  },
);

it.each(['pid', 'startTicks', 'program', 'observedAt', 'turns', 'readAt'])(
  'how a shell was used is told as a whole or not: no %s',
  (field) => {
    const { input: _, ...others } = WHOLE;
    expect(spokenPanesIn([{ ...WHOLE, input: without(INPUT, field) }])).toEqual([others]);
  },
);

it('nor does garbage speak for anything', () => {
  expect([spokenPanesIn('all'), spokenPanesIn(['%1', null])]).toEqual([[], []]);
  expect(spokenPanesIn([{ ...LEAST, agents: ['claude', { pid: 3 }] }])).toEqual([LEAST]);
});
