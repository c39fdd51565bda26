import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareCrashPoints, crashPointsIn, findCrashPoints } from '../../scripts/crash-points.ts';
import { KILLED } from '../../scripts/crash-points-list.ts';

const found = (text: string) => {
  const { calls, steps } = crashPointsIn('src/engine/act/x.ts', text);
  return [...calls.map(({ within, call }) => `${within}: ${call}`), ...steps.map(({ step }) => step)];
};

describe('the crash points', () => {
  test.each([
    ['an entry', 'function f({ ledger }) { ledger.append(x); }', ['f: ledger.append']],
    ['an act of tmux', 'async function f(h) { await h.tmux.press(p, "Enter"); }', ['f: tmux.press']],
    ['a step with a name', 'const f = (deed) => deed.step("type", () => 1);', ['type']],
    ['a recorded step', 'function f(h) { recordStep(h, "intent", {}); }', ['intent']],
    ['what only looks, and progress', 'function f(h) { h.tmux.stance(s); onStep("sessions"); }', []],
  ])('are found: %s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('are all on the list', () => {
    expect(compareCrashPoints(findCrashPoints())).toEqual([]);
  });

  test('are missed as soon as one more comes, or a step that nobody kills around', () => {
    const { calls, steps } = findCrashPoints();
    const file = 'src/engine/act/new.ts';
    const more = {
      calls: [...calls, { file, within: 'f', call: 'tmux.type' }],
      steps: [...steps, { file, step: 'leap' }],
    };
    expect(compareCrashPoints(more)).toEqual([
      'no crash point: act/new.ts f: tmux.type',
      'never killed around: act/new.ts leap',
    ]);
    expect(compareCrashPoints({ calls: calls.slice(1), steps })).toHaveLength(1);
  });

  test.each(Object.entries(KILLED))('%s is killed in a test that there is', (_, { test: path }) => {
    expect(readFileSync(path, 'utf8')).toMatch(/kill/i);
  });
});
