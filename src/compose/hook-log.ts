import { join } from 'node:path';
import { createHookLog } from '../adapters/spool/hook-log.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import type { AgentAdapter } from '../ports/agent.ts';
import type { HookLog } from '../ports/hook-log.ts';

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
