import { expect, it } from 'vitest';
import { RULES } from '../../../src/core/rules/index.ts';

it('every rule is asked, once', () => {
  const names = RULES.map((rule) => rule.name).sort();
  expect(names).toEqual([
    'agentUnheard',
    'agentWord',
    'asleep',
    'bareShell',
    'blind',
    'deadPane',
    'progress',
    'runningCommand',
    'terminalProgram',
  ]);
});
