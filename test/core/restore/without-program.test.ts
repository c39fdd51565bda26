import { expect, it } from 'vitest';
import type { Reopening } from '../../../src/core/close/reopening.ts';
import { withoutLauncher, withoutProgram } from '../../../src/core/restore/without-program.ts';

const whole = (over: Partial<Reopening>) =>
  ({ agent: null, argv: null, missing: ['before'], ...over }) as Reopening;
const talk = { kind: 'claude', conversation: 'c' };

it.each([
  ['a plain shell', whole({})],
  ['a shell by its path', whole({ argv: ['/bin/bash', '-i'] })],
  ['an agent', whole({ agent: talk, argv: ['claude', '--resume', 'c'] })],
  ['what only shows something', whole({ argv: ['tail', '-f', 'log'] })],
  ['the same in a line', whole({ line: 'less notes' })],
])('%s comes back as it was', (_, kept) => {
  expect(withoutProgram(kept)).toBe(kept);
});

it.each([
  ['deploy', whole({ argv: ['/opt/deploy', '--key', 'hunter2'] })],
  ['sh', whole({ argv: ['sh', '-c', 'deploy; sleep 9'] })],
  ['view', whole({ argv: ['/home/me/scripts/view'] })],
  ['results', whole({ line: 'results > results.txt' })],
])('%s is named and not started, without its arguments', (name, kept) => {
  const bare = withoutProgram(kept);
  expect(bare).not.toHaveProperty('line');
  expect(bare).toMatchObject({
    argv: null,
    missing: [
      'before',
      `${name} is not started again, because a part of its work may be done; --programs starts it`,
    ],
  });
});

const recognise = ([first = '']: readonly string[]) => (first.endsWith('claude') ? 'claude' : null);

it.each([
  ['no agent', whole({ argv: ['./prepare.sh', '--', 'claude'] })],
  ['an agent that nobody starts', whole({ agent: talk })],
  ['an agent by itself', whole({ agent: talk, argv: ['claude', '--resume', 'c', '--'] })],
  ['one that is given a script', whole({ agent: talk, argv: ['sudo', '--', 'claude', 'fix.sh'] })],
  ['one with a priority', whole({ agent: talk, argv: ['nice', '-n', '5', '--', 'claude'] })],
  ['one in a session of its own', whole({ agent: talk, argv: ['setsid', '--', 'claude'] })],
  ['one in a sandbox', whole({ agent: talk, argv: ['bwrap', '--bind', '/', '/', '--', 'claude'] })],
])('%s comes back with what stands before it', (_, kept) => {
  expect(withoutLauncher(kept, recognise, () => false)).toBe(kept);
});

it.each([
  ['claude (conversation c)', talk],
  ['claude', { ...talk, conversation: null }],
])('%s behind a script of one’s own is named and not started', (name, agent) => {
  const kept = whole({ agent, argv: ['./prepare.sh', '--key=hunter2', '--', 'claude', '--resume', 'c'] });
  const text = `${name} is not started again, because prepare.sh may do work before it; --programs starts both`;
  expect(withoutLauncher(kept, recognise, () => false)).toMatchObject({
    ...{ agent: null, argv: null, missing: ['before', text] },
  });
});
