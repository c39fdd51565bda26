import { isDeepStrictEqual } from 'node:util';
import { hookCommand } from '../../core/agent/hook-command.ts';
import type { AgentHookChange, HookAction, HookProblem } from '../../ports/hook-config.ts';
import { sha256 } from '../files/digest.ts';
import type { AbsentFile, UserFile } from '../files/user-file.ts';
import { addHooks, isTakenOut, takeOutHooks, wantedGroups } from './edit-hooks.ts';
import { type EditRecord, madeFolders, scriptsIn, undone, undoneAround } from './edit-record.ts';
import { JSON_HOOKS, type WantedHooks } from './hook-agents.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';
import type { OwnCall } from './own-entry.ts';
import { readSettings, type WrongSettings } from './settings-text.ts';
import { textIn } from './work.ts';

/** What becomes of one file; without a change `after` is what it holds now. */
export interface FilePlan {
  readonly state: 'planned';
  readonly outcome: AgentHookChange['outcome'];
  readonly after: string | null;
  /** Something of the user's is in the file as it is. */
  readonly isKept: boolean;
  /** Events with an entry that the user has changed: it stays, and does nothing any more. */
  readonly leftIdle?: readonly string[];
  /** What is known of the file afterwards. */
  readonly record: EditRecord | null;
}

export type Planned = FilePlan | { readonly state: 'wrong'; readonly problem: HookProblem };

/** What an action makes of a settings file in JSON. */
export function planJsonFile(
  action: HookAction,
  file: UserFile | AbsentFile,
  hooks: WantedHooks,
  record: EditRecord | null,
): Planned {
  const wanted = { ...hooks, earlierScripts: scriptsIn(record) };
  const now = textIn(file);
  const settings = readSettings(now ?? '', wanted);
  if (settings.state === 'wrong') return wrongIn(file, settings);
  const own = settings.state === 'read' ? settings.own : [];
  if (action === 'install' && isCurrent(own, wanted)) {
    return { state: 'planned', outcome: 'already-installed', after: now, isKept: true, record };
  }
  if (action === 'remove' && own.length === 0) {
    return { state: 'planned', outcome: 'not-installed', after: now, isKept: true, record: null };
  }
  const leftIdle = own.filter(({ isChanged }) => isChanged).map(({ event }) => event);
  const base =
    own.length === 0 || file.state === 'absent'
      ? { state: 'done' as const, text: now }
      : without(file, wanted, record);
  if (base.state === 'wrong') return wrongIn(file, base);
  if (action === 'remove') {
    // What vanishes had nothing of the user's in it.
    const isKept = base.text !== null;
    return { state: 'planned', outcome: 'removed', after: base.text, isKept, leftIdle, record: null };
  }
  const added = addHooks(base.text ?? '', wanted);
  if (added.state === 'wrong') return wrongIn(file, added);
  return {
    state: 'planned',
    outcome: own.length === 0 ? 'installed' : 'updated',
    after: added.text,
    isKept: now !== null,
    leftIdle,
    record: {
      wasAbsent: base.text === null,
      before: sha256(base.text ?? ''),
      after: sha256(added.text),
      edits: added.edits,
      kept: added.kept,
      folders: madeFolders(file, record),
    },
  };
}

/** Whether the file holds every entry as it should be, where it should be, once, and none besides. */
export function isCurrent(own: readonly OwnCall[], wanted: WantedHooks): boolean {
  const groups = wantedGroups(wanted);
  const events = new Set(own.map(({ event }) => event));
  return (
    own.length === groups.size &&
    events.size === groups.size &&
    own.every(
      ({ event, group, command, isShared }) =>
        isDeepStrictEqual(group, groups.get(event)) ||
        // What the user has made of it stays: their limit of time, their note.
        (isShared && groups.has(event) && command === hookCommand(wanted.script, wanted.agent, event)),
    ) &&
    own.every(
      ({ event, isLast }) => isLast || event !== wanted.stopEvent || !JSON_HOOKS[wanted.agent].isInOrder,
    )
  );
}

/** The file without our entries: to the byte what it was, unless somebody has changed it since. */
function without(
  file: UserFile,
  wanted: WantedHooks,
  record: EditRecord | null,
): { readonly state: 'done'; readonly text: string | null } | WrongSettings {
  const mayVanish = record?.wasAbsent === true && !file.isLink;
  const before = undone(file.text, record);
  if (before !== undefined && (record?.wasAbsent !== true || mayVanish)) {
    return { state: 'done', text: mayVanish ? null : before };
  }
  const around = undoneAround(file.text, record);
  const isLeft = around !== undefined && (record?.wasAbsent !== true || !isEmpty(around));
  if (isLeft && isTakenOut(file.text, around, wanted)) return { state: 'done', text: around };
  const taken = takeOutHooks(file.text, wanted, record?.kept ?? null);
  if (taken.state === 'wrong') return taken;
  return { state: 'done', text: mayVanish && isEmpty(taken.text) ? null : taken.text };
}

function isEmpty(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text);
}

function wrongIn(file: UserFile | AbsentFile, { line, text, hint }: WrongSettings): Planned {
  return { state: 'wrong', problem: { file: file.path, line, text, hint } };
}

/** What an action makes of a file that is wholly ours. */
export function planPluginFile(
  action: HookAction,
  file: UserFile | AbsentFile,
  plugin: string,
  record: EditRecord | null,
): Planned {
  const now = textIn(file);
  const isOwn = now?.startsWith(PLUGIN_MARK) ?? false;
  // Changed by its user: what rollcall wrote is on record, or is this very text.
  const isKept = now !== null && now !== plugin && sha256(now) !== record?.after;
  if (action === 'remove') {
    const after = isOwn ? null : now;
    return { state: 'planned', outcome: isOwn ? 'removed' : 'not-installed', after, isKept, record: null };
  }
  if (now === plugin) return { state: 'planned', outcome: 'already-installed', after: now, isKept, record };
  if (now !== null && !isOwn) {
    const text = 'there is a plugin of this name that rollcall has not written';
    const hint = 'give it another name, then try again';
    return { state: 'wrong', problem: { file: file.path, line: 1, text, hint } };
  }
  return {
    state: 'planned',
    outcome: now === null ? 'installed' : 'updated',
    after: plugin,
    isKept,
    record: {
      wasAbsent: true,
      before: sha256(''),
      after: sha256(plugin),
      edits: [],
      kept: { hooks: false, events: [] },
      folders: madeFolders(file, record),
    },
  };
}
