import type { HookStatus } from '../../ports/hook-config.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { HOOK_AGENTS } from '../hooks/agents.ts';

/** What keeps the hooks of an agent from asking the gate; nothing where one of its settings is as it should be. */
export async function hookWarnings(
  { hookConfig }: Pick<Surroundings, 'hookConfig'>,
  kind: string,
  cwd: string,
): Promise<string[]> {
  const agent = HOOK_AGENTS.find((known) => known === kind);
  if (agent === undefined) return [`rollcall has no hooks for ${kind}: none of its stops is seen`];
  const statuses = (await hookConfig(cwd)).status([agent]);
  const lacks = statuses.map(lackOf);
  if (lacks.includes(null)) return [];
  // Of two settings, the one that somebody once put hooks into is the one to mend.
  const at = Math.max(
    0,
    statuses.findIndex(({ state }) => state !== 'not-installed'),
  );
  return [lacks[at] ?? `nobody can tell whether the hooks of ${kind} are installed`];
}

function lackOf({ agent, state, isSwitchedOff, review }: HookStatus): string | null {
  const mend = `rollcall hooks install ${agent}`;
  if (state === 'not-installed')
    return `the hooks of ${agent} are not installed, so none of its stops is seen: ${mend}`;
  if (state === 'unreadable')
    return `the settings of ${agent} cannot be read, so nobody can tell whether its stops are seen: rollcall hooks status ${agent}`;
  if (state !== 'installed')
    return `the hooks of ${agent} are ${WORDS[state]}, so the gate may not be asked: ${mend}`;
  if (isSwitchedOff)
    return `the settings of ${agent} keep it from running hooks, so none of its stops is seen`;
  if (review === 'unreviewed' || review === 'changed')
    return `${agent} has not reviewed the hooks as they are now and does not run them before: it asks at its next start`;
  return null;
}

const WORDS = {
  partly: 'only partly installed',
  outdated: 'outdated',
  'script-missing': 'installed, but their script is missing',
} as const;
