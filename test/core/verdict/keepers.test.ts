import { describe, expect, it } from 'vitest';
import { isDaemon, isKeeper, mayBeDaemon, mayBeServer } from '../../../src/core/verdict/keepers.ts';

const agent = { pid: 50, ppid: 1, sid: 50, ttyNumber: 0, comm: 'ssh-agent' };
const manager = { ppid: 1, comm: 'systemd' };
const own = { executable: '/usr/bin/ssh-agent', hasTerminal: false, isListening: true };

describe('a daemon that serves a whole login', () => {
  it.each([
    ['leads a session of its own', { ppid: 40 }, undefined, true],
    ['was taken over by process 1', { sid: 49 }, undefined, true],
    ['was taken over by the user’s manager', { sid: 49, ppid: 40 }, manager, true],
    ['is still with who started it', { sid: 49, ppid: 40 }, { ppid: 30, comm: 'bash' }, false],
    [
      'is with something that is only called like a manager',
      { sid: 49, ppid: 40 },
      { ppid: 9, comm: 'systemd' },
      false,
    ],
    ['has a parent that is not seen', { sid: 49, ppid: 40 }, undefined, false],
    ['has a terminal', { ttyNumber: 34816 }, undefined, false],
    ['has a name of its own', { comm: 'my-agent' }, undefined, false],
    ['only keeps windows of a person’s', { comm: 'kitty' }, undefined, false],
    ['builds for the session', { comm: 'bazel' }, undefined, false],
  ])('may be one that %s', (_, over, parent, may) => {
    expect(mayBeDaemon({ ...agent, ...over }, parent)).toBe(may);
  });

  it('may not be one where nobody tells of terminals', () => {
    const { ttyNumber: _, ...unknown } = agent;
    expect(mayBeDaemon(unknown, undefined)).toBe(false);
  });

  it.each([
    ['the machine’s own program', {}, true],
    ['one of the store', { executable: '/nix/store/abc-openssh/bin/ssh-agent' }, true],
    ['a script of that name', { executable: '/usr/bin/bash' }, false],
    ['a copy in somebody’s folder', { executable: '/home/ada/bin/ssh-agent' }, false],
    ['one that was replaced meanwhile', { executable: '/usr/bin/ssh-agent (deleted)' }, false],
    ['one that cannot be read', { executable: null }, false],
    ['one with a terminal open', { hasTerminal: true }, false],
    ['one that nobody can connect to', { isListening: false }, false],
    ['one of which that cannot be told', { hasTerminal: null }, false],
  ])('is %s', (_, over, is) => {
    expect(isDaemon(agent, { ...own, ...over })).toBe(is);
  });

  it('is known by a name that the kernel has cut', () => {
    const executable = '/usr/bin/gnome-keyring-daemon';
    expect(isDaemon({ comm: 'gnome-keyring-d' }, { ...own, executable })).toBe(true);
    expect([isKeeper('gnome-keyring-d'), isKeeper('job')]).toEqual([true, false]);
  });
});

describe('a server for language or builds that was left', () => {
  const server = { ...agent, comm: 'java' };
  const jvm = ['/home/ada/.sdkman/java/bin/java', '-Xmx512m', '-cp', 'gradle.jar'];

  it.each([
    ['Gradle’s daemon', [...jvm, 'org.gradle.launcher.daemon.bootstrap.GradleDaemon', '8.9'], true],
    ['another program in Java', [...jvm, 'com.example.Upload'], false],
    ['what only names Gradle’s daemon', ['sh', 'org.gradle.launcher.daemon.bootstrap.GradleDaemon'], false],
    ['Bazel’s server', ['bazel(shop)', '--max_idle_secs=10800'], true],
    ['a server of an editor', ['/home/ada/go/bin/gopls', 'serve', '-listen=unix;/tmp/gopls'], true],
    [
      'a server of an editor in Node.js',
      ['node', '/x/node_modules/.bin/typescript-language-server', '--stdio'],
      true,
    ],
    ['something else in Node.js', ['node', 'deploy.js'], false],
    ['nothing that is known', [], false],
  ])('may be %s', (_, argv, is) => expect(mayBeServer(server, undefined, argv)).toBe(is));

  it('is none while who started it is there, or with a terminal', () => {
    expect(mayBeServer({ ...server, sid: 49, ppid: 40 }, { ppid: 30, comm: 'bash' }, ['gopls'])).toBe(false);
    expect(mayBeServer({ ...server, ttyNumber: 34_816 }, undefined, ['gopls'])).toBe(false);
  });
});
