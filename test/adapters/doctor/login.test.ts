import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLogin } from '../../../src/adapters/doctor/login.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'login-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = '') => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const login = (user = 'me') =>
  readLogin([{ socketPath: '/s', pid: 7 }], { procRoot: join(root, 'proc'), root, user });
const scope = () => login().servers[0];

describe('where a server stands', () => {
  it.each([
    ['0::/user.slice/user-1000.slice/session-3.scope\n', 'login', 'session-3.scope'],
    ['1:name=systemd:/user.slice/user-1000.slice/session-c2.scope\n0::/\n', 'login', 'session-c2.scope'],
    [
      '0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-u3.scope\n',
      'user',
      'user@1000.service',
    ],
    ['0::/user.slice/user-1000.slice/user@1000.service/tmux-spawn-1.scope\n', 'user', 'user@1000.service'],
    ['0::/system.slice/ssh.service\n', 'elsewhere', ''],
    ['0::/my-session-3.scope.d\n', 'elsewhere', ''],
  ])('is told by its cgroup: %s', (text, kind, unit) => {
    put('proc/7/cgroup', text);
    expect(scope()).toEqual({ socketPath: '/s', pid: 7, kind, unit });
  });

  it('S34: is not known where the cgroup cannot be read', () => {
    expect(scope()).toMatchObject({ kind: null });
  });

  it('is read from the real system without a word of complaint', () => {
    const seen = readLogin([{ socketPath: '/s', pid: process.pid }], {
      procRoot: '/proc',
      root: '',
      user: 'root',
    });
    expect(seen.servers[0]?.kind).not.toBeUndefined();
  });
});

describe('whether a logout ends processes', () => {
  const main = 'etc/systemd/logind.conf';

  it('is not known where no file says so', () => {
    put(main, '[Login]\n#KillUserProcesses=yes\n[Other]\nKillUserProcesses=yes\n');
    expect(login()).toMatchObject({ endsAtLogout: null, source: null });
  });

  it.each([
    ['yes', true],
    ['True', true],
    ['no', false],
    ['0', false],
  ])('is what logind.conf says: %s', (word, endsAtLogout) => {
    put(main, `[Login]\n KillUserProcesses = ${word} \n`);
    expect(login()).toMatchObject({ endsAtLogout, source: `${word} in ${root}/${main}` });
  });

  it('is what the last drop-in says, and one in /etc hides its namesake', () => {
    put(main, '[Login]\nKillUserProcesses=no\n');
    put('usr/lib/systemd/logind.conf', '[Login]\nKillUserProcesses=no\n');
    put('usr/lib/systemd/logind.conf.d/90-a.conf', '[Login]\nKillUserProcesses=no\n');
    put('run/systemd/logind.conf.d/50-b.conf', '[Login]\nKillUserProcesses=yes\n');
    put('etc/systemd/logind.conf.d/90-a.conf', '[Login]\nKillUserProcesses=yes\n');
    put('etc/systemd/logind.conf.d/readme', '[Login]\nKillUserProcesses=no\n');
    expect(login()).toMatchObject({
      endsAtLogout: true,
      source: `yes in ${root}/etc/systemd/logind.conf.d/90-a.conf`,
    });
  });

  it('never does for root, nor for who is excluded or not among the only ones', () => {
    put(main, '[Login]\nKillUserProcesses=yes\n');
    expect([login('root').endsAtLogout, login('me').endsAtLogout]).toEqual([false, true]);
    put(main, '[Login]\nKillUserProcesses=yes\nKillExcludeUsers=you me\n');
    expect([login('root').endsAtLogout, login('me').endsAtLogout]).toEqual([true, false]);
    put(main, '[Login]\nKillUserProcesses=yes\nKillOnlyUsers=you\n');
    expect([login('you').endsAtLogout, login('me').endsAtLogout]).toEqual([true, false]);
  });
});

describe('lingering', () => {
  it('is a file of logind’s', () => {
    expect(login().lingers).toBeNull();
    put('run/systemd/seats/seat0');
    expect(login().lingers).toBe(false);
    put('var/lib/systemd/linger/me');
    expect([login().lingers, login('you').lingers]).toEqual([true, false]);
  });
});
