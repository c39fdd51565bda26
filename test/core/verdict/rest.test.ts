import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { restMs } from '../../../src/core/verdict/rest.ts';
import {
  clock,
  DAY,
  HOUR,
  history,
  MINUTE,
  NOW,
  onPane,
  pane,
  processes,
  shell,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { factsOf } from '../judged.ts';

const rest = (evidence: Evidence[]) => restMs(factsOf(evidence));
const base: Evidence[] = [pane(), processes([shell()]), clock()];
const { lastOutputAt: _, ...unstamped } = pane();

describe('rest', () => {
  it.each<[string, number, Evidence[]]>([
    ['is the age of the last output', HOUR, base],
    ['is none of no pane', 0, []],
    ['is none of a pane that tmux does not speak of', 0, [history(), clock()]],
    ['is none where the output has no time', 0, withPieces(base, unstamped)],
    ['is none where the clock is unknown', 0, without(base, 'clock')],
    [
      'is none where the last output is in the future',
      0,
      withPieces(base, pane({ lastOutputAt: NOW.at + HOUR })),
    ],
    ['needs no processes', HOUR, without(base, 'processes')],
    [
      'is that of the least rested pane',
      MINUTE,
      [...base, ...onPane('%2', [pane({ lastOutputAt: NOW.at - MINUTE })])],
    ],
    [
      'is no longer than the program is old',
      MINUTE,
      withPieces(base, processes([shell({ startedAt: NOW.at - MINUTE })])),
    ],
    [
      'S24: starts anew with a disturbance',
      MINUTE,
      [...base, history({ quietMs: MINUTE, disturbedMs: MINUTE })],
    ],
    [
      'S24: is not stretched by quiet looks beyond a disturbance',
      MINUTE,
      [...base, history({ disturbedMs: MINUTE })],
    ],
    ['S26: is cut by suspend', 0, withPieces(base, clock({ suspendedMs: HOUR }))],
    ['S26: is cut by a step of the clock', HOUR - MINUTE, withPieces(base, clock({ steppedMs: MINUTE }))],
    [
      'S26: is cut by both',
      HOUR - 2 * MINUTE,
      withPieces(base, clock({ suspendedMs: MINUTE, steppedMs: MINUTE })),
    ],
    [
      'S26: is at least what the looks saw, whatever the machine slept before',
      MINUTE,
      withPieces([...base, history({ quietMs: MINUTE })], clock({ suspendedMs: DAY })),
    ],
    [
      'S26: that the looks saw needs no clock',
      MINUTE,
      [...without(base, 'clock'), history({ quietMs: MINUTE })],
    ],
    [
      'S26: that the looks saw counts also when the clock went back behind the last output',
      MINUTE,
      withPieces(
        [...base, history({ quietMs: MINUTE })],
        pane({ lastOutputAt: NOW.at + DAY }),
        clock({ steppedMs: DAY }),
      ),
    ],
    [
      'is never longer than the last output is old, whatever the looks saw',
      MINUTE,
      withPieces([...base, history()], pane({ lastOutputAt: NOW.at - MINUTE })),
    ],
  ])('%s', (_, ms, evidence) => {
    expect(rest(evidence)).toBe(ms);
  });
});
