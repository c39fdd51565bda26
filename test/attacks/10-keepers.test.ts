import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { untilClosed } from '../laws/people.ts';
import { hasWorlds, World } from '../laws/world.ts';
import { until } from '../support/until.ts';

const hasAgent = existsSync('/usr/bin/ssh-agent');
const BINARY = ['/usr/bin/sleep', '/bin/sleep'].find((path) => existsSync(path)) ?? '';

let world: World;
beforeEach(async () => {
  world = await World.open();
  await world.session('stays', 'sleep', '100000');
});
afterEach(() => world.close());

/** A session under care that has ended well, after it started this; gives the pid that the script leaves in $PID. */
async function ended(script: string): Promise<number> {
  const told = join(world.folder, 'pid');
  const program = ['sh', '-c', `${script}; echo $PID > ${told}.new; mv ${told}.new ${told}`];
  await world.rollcall(['run', '--name', 'worker', '--remain', '--', ...program]);
  const pid = Number(await until('it has started it', () => existsSync(told) && readFileSync(told, 'utf8')));
  await world.untilEnded('worker');
  await world.rollcall(['complete', 'worker']);
  return pid;
}

const fake = (name: string) => {
  mkdirSync(join(world.folder, 'bin'), { recursive: true });
  return join(world.folder, 'bin', name);
};

// What daemons do: another session, no terminal, nobody above.
const detached = (program: string) =>
  `setsid -f ${program} </dev/null >/dev/null 2>&1; until PID=$(pgrep -o -x ssh-agent); do sleep 0.05; done`;

const outsideOf = async () => {
  const entry = await world.entry('worker');
  return entry.blockers.find(({ code }) => code === 'nothing-outside');
};

describe.skipIf(!hasWorlds)('a server that a session left to others', () => {
  const SERVES = 'require("node:net").createServer().listen(0, "127.0.0.1")';
  const WORKS = 'setInterval(() => {}, 1000)';
  const left = (script: string) =>
    `setsid -f bash -c 'exec -a gopls ${process.execPath} -e "$0" serve' '${script}' </dev/null >/dev/null 2>&1; until PID=$(pgrep -o -f '^gopls'); do sleep 0.05; done`;

  it('does not keep the session, and is not ended by force', async () => {
    const pid = await ended(left(SERVES));
    await until('nothing stands against it', outsideOf, (blocker) => blocker === undefined);
    await world.rollcall(['close', 'worker', '--force', '--yes', '--despite', 'recent-input']);
    expect([await world.names(), world.isAlive(pid)]).toEqual([['stays'], true]);
  });

  it('is none that nobody can connect to: it works for who started it', async () => {
    const pid = await ended(left(WORKS));
    expect((await outsideOf())?.text).toContain(`(pid ${pid})`);
  });
});

describe.skipIf(!hasWorlds || !hasAgent)('a keeper of keys that a session started', () => {
  it('does not keep the session, is told, and outlives close, force and doctor', async () => {
    const pid = await ended('eval $(ssh-agent -s) >/dev/null; PID=$SSH_AGENT_PID');
    await until(
      'nothing stands against it',
      async () => (await world.entry('worker')).lifecycle,
      (word) => {
        return word === 'safe-to-close';
      },
    );
    const explained = await world.rollcall(['explain', 'worker']);
    expect(explained.stdout).toContain(`ssh-agent (pid ${pid}) serves more than this session`);
    await untilClosed(world, 'worker');
    expect(await world.names()).toEqual(['stays']);
    await world.rollcall(['doctor', '--fix', '--yes', '--force']);
    expect(world.isAlive(pid)).toBe(true);
  });

  it('is not ended by force either', async () => {
    const pid = await ended('eval $(ssh-agent -s) >/dev/null; PID=$SSH_AGENT_PID');
    const closed = await world.rollcall(['close', 'worker', '--force', '--yes', '--despite', 'recent-input']);
    expect([closed.exitCode, await world.names(), world.isAlive(pid)]).toEqual([0, ['stays'], true]);
  });

  it.each([
    ['a script', (path: string) => writeFileSync(path, '#!/bin/sh\nsleep 100000\n', { mode: 0o755 }), ''],
    ['a program of the user’s', (path: string) => copyFileSync(BINARY, path), ' 100000'],
  ])('is not %s that only has its name', async (_, make, words) => {
    const program = fake('ssh-agent');
    make(program);
    const pid = await ended(detached(`${program}${words}`));
    expect(await outsideOf()).toMatchObject({
      text: expect.stringMatching(new RegExp(`^ssh-agent \\(pid ${pid}\\).* started here, detached`)),
    });
    expect((await world.rollcall(['close', '--due'])).exitCode).toBe(0);
    expect(await world.names()).toContain('worker');
  });
});
