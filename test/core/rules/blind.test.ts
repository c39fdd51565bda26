import { describe, expect, it } from 'vitest';
import { blind } from '../../../src/core/rules/blind.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Source } from '../../../src/core/verdict/verdict.ts';
import {
  history,
  NOW,
  note,
  pane,
  plainShell,
  processes,
  shell,
  unavailable,
} from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

describe('blindness', () => {
  it.each<Source>(['tmux', 'process', 'agent', 'history', 'host'])(
    'follows from a failure of %s',
    (source) => {
      expect(findingOf(blind, [...plainShell(), unavailable(source, { observedAt: NOW.at - 3 })])).toEqual({
        activity: 'unknown',
        reason: {
          code: 'sensor-unavailable',
          source,
          observedAt: NOW.at - 3,
          text: `${source} does not answer`,
        },
      });
    },
  );

  it.each<Source>(['screen', 'people', 'git', 'declared'])(
    'does not follow from a failure of %s, which leaves a check open and tells nothing of the pane',
    (source) => {
      expect(findingOf(blind, [...plainShell(), unavailable(source)])).toBeNull();
    },
  );

  it.each<[string, string, Source, Evidence[]]>([
    ['two readings differ', 'evidence-contradicts', 'tmux', [...plainShell(), pane({ isInMode: true })]],
    ['tmux was not heard', 'no-fresh-evidence', 'tmux', [history()]],
    ['no process was looked for', 'processes-unseen', 'process', [pane()]],
    ['no process was found', 'processes-unseen', 'process', [pane(), processes([])]],
    [
      'only strangers were found',
      'processes-unseen',
      'process',
      [pane(), processes([note({ relation: 'outside' })])],
    ],
  ])('is unknown when %s: %s', (_, code, source, evidence) => {
    expect(findingOf(blind, evidence)).toMatchObject({
      activity: 'unknown',
      reason: { code, source, observedAt: NOW.at },
    });
  });

  it('is no matter when everything is seen, or when a dead pane has nothing to show', () => {
    expect(findingOf(blind, plainShell())).toBeNull();
    expect(findingOf(blind, [pane(), processes([shell()])])).toBeNull();
    expect(findingOf(blind, [pane({ isDead: true })])).toBeNull();
  });
});
