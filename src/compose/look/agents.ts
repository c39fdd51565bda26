import { isAbsolute } from 'node:path';
import { claudeAgent } from '../../adapters/agents/claude/claude-agent.ts';
import { codexAgent } from '../../adapters/agents/codex/codex-agent.ts';
import { geminiAgent } from '../../adapters/agents/gemini/gemini-agent.ts';
import { genericAgents } from '../../adapters/agents/generic/generic-agents.ts';
import { opencodeAgent } from '../../adapters/agents/opencode/opencode-agent.ts';
import { scriptedAgent } from '../../adapters/agents/scripted/scripted-agent.ts';
import type { InstalledAgent } from '../../core/doctor/sightings.ts';
import type { AgentAdapter } from '../../ports/agent.ts';

/**
 * Names the script of a scripted agent, for tests that run the whole program. A path and nothing else: a normal installation
 * knows no scripted agent, because such a one is believed whatever it says.
 */
const SCRIPTED_VARIABLE = 'ROLLCALL_SCRIPTED_AGENT';

/** Every agent that rollcall knows: the real ones, and a scripted one only where its exact script is named. */
export function allAgents(
  env: NodeJS.ProcessEnv = {},
  script = env[SCRIPTED_VARIABLE],
): readonly AgentAdapter[] {
  const real = [claudeAgent(), codexAgent(), geminiAgent(), opencodeAgent(), ...genericAgents];
  return script !== undefined && isAbsolute(script) ? [...real, scriptedAgent(script)] : real;
}

/** Finds the agents that are installed. */
export async function findInstalledAgents(env: NodeJS.ProcessEnv): Promise<readonly InstalledAgent[]> {
  const { findInstalled } = await import('../../adapters/installed-agents/find-installed.ts');
  return findInstalled({ env, agents: allAgents() });
}
