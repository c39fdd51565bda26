import type { HookAction } from '../../ports/hook-config.ts';
import type { AbsentFile, UserFile } from '../files/user-file.ts';
import type { EditRecord } from './edit-record.ts';
import { madeFolders } from './edit-record.ts';
import type { Planned } from './json-plan.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';
import { digestOf } from './text-edit.ts';

/** What an action makes of a file that is wholly ours. */
export function planPluginFile(
  action: HookAction,
  file: UserFile | AbsentFile,
  plugin: string,
  record: EditRecord | null,
): Planned {
  const now = file.state === 'read' ? file.text : null;
  const isOwn = now?.startsWith(PLUGIN_MARK) ?? false;
  // Changed by its user: what rollcall wrote is on record, or is this very text.
  const isKept = now !== null && now !== plugin && digestOf(now) !== record?.after;
  if (action === 'remove') {
    const after = isOwn ? null : now;
    return { state: 'planned', outcome: isOwn ? 'removed' : 'not-installed', after, isKept, record: null };
  }
  if (now === plugin) return { state: 'planned', outcome: 'already-installed', after: now, isKept, record };
  if (now !== null && !isOwn) {
    const text = 'there is a plugin of this name that rollcall has not written';
    return {
      state: 'wrong',
      problem: { file: file.path, line: 1, text, hint: 'give it another name, then try again' },
    };
  }
  return {
    state: 'planned',
    outcome: now === null ? 'installed' : 'updated',
    after: plugin,
    isKept,
    record: {
      wasAbsent: true,
      before: digestOf(''),
      after: digestOf(plugin),
      edits: [],
      kept: { hooks: false, events: [] },
      folders: madeFolders(file, record),
    },
  };
}
