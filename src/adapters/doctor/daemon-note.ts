import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFound } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';

const MAX_BYTES = 64 * 1024;

/** What the daemon wrote about itself; what it does not tell is left out of account. */
export function readDaemonNote(folder: string): DaemonFound {
  const path = join(folder, 'daemon.json');
  try {
    const note = fieldsIn(path);
    const { pid, startTicks, startedAt, bootId, pidNamespace, problems } = note;
    if (!isNumber(pid) || !isNumber(startTicks) || !isNumber(startedAt) || typeof bootId !== 'string') {
      return { state: 'unreadable', path, text: 'it does not hold what it should' };
    }
    return {
      ...{ state: 'read', path, pid, startTicks, bootId, startedAt },
      ...(typeof pidNamespace === 'string' && { pidNamespace }),
      problems: Array.isArray(problems) ? problems.filter((one) => typeof one === 'string') : [],
      lastRoundAt: lastRoundOf(pid, folder),
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'none' };
    return { state: 'unreadable', path, text: visible(message, 200) };
  }
}

// Left by an earlier daemon, or not there yet: then nothing is known.
function lastRoundOf(pid: number, folder: string): number | null {
  try {
    const standing = fieldsIn(join(folder, 'daemon-status.json'));
    return standing.pid === pid && isNumber(standing.at) ? standing.at : null;
  } catch {
    return null;
  }
}

function fieldsIn(path: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readSmall(path));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function readSmall(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(file);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, more than ${MAX_BYTES}`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
