import { lstatSync, unlinkSync } from 'node:fs';
import { visible } from '../../core/text/visible.ts';
import type { GateSwitch } from '../../ports/gate.ts';
import { readOwnText } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';

const MOST_BYTES = 64 * 1024;
const LONGEST_REASON = 500;

/** Whatever is there by that name switches the gate off: the hook only looks whether something is. */
export function readSwitch(path: string): GateSwitch | null {
  let at = 0;
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return null;
    at = Math.trunc(entry.mtimeMs);
    const kept = JSON.parse(readOwnText(path, MOST_BYTES) ?? '') as Partial<GateSwitch> | null;
    const reason = typeof kept?.reason === 'string' ? visible(kept.reason, LONGEST_REASON) : null;
    return { at: typeof kept?.at === 'number' ? kept.at : at, reason };
  } catch {
    return { at, reason: null };
  }
}

export function writeSwitch(path: string, state: GateSwitch | null): void {
  if (state === null) {
    remove(path);
    return;
  }
  const reason = state.reason === null ? null : visible(state.reason, LONGEST_REASON);
  replaceFile(path, `${JSON.stringify({ at: state.at, reason })}\n`);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
