import { dirname } from 'node:path';
import { createBrief } from '../common/brief.ts';
import { readEnd } from '../common/read-file.ts';
import type { CodexCommand } from './command-line.ts';

/** How a Codex was told to draw its title. */
export interface TitleSettings {
  /** `off` also when a setting speaks of it in a way that is not understood. */
  readonly animations: 'on' | 'off';
  /** What the title holds, in order; null when a setting speaks of it in a way that is not understood. */
  readonly items: readonly string[] | null;
}

/** Codex's own choice. */
export const DEFAULT_ITEMS: readonly string[] = ['activity', 'thread-title', 'project-name'];

const MAX_BYTES = 512 * 1024;
const MAX_FOLDERS = 20;
const MAX_AGE_MS = 5_000;
const MAX_KEPT = 2_000;
const SYSTEM_FILES = ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'];

/** Makes the reader of title settings, from the command line and all config files; read again every five seconds. */
export function createTitleSettings(now: () => number): typeof read {
  const brief = createBrief<TitleSettings>(MAX_KEPT, MAX_AGE_MS);
  return (command, home, folder) => {
    const key = JSON.stringify([home, folder, command.profile, [...command.overrides]]);
    return brief(key, now(), () => read(command, home, folder));
  };
}

function read(command: CodexCommand, home: string | null, folder: string | undefined): TitleSettings {
  const lines = [...command.overrides].map(([key, value]) => `${key} = ${value}`);
  let isUnsure = home === null || folder === undefined;
  for (const path of filesOf(command, home, folder)) {
    const file = readEnd(path, MAX_BYTES);
    // Not as arguments of one call: a file may have more lines than a call takes.
    if (file.state === 'read' && !file.isCut) for (const line of file.text.split('\n')) lines.push(line);
    else isUnsure ||= file.state !== 'absent';
  }
  const animations = mentions(lines, 'animations');
  const titles = mentions(lines, 'terminal_title');
  const isOn = animations.every((value) => value === 'true');
  return {
    animations: isOn && !isUnsure ? 'on' : 'off',
    items: isUnsure ? null : titles.length === 0 ? DEFAULT_ITEMS : itemsIn(titles),
  };
}

function filesOf(command: CodexCommand, home: string | null, folder: string | undefined): string[] {
  const files = [...SYSTEM_FILES];
  if (home !== null) files.push(`${home}/config.toml`);
  if (home !== null && command.profile !== undefined && /^[\w.-]{1,100}$/.test(command.profile))
    files.push(`${home}/${command.profile}.config.toml`);
  let at = folder ?? '/';
  for (let step = 0; step < MAX_FOLDERS && at !== '/' && at !== '.'; step += 1, at = dirname(at))
    files.push(`${at}/.codex/config.toml`);
  return files;
}

// TOML knows many ways to set a key (a table, a dotted key, an inline table, a profile). Which layer wins is not worked
// out: whatever any of them says of the key counts.
function mentions(lines: readonly string[], key: string): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const text = line.trimStart();
    const at = text.startsWith('#') ? -1 : text.indexOf(key);
    if (at === -1) continue;
    const set = /^["']?\s*=(.*)$/.exec(text.slice(at + key.length))?.[1]?.trim() ?? '?';
    found.push(set.length > LONGEST_VALUE ? '?' : withoutComment(set));
  }
  return found;
}

const LONGEST_VALUE = 1000;

// From the last sign of one on, unless a quote or a bracket that ends a value stands behind it.
function withoutComment(value: string): string {
  const at = value.search(/#[^"'\]]*$/);
  return at === -1 ? value : value.slice(0, at).trim();
}

function itemsIn(values: readonly string[]): readonly string[] | null {
  const [value] = values;
  if (values.length !== 1 || value === undefined) return null;
  const list = /^\[([^[\]]{0,500})\]$/.exec(value)?.[1];
  if (list === undefined) return null;
  const items = list.split(',').map((item) => /^\s*["']([\w-]{1,40})["']\s*$/.exec(item)?.[1] ?? '');
  return items.includes('') ? null : items;
}
