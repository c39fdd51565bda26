import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../cli/fake-outside.ts';
import { ServerRoom } from './server-room.ts';

const room = new ServerRoom();

const typed = async (...argv: readonly string[]) => {
  const { exitCode, stdout } = await run([...argv, '--json'], {
    hands: () => room.hands(),
    eyes: async () => room.desk.look,
    env: { HOME: '/nowhere', SHELL: '/bin/sh' },
    now: Date.now,
  });
  return { exitCode, document: JSON.parse(stdout) };
};
const asked = async (body: object, key?: string) =>
  room.ask({
    ...{ method: 'POST', path: '/v1/restore', body },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });
const names = async () => (await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).split('\n').sort();

beforeAll(async () => {
  for (const name of ['one', 'two']) await room.tmux.session(name);
  await room.open();
  for (const name of ['one', 'two']) expect((await typed('adopt', name)).exitCode).toBe(0);
  await room.tmux.killServer();
  await room.tmux.session('other');
});
afterAll(() => room.shut());

const told = ({ isDryRun, sessions }: { isDryRun: boolean; sessions: Record<string, unknown>[] }) => ({
  isDryRun,
  sessions: sessions
    .map(({ lastSeenAt: _, ...session }) => session)
    .sort((a, b) => String(a.name).localeCompare(String(b.name))),
});

it('says the same as the command of what would come back, and does nothing', async () => {
  const here = await typed('restore', '--dry-run');
  const there = await asked({ dryRun: true });
  expect([here.exitCode, there.status]).toEqual([0, 200]);
  expect(told(there.json)).toEqual(told(here.document));
  expect(there.json.sessions.map(({ result }: { result: string }) => result)).toEqual([
    'would-restore',
    'would-restore',
  ]);
  expect(await names()).toEqual(['other']);
});

it.each([
  [['restore'], {}, 2, 400],
  [['restore', '--yes', 'nobody'], { yes: true, sessions: ['nobody'] }, 4, 404],
  [['restore', '--yes', 'other'], { yes: true, sessions: ['other'] }, 4, 404],
])('refuses %j as the command does, and starts nothing', async (argv, body, exit, status) => {
  const here = await typed(...argv);
  const there = await asked(body);
  expect([here.exitCode, there.status]).toEqual([exit, status]);
  const { code, message, hint } = here.document.error;
  expect([there.json.code, there.json.detail, there.json.hint]).toEqual([code, message, hint]);
  expect(await names()).toEqual(['other']);
});

it('brings one back over HTTP and one by the command, alike, and each once', async () => {
  const there = await asked({ yes: true, sessions: ['one'] }, 'k-1');
  expect([there.status, there.json.sessions[0].result]).toEqual([200, 'restored']);
  const again = await asked({ yes: true, sessions: ['one'] }, 'k-1');
  expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', there.text]);
  const here = await typed('restore', 'two', '--yes');
  expect([here.exitCode, here.document.sessions[0].result]).toEqual([0, 'restored']);
  const alike = (sessions: Record<string, unknown>[]) =>
    sessions.map(({ result, agent, windows, panes, missing, isAsleep }) => ({
      ...{ result, agent, windows, panes, missing, isAsleep },
    }));
  expect(alike(there.json.sessions)).toEqual(alike(here.document.sessions));
  const rest = await asked({ yes: true });
  expect([rest.status, rest.json.sessions]).toEqual([200, []]);
  expect(await names()).toEqual(['one', 'other', 'two']);
});
