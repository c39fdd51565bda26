import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { GATE_MODES, type GateMode } from '../../core/gate/mode.ts';
import { visible } from '../../core/text/visible.ts';
import { unless } from '../../core/try-or.ts';
import type { GateModes, GateSwitch } from '../../ports/gate.ts';
import { isObject } from '../files/json-object.ts';
import { readOwnText } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { nullOr, oneOf, shape } from '../files/shape.ts';

const MOST_BYTES = 256 * 1024;
const NONE: GateModes = { user: null, projects: {}, problem: null };

/** The modes as they are kept; what cannot be read is a problem, and enforces nothing. */
export function readModes(path: string): GateModes {
  try {
    const text = readOwnText(path, MOST_BYTES);
    if (text === null) return NONE;
    const kept: unknown = JSON.parse(text);
    if (!isKept(kept)) throw new Error('its content is not as expected');
    return { user: kept.user, projects: { ...kept.projects }, problem: null };
  } catch (error) {
    const { message } = error as Error;
    return { ...NONE, problem: visible(message.includes(path) ? message : `${path}: ${message}`, 600) };
  }
}

/** Sets one of them. A damaged file is kept aside: what somebody wants now has to hold. */
export function writeMode(path: string, project: string | null, mode: GateMode | null): void {
  const { user, projects, problem } = readModes(path);
  if (problem !== null) renameSync(path, `${path}.damaged`);
  const others = Object.entries(projects).filter(([root]) => root !== project);
  const own = project !== null && mode !== null ? [[project, mode] as const] : [];
  const kept = {
    format: 1,
    user: project === null ? mode : user,
    projects: Object.fromEntries([...others, ...own]),
  };
  const text = `${JSON.stringify(kept)}\n`;
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`${path}: there are too many projects`);
  replaceFile(path, text);
}

const isMode = oneOf(GATE_MODES);
const isKept = shape<{ format: 1; user: GateMode | null; projects: Readonly<Record<string, GateMode>> }>({
  format: oneOf([1]),
  user: nullOr(isMode),
  projects: (value) => isObject(value) && Object.values(value).every(isMode),
});

const MOST_SWITCH_BYTES = 64 * 1024;
const LONGEST_REASON = 500;

/** Whatever is there by that name switches the gate off: the hook only looks whether something is. */
export function readSwitch(path: string): GateSwitch | null {
  let at = 0;
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return null;
    at = Math.trunc(entry.mtimeMs);
    const kept = JSON.parse(readOwnText(path, MOST_SWITCH_BYTES) ?? '') as Partial<GateSwitch> | null;
    const reason = typeof kept?.reason === 'string' ? visible(kept.reason, LONGEST_REASON) : null;
    return { at: typeof kept?.at === 'number' && Number.isFinite(kept.at) ? kept.at : at, reason };
  } catch {
    return { at, reason: null };
  }
}

export function writeSwitch(path: string, state: GateSwitch | null): void {
  if (state === null) {
    unless('ENOENT', null, () => unlinkSync(path));
    return;
  }
  const reason = state.reason === null ? null : visible(state.reason, LONGEST_REASON);
  replaceFile(path, `${JSON.stringify({ at: state.at, reason })}\n`);
}
