import { expect, it } from 'vitest';
import {
  hookCommand,
  isHookOf,
  isOwnScript,
  scriptFor,
  scriptOf,
} from '../../../src/core/agent/hook-command.ts';

const SCRIPT = "/home/d'ev/.local/share/rollcall/hook.sh";

it('the script of a command that rollcall wrote is read back, and no other', () => {
  for (const agent of ['claude', 'codex', 'gemini']) {
    expect(scriptOf(hookCommand(SCRIPT, agent, 'Stop'))).toBe(SCRIPT);
  }
  const others = [
    undefined,
    5,
    '',
    'true',
    "'/tmp/hook.sh' claude Stop",
    `'${'/x'.repeat(3000)}' claude Stop`,
  ];
  for (const other of others) expect(scriptOf(other)).toBeNull();
  expect([isOwnScript(`x ${SCRIPT} y`), isOwnScript('/tmp/hook.sh')]).toEqual([true, false]);
});

it('a command is ours only for the agent and event that it names, with and without a look at the script first', () => {
  for (const agent of ['claude', 'gemini']) {
    const bare = `'${SCRIPT.replace("'", "'\\''")}' ${agent} Stop`;
    for (const command of [bare, hookCommand(SCRIPT, agent, 'Stop')]) {
      expect(scriptFor(command, agent, 'Stop')).toBe(SCRIPT);
      expect([scriptFor(command, 'codex', 'Stop'), scriptFor(command, agent, 'Now')]).toEqual([null, null]);
    }
  }
  expect(scriptFor('true', 'claude', 'Stop')).toBeNull();
});

it('a command line is the hook of one agent and event', () => {
  expect(isHookOf(['sh', '-c', hookCommand(SCRIPT, 'claude', 'Stop')], 'claude', 'Stop')).toBe(true);
  expect(isHookOf(['sh', '-c', hookCommand(SCRIPT, 'claude', 'Stop')], 'codex', 'Stop')).toBe(false);
  expect(isHookOf(['sh', '-c'], 'claude', 'Stop')).toBe(false);
  expect(isHookOf([SCRIPT, 'claude', 'Stop'], 'claude', 'Stop')).toBe(true);
  expect(isHookOf([SCRIPT, 'claude', 'Stop'], 'claude', 'SessionEnd')).toBe(false);
});
