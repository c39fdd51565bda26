import { expect, it, vi } from 'vitest';
import { createNaming } from '../../../src/engine/look/naming.ts';
import type { AgentAdapter } from '../../../src/ports/agent.ts';

const recognises = vi.fn((argv: readonly string[]) => argv[0] === 'claude');
const naming = () => {
  recognises.mockClear();
  return createNaming([{ kind: 'claude', recognises } as unknown as AgentAdapter]);
};

it('understands equal command lines once, and others by themselves', () => {
  const { program } = naming();
  const first = program('claude', ['claude', '--resume']);
  expect(program('claude', ['claude', '--resume'])).toBe(first);
  expect(recognises).toHaveBeenCalledTimes(1);
  // Neither one more word nor another border between words is the same.
  expect(program('claude', ['claude', '--resume', '']).command).not.toBe(first.command);
  expect(program('claude', ['claude --resume']).agentKind).toBeUndefined();
  expect(program('other', []).name).toBe('other');
});

it('keeps no long ones, and takes any number of words', () => {
  const { program } = naming();
  const words = ['rm', ...Array.from({ length: 300_000 }, (_, index) => `file-${index}`)];
  expect(program('rm', words).name).toBe('rm');
  const { length } = recognises.mock.calls;
  expect(program('rm', [...words]).name).toBe('rm');
  expect(recognises.mock.calls.length).toBe(2 * length);
});
