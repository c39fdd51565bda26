import type { AgentScene } from '../../../ports/agent.ts';

/**
 * How many processes the agent has left running. A command that the shell tool puts into the background leaves the tree
 * as soon as its shell ends, and keeps the pane's mark; what stays below the agent between turns are language servers,
 * MCP servers and the like. Undefined where marks cannot be read: then nothing would show such a process.
 */
export function backgroundOf({ agent, others }: AgentScene): number | undefined {
  if (agent.env() === null) return undefined;
  return others().filter(({ relation, startedAt }) => relation === 'outside' && startedAt >= agent.startedAt)
    .length;
}
