import { expect, it } from 'vitest';
import { atRest } from '../../../src/core/checks/at-rest.ts';
import type { Activity, Check } from '../../../src/core/verdict.ts';
import { plainShell } from '../../support/evidence.ts';
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
