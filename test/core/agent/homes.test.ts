import { expect, it } from 'vitest';
import { homesIn } from '../../../src/core/agent/homes.ts';

it('an agent’s own files are where its environment says, as far as that is a path', () => {
  const env = { HOME: '/home/me', CODEX_HOME: '/codex', XDG_DATA_HOME: 'data', PATH: '/bin' };
  expect(homesIn(env)).toEqual(['/home/me', '/codex']);
  expect(homesIn({})).toEqual([]);
});
