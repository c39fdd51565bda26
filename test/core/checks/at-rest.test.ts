import { expect, it } from 'vitest';
import { atRest } from '../../../src/core/checks/at-rest.ts';
import type { Activity, Check } from '../../../src/core/verdict/verdict.ts';
import { NOW, plainShell, standing, withPieces } from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

it.each<[Activity, Check['state']]>([
  ['working', 'unmet'],
  ['waiting', 'unmet'],
  ['starting', 'unmet'],
  ['unknown', 'unknown'],
  ['idle', 'met'],
  ['exited', 'met'],
  ['none', 'unmet'],
])('a session that is %s is at rest: %s', (activity, state) => {
  const check = atRest(judgedOf(plainShell(), { activity }));
  expect(check).toMatchObject({ code: 'at-rest', state });
  expect(check.text).not.toBe('');
});

it('a plain terminal is at rest where a completion vouches for it, and while it works it is not', () => {
  const done = standing({
    origin: { at: NOW.at, how: 'started', pane: { paneId: '%1', pid: 100 } },
    completion: { at: NOW.at, outcome: 'done', evidence: null, blockers: [] },
  });
  const judged = judgedOf(withPieces(plainShell(), done));
  expect(atRest(judged)).toMatchObject({
    state: 'met',
    text: 'its work was declared complete, and only the shell that rollcall started is left',
  });
  expect(atRest({ ...judged, activity: 'working' })).toMatchObject({ state: 'unmet' });
});
