import { basename, dirname } from 'node:path';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { visible } from '../../../core/text/visible.ts';
import type { TitleSettings } from './settings.ts';
import type { SignBase } from './status.ts';

const SPINNER = /^[\u2801-\u28ff](?: |$)/;
const ACTION = /^\[ [!.] \] Action Required(?: \| |$)/;
const MAX_FOLDERS = 20;

/**
 * What the pane's title tells. A spinner or a call for action comes from Codex. Their absence only counts if Codex would
 * draw them, and if the title is known to be set by Codex, not by another program.
 */
export function signOfTitle(
  title: string,
  { settings, folder }: { readonly settings: TitleSettings; readonly folder: string | undefined },
  base: SignBase,
): AgentSign | null {
  const sign = { source: 'title', isLive: true, ...base } as const;
  const said = `the title says "${visible(title, 120)}"`;
  if (ACTION.test(title)) return { ...sign, turn: 'running', waitingFor: 'permission', text: said };
  if (SPINNER.test(title)) return { ...sign, turn: 'running', text: said };
  return isRest(title, settings, folder) ? { ...sign, turn: 'over', text: said } : null;
}

function isRest(title: string, { animations, items }: TitleSettings, folder: string | undefined): boolean {
  if (items === null) return false;
  const parts = title.split(' | ');
  const shown = items.filter((item) => !ACTIVITY_ITEMS.includes(item));
  if (shown.at(-1) !== 'project-name' && shown.at(-1) !== 'project') return false;
  if (!isProject(parts.at(-1) ?? '', folder)) return false;
  if (STATE_ITEMS.includes(shown[0] ?? '')) return parts[0] === 'Ready' && parts.length > 1;
  return animations === 'on' && items.some((item) => ACTIVITY_ITEMS.includes(item));
}

const ACTIVITY_ITEMS = ['activity', 'spinner'];
const STATE_ITEMS = ['run-state', 'status'];

// The project is the folder of the repository around the conversation's, or that folder itself.
function isProject(name: string, folder: string | undefined): boolean {
  let at = folder ?? '/';
  for (let step = 0; step < MAX_FOLDERS && at !== '/' && at !== '.'; step += 1, at = dirname(at))
    if (basename(at) === name) return true;
  return false;
}
