import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RULES } from '../../../src/core/rules/index.ts';

it('every rule file is asked', () => {
  const files = readdirSync(new URL('../../../src/core/rules/', import.meta.url));
  expect(RULES).toHaveLength(files.filter((file) => file !== 'index.ts' && file !== 'rule.ts').length);
  expect(new Set(RULES).size).toBe(RULES.length);
});
