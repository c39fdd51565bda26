import type { AgentProcess } from '../../../ports/agent.ts';

/** Where this Codex keeps its files, from its own environment; null when that may not be read or says nothing. */
export function homeOf(agent: AgentProcess): string | null {
  const env = agent.env();
  if (env === null) return null;
  if (env.CODEX_HOME?.startsWith('/')) return env.CODEX_HOME.replace(/\/+$/, '');
  return env.HOME?.startsWith('/') ? `${env.HOME.replace(/\/+$/, '')}/.codex` : null;
}
