import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/core/checks/index.ts';
import { idleAgent } from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

it('every check is on the list, in the order a careful person goes through it', () => {
  const codes = CHECKS.map((check) => check(judgedOf(idleAgent())).code);
  expect(codes).toEqual([
    'seen-now',
    'at-rest',
    'rested',
    'confirmed',
    'nothing-running',
    'nothing-outside',
    'nothing-unsent',
    'nobody-there',
    'windows-own',
    'finished-or-resumable',
    'work-saved',
  ]);
});
