import { expect, it } from 'vitest';
import { lacksOwn, type Process } from '../../../src/core/sight/process.ts';

it('a table may lack processes of this user where it has none at all, or says so', () => {
  const table = { observedAt: 1, byPid: new Map([[1, { pid: 1 } as Process]]), isComplete: false };
  expect(lacksOwn(table)).toBe(false);
  expect(lacksOwn({ ...table, mayLackOwn: true })).toBe(true);
  expect(lacksOwn({ ...table, byPid: new Map() })).toBe(true);
});
