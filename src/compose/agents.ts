import { claudeAgent } from '../adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from '../adapters/agents/gemini/gemini-agent.ts';
import { genericAgents } from '../adapters/agents/generic/generic-agents.ts';
import { opencodeAgent } from '../adapters/agents/opencode/opencode-agent.ts';
import { scriptedAgent } from '../adapters/agents/scripted/scripted-agent.ts';
import type { AgentAdapter } from '../ports/agent.ts';
import type { InstalledAgent } from '../ports/installed-agents.ts';

/** Every agent that rollcall knows. */
export function allAgents(): readonly AgentAdapter[] {
  return [claudeAgent(), codexAgent(), geminiAgent(), opencodeAgent(), ...genericAgents, scriptedAgent()];
}

/** Finds the agents that are installed. */
export async function findInstalledAgents(env: NodeJS.ProcessEnv): Promise<readonly InstalledAgent[]> {
  const { findInstalled } = await import('../adapters/installed-agents/find-installed.ts');
  return findInstalled({ env, agents: allAgents().filter((agent) => agent.kind !== 'scripted') });
}
