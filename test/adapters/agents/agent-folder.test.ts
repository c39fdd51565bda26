import { expect, it } from 'vitest';
import { agentFolder } from '../../../src/adapters/agents/common/files-below.ts';

it.each([
  [{ HOME: '/home/a' }, '/home/a/.x'],
  [{ HOME: '/home/a/', OWN: '' }, '/home/a/.x'],
  [{ HOME: '/' }, '/.x'],
  [{ HOME: '/home/a', OWN: '/own//' }, '/own'],
  [{ HOME: '/home/a', OWN: '/' }, '/'],
  // Which folder that is depends on where the agent was started: it is not the one below HOME.
  [{ HOME: '/home/a', OWN: 'own' }, null],
  [{ HOME: 'home' }, null],
  [{}, null],
])('the folder of an agent with %j', (env, folder) => {
  expect(agentFolder(env, 'OWN', '.x')).toBe(folder);
});
