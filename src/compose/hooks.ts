import type { HookAgent, HookConfig } from '../ports/hook-config.ts';
import { allAgents } from './agents.ts';
import { hooksIn, spoolIn } from './hook-log.ts';
import { ownStateFolder } from './own-user.ts';

/** The hooks in the agents' own settings, for the user and for the project around `cwd`. */
export async function composeHookConfig(env: NodeJS.ProcessEnv, cwd: string): Promise<HookConfig> {
  const { createHookConfig } = await import('../adapters/hook-config/hook-config.ts');
  const { hookScript } = await import('../hook/hook-script.ts');
  const now = Date.now;
  const agents = allAgents();
  const folder = ownStateFolder(env);
  const log = hooksIn(folder, agents, now);
  const eventsOf = (kind: HookAgent) => agents.find((agent) => agent.kind === kind)?.hooks?.events ?? [];
  const spoolFolder = spoolIn(folder);
  return createHookConfig({
    ...{ env, cwd, now, spoolFolder },
    spoolProblem: folder.state === 'refused' ? { ...folder, file: folder.path, line: null } : null,
    script: hookScript(spoolFolder),
    events: {
      claude: eventsOf('claude'),
      codex: eventsOf('codex'),
      gemini: eventsOf('gemini'),
      opencode: eventsOf('opencode'),
    },
    lastHeardAt: (agent) => log.about(agent)[0]?.last.at ?? null,
  });
}
