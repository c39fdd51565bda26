import { describe, expect, it } from 'vitest';
import { onlyLaunches } from '../../../src/core/agent/launcher.ts';

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
  ])('stays where it only launches it: %j', (before) => {
    expect(onlyLaunches(before)).toBe(true);
  });

  it.each([
    [['./prepare.sh', '--']],
    [['prepare.sh', 'x', '--']],
    [['env', 'K=1', './prepare.sh', '--']],
    [['/home/me/bin/nice', '--']],
    [['./sudo', '--']],
    [['rollcall', 'run', '--']],
  ])('goes where it may do work of its own: %j', (before) => {
    expect(onlyLaunches(before)).toBe(false);
  });
});
