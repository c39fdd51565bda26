import type { HookAgent } from '../../ports/hook-config.ts';
import type { PositionalSpec } from '../frame/command.ts';
import { named } from '../frame/named.ts';

export const HOOK_AGENTS = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly HookAgent[];

/** The words behind `hooks install`, `remove` and `status`. */
export function agentWords(without: string): PositionalSpec {
  const help = `Only these agents: ${HOOK_AGENTS.join(', ')}. Without one, ${without}.`;
  return { placeholder: 'AGENT', kind: 'choice', values: HOOK_AGENTS, min: 0, max: HOOK_AGENTS.length, help };
}

/** The agents that were named, each once. */
export function agentsNamed(words: readonly string[]): HookAgent[] {
  return [...new Set(words)].map((word) =>
    named(word, HOOK_AGENTS, `'${word}' is no agent with hooks that rollcall knows`, 'the agents are'),
  );
}
