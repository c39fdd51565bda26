import { describe, expect, it } from 'vitest';
import { hookCommand } from '../../../src/core/agent/hook-command.ts';
import { isOwnHook } from '../../../src/core/gate/ownership.ts';

const SCRIPT = "/home/d'ev/.local/share/rollcall/hook.sh";
const claude = { event: 'Stop' };
const byShell = (command: string, ...flags: string[]) => [
  '/bin/sh',
  ...(flags.length ? flags : ['-c']),
  command,
];

describe('the hook that an agent started itself', () => {
  it.each([
    ['the shell that it gives the command to', byShell(hookCommand(SCRIPT, 'claude', 'Stop'))],
    ['a login shell', byShell(hookCommand(SCRIPT, 'claude', 'Stop'), '-lc')],
    ['the script, once that shell has made way', ['/bin/sh', SCRIPT, 'claude', 'Stop']],
    ['the script alone', [SCRIPT, 'claude', 'Stop']],
  ])('is %s', (_, argv) => {
    expect(isOwnHook({ argv, stdin: 'stream' }, 'claude', claude)).toBe(true);
    expect(isOwnHook({ argv, stdin: 'unknown' }, 'claude', claude)).toBe(true);
    expect(isOwnHook({ argv, stdin: 'other' }, 'claude', claude)).toBe(false);
  });

  it('is known by the longer command of Gemini CLI too', () => {
    const argv = byShell(hookCommand(SCRIPT, 'gemini', 'AfterAgent'));
    expect(isOwnHook({ argv, stdin: 'stream' }, 'gemini', { event: 'AfterAgent' })).toBe(true);
    expect(isOwnHook({ argv, stdin: 'stream' }, 'claude', claude)).toBe(false);
  });

  it.each([
    ['the shell of a tool', byShell(`source /snapshot && eval '${SCRIPT} claude Stop'`)],
    ['a tool that calls it among others', byShell(`${hookCommand(SCRIPT, 'claude', 'Stop')}; true`)],
    ['a shell with words behind the command', [...byShell(hookCommand(SCRIPT, 'claude', 'Stop')), 'x']],
    ['a program that is given the command', ['node', 'x', '-c', hookCommand(SCRIPT, 'claude', 'Stop')]],
    ['a script', ['/bin/sh', './spend.sh']],
    ['another script of that name', ['/bin/sh', '/tmp/hook.sh', 'claude', 'Stop']],
    ['another event', ['/bin/sh', SCRIPT, 'claude', 'SessionEnd']],
    ['another agent', ['/bin/sh', SCRIPT, 'codex', 'Stop']],
    ['a debugger of the script', ['bash', '-x', '-e', SCRIPT, 'claude', 'Stop']],
    ['nothing', []],
  ])('is not %s', (_, argv) => {
    expect(isOwnHook({ argv, stdin: 'stream' }, 'claude', claude)).toBe(false);
  });

  it('is nothing at all for an agent that asks by itself, and only for that', () => {
    const opencode = { event: 'session.idle', asksItself: true };
    expect(isOwnHook(null, 'opencode', opencode)).toBe(true);
    expect(isOwnHook({ argv: ['bash'], stdin: 'stream' }, 'opencode', opencode)).toBe(false);
    const script = { argv: ['/bin/sh', SCRIPT, 'opencode', 'session.idle'], stdin: 'stream' as const };
    expect(isOwnHook(script, 'opencode', { ...opencode, asksItself: false })).toBe(true);
    expect(isOwnHook(script, 'opencode', opencode)).toBe(false);
    expect(isOwnHook(null, 'claude', claude)).toBe(false);
  });
});
