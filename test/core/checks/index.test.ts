import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKS } from '../../../src/core/checks/index.ts';
import { idleAgent } from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

it('every check file is on the list, under a code of its own, in the order a careful person goes through it', () => {
  const files = readdirSync(new URL('../../../src/core/checks/', import.meta.url));
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
  expect(files.filter((file) => file !== 'index.ts' && file !== 'check.ts')).toHaveLength(codes.length);
});
