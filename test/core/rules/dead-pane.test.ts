import { describe, expect, it } from 'vitest';
import { deadPane, ending } from '../../../src/core/rules/dead-pane.ts';
import type { PaneEvidence } from '../../../src/core/verdict/evidence.ts';
import { history, NOW, pane } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

describe('a dead pane', () => {
  it('has exited', () => {
    expect(findingOf(deadPane, [pane({ isDead: true, exitStatus: 0 })])).toEqual({
      activity: 'exited',
      reason: {
        code: 'pane-dead',
        source: 'tmux',
        observedAt: NOW.at,
        text: 'the program ended with status 0',
      },
    });
  });

  it('is not one that lives, nor one of which tmux says nothing', () => {
    expect(findingOf(deadPane, [pane()])).toBeNull();
    expect(findingOf(deadPane, [history()])).toBeNull();
  });

  it.each<[Partial<PaneEvidence>, string]>([
    [{ exitStatus: 3 }, 'with status 3'],
    [{ exitSignal: '15' }, 'by signal 15'],
    [{ exitStatus: 0, exitSignal: '9' }, 'by signal 9'],
    [{}, 'with a status that tmux did not report'],
  ])('S44: ended %j: %s', (over, text) => {
    expect(ending(pane({ isDead: true, ...over }))).toBe(text);
  });
});
