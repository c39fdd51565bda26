import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { HookSighting } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Whether the agents that this user has tell rollcall what they do. */
export const hooks: DoctorCheck = {
  name: 'hooks',
  group: 'machine',
  scope: 'machine',
  looksAt: 'rollcall’s hooks in the settings of the agents in use',
  examine: ({ machine }) =>
    machine.hooks.flatMap((hook) =>
      [stateFinding(hook), keptFinding(hook), oldBackups(hook)].filter((found) => found !== null),
    ),
};

function keptFinding({ kept, ...hook }: HookSighting): FindingParts | null {
  if (kept.length === 0) return null;
  return {
    class: 'kept',
    severity: 'warning',
    text: `settings of ${placeOf(hook)}: somebody wrote to them while rollcall did, and they may not have all of it`,
    evidence: [visible(hook.file, 200), ...kept.map((path) => visible(path, 200))],
    advice: ['compare them, and remove what nobody needs'],
  };
}

function oldBackups({ oldBackups, ...hook }: HookSighting): FindingParts | null {
  if (oldBackups.length === 0) return null;
  return {
    class: 'old-backups',
    severity: 'warning',
    text: `settings of ${placeOf(hook)}: an earlier version of rollcall left backups beside them, with what they held`,
    evidence: oldBackups.map((path) => visible(path, 200)),
    advice: ['remove them if nobody needs them; they may hold secrets, and git may not ignore them'],
  };
}

function placeOf({ agent, scope }: Pick<HookSighting, 'agent' | 'scope'>): string {
  return `${visible(agent, 40)}${scope === 'project' ? ' in this project' : ''}`;
}

function stateFinding(hook: HookSighting): FindingParts | null {
  const { agent, scope } = hook;
  const install = `rollcall hooks install ${agent}${scope === 'project' ? ' --project' : ''}`;
  switch (hook.state) {
    case 'script-missing':
      return finding(hook, 'error', 'they call a script that is missing, at every turn', install);
    case 'partly':
      return finding(hook, 'warning', `does not report ${hook.missing.join(', ')}`, install);
    case 'outdated':
      return finding(hook, 'warning', 'they are of another version', install);
    case 'unreadable':
      return finding(hook, 'warning', 'its settings cannot be read', MEND);
    case 'not-installed':
      // A project without hooks of its own is as it should be.
      return scope === 'project'
        ? null
        : finding(hook, 'info', 'not installed: less is known of this agent than could be', install);
    case 'installed':
      return silenced(hook);
  }
}

const MEND = 'mend the file; nothing was changed in it';

function silenced(hook: HookSighting): FindingParts | null {
  if (hook.isSwitchedOff) {
    const wish = 'switch hooks on in its settings, if that is not meant';
    return finding(hook, 'warning', 'its settings keep it from running any hook', wish);
  }
  if (hook.review === null || hook.review === 'reviewed') return null;
  const wish = `start ${hook.agent} and accept the hooks when it asks`;
  return finding(hook, 'warning', 'they wait for a review before they run', wish);
}

function finding(
  hook: HookSighting,
  severity: FindingParts['severity'],
  text: string,
  advice: string,
): FindingParts {
  const { state, file, notes, isSwitchedOff } = hook;
  const word = state !== 'installed' ? state : isSwitchedOff ? 'switched-off' : 'not-reviewed';
  return {
    class: word,
    severity,
    text: `hooks of ${placeOf(hook)}: ${text}`,
    evidence: [visible(file, 200), ...notes.map((note) => visible(note, 200))],
    advice: [advice],
  };
}
