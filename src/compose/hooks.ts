import { join } from 'node:path';
import { createHookLog } from '../adapters/spool/hook-log.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import type { AgentAdapter } from '../ports/agent.ts';
import type { HookAgent, HookConfig } from '../ports/hook-config.ts';
import type { HookLog } from '../ports/hook-log.ts';
import { allAgents } from './look/agents.ts';
import { ownProgram } from './system/find-program.ts';
import { ownStateFolder } from './system/own-user.ts';

/** Of each file: as it was before rollcall, and before each of its last changes. Few enough to look through. */
const KEPT_BACKUPS = 10;

/** The hooks in the agents' own settings, for the user and for the project around `cwd`. */
export async function composeHookConfig(
  env: NodeJS.ProcessEnv,
  cwd: string,
  self = ownProgram(),
): Promise<HookConfig> {
  const { createHookConfig } = await import('../adapters/hook-config/hook-config.ts');
  const { hookScript } = await import('../hook/hook-script.ts');
  const now = Date.now;
  const agents = allAgents(env);
  const folder = ownStateFolder(env);
  const log = hooksIn(folder, agents, now);
  const agentOf = (kind: HookAgent) => agents.find((agent) => agent.kind === kind);
  const forEach = <T>(make: (kind: HookAgent) => T): Record<HookAgent, T> => ({
    claude: make('claude'),
    codex: make('codex'),
    gemini: make('gemini'),
    opencode: make('opencode'),
  });
  const spoolFolder = spoolIn(folder);
  const stopEvents = forEach((kind) => agentOf(kind)?.gate?.event ?? null);
  const gate = { folder: join(folder.path, 'gate'), ...self };
  // The plugin of opencode sees to its own stops.
  const { opencode: _, ...inScript } = stopEvents;
  const scripted = Object.entries(inScript).filter((entry): entry is [string, string] => entry[1] !== null);
  return createHookConfig({
    ...{ env, cwd, now, spoolFolder, gate, stopEvents },
    backups: { folder: join(folder.path, 'hook-backups'), kept: KEPT_BACKUPS },
    spoolProblem: folder.state === 'refused' ? { ...folder, file: folder.path, line: null } : null,
    script: hookScript({
      spoolFolder,
      gateFolder: gate.folder,
      stopEvents: Object.fromEntries(scripted),
      ...self,
    }),
    events: forEach((kind) => agentOf(kind)?.hooks?.events ?? []),
    lastHeardAt: (agent) => log.about(agent)[0]?.last.at ?? null,
  });
}

/** Where the hooks of agents leave their events. */
export const spoolIn = ({ path }: StateFolder): string => join(path, 'spool');

/** What the hooks of these agents told. A state folder that is refused is told of by the memory of the looks. */
export function hooksIn(folder: StateFolder, agents: readonly AgentAdapter[], now: () => number): HookLog {
  if (folder.state === 'refused') {
    const unheard = [{ text: `hooks are not heard: ${folder.text}`, of: 'anyone' }] as const;
    return { about: () => [], unheard: () => unheard, problem: () => null };
  }
  const translations = new Map(agents.flatMap(({ kind, hooks }) => (hooks ? [[kind, hooks.translate]] : [])));
  return createHookLog({
    folder: spoolIn(folder),
    translate: (kind) => translations.get(kind),
    now,
    // A single command reads so few again faster than it saves them.
    leastToSave: 100,
  });
}
