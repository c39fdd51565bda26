import { describe, expect, it } from 'vitest';
import { workBefore } from '../../../src/core/restore/without-program.ts';

// What lies in these folders.
const isProgram = (path: string) => /^(?:\.|tools|\/home\/me\/bin)\//.test(path);

describe('what stands before an agent', () => {
  it.each([
    [[]],
    [['/opt/node', '/home/me/rollcall.cjs', 'lock', '--name=runner', '--']],
    [['rollcall', 'lock', '--']],
    [['/usr/bin/env', 'K=1', 'nice', '-n', '5', '--']],
    [['nohup', '--']],
    [['/usr/bin/bwrap', '--bind', '/', '/', '--']],
    [['op', 'run', '--env-file', '.env', '--']],
    [['distrobox', 'enter', 'dev', '--']],
    [['env', 'K=1', 'sudo', '-u', 'bob', '/usr/bin/nice', '--']],
    [['npx', '@openai/tools', '--']],
    [['npm', 'exec', '--']],
    [['mise', 'x', '--']],
  ])('stays where it only launches it: %j', (before) => {
    expect(workBefore(before, isProgram)).toBeNull();
  });

  it.each([
    ['./prepare.sh', ['./prepare.sh', '--']],
    ['prepare.sh', ['prepare.sh', 'x', '--']],
    ['/srv/sudo', ['/srv/sudo', '--']],
    ['./prepare.sh', ['env', 'K=1', './prepare.sh', '--']],
    ['/home/me/bin/nice', ['/home/me/bin/nice', '--']],
    ['/home/me/bin/nice', ['/home/me/bin/nice', 'sudo', '--']],
    ['/home/me/bin/nice', ['env', '/home/me/bin/nice', '--']],
    ['./sudo', ['./sudo', '--']],
    ['rollcall', ['rollcall', 'run', '--']],
    ['./prepare', ['sudo', '-u', 'bob', './prepare', '--']],
    ['tools/prepare', ['bwrap', '--bind', '/home/me', '/home/me', 'tools/prepare', '--']],
    ['/data/prepare.py', ['uv', 'run', '/data/prepare.py', '--']],
    ['npm', ['npm', 'run', 'prepare', '--']],
    ['mise', ['env', 'K=1', 'mise', 'run', 'prepare', '--']],
    ['yarn', ['yarn', '--']],
  ])('goes where %s may do work of its own: %j', (worker, before) => {
    expect(workBefore(before, isProgram)).toBe(worker);
  });

  it('is found by its path, not by the name of a usual program', () => {
    expect(workBefore(['sudo', 'sh', '--'], () => true)).toBeNull();
  });
});
