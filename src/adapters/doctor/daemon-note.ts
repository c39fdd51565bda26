import { join } from 'node:path';
import type { DaemonFound } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';
import { OwnFileRefused, readOwnFile } from '../files/own-file.ts';

const MAX_BYTES = 64 * 1024;

/** What the daemon wrote about itself; what it does not tell is left out of account. */
export function readDaemonNote(folder: string): DaemonFound {
  const path = join(folder, 'daemon.json');
  try {
    const note = fieldsIn(path);
    if (note === null) return { state: 'none' };
    const { pid, startTicks, startedAt, bootId, pidNamespace, problems } = note;
    if (!isNumber(pid) || !isNumber(startTicks) || !isNumber(startedAt) || typeof bootId !== 'string') {
      return { state: 'unreadable', path, text: 'it does not hold what it should' };
    }
    return {
      state: 'read',
      path,
      pid,
      startTicks,
      bootId,
      startedAt,
      ...(typeof pidNamespace === 'string' && { pidNamespace }),
      problems: Array.isArray(problems) ? problems.filter((one) => typeof one === 'string') : [],
      lastRoundAt: lastRoundOf(pid, folder),
    };
  } catch (error) {
    return {
      state: 'unreadable',
      path,
      text: visible(error instanceof OwnFileRefused ? error.text : (error as Error).message, 200),
    };
  }
}

// Left by an earlier daemon, or not there yet: then nothing is known.
function lastRoundOf(pid: number, folder: string): number | null {
  try {
    const standing = fieldsIn(join(folder, 'daemon-status.json'));
    return standing?.pid === pid && isNumber(standing.at) ? standing.at : null;
  } catch {
    return null;
  }
}

function fieldsIn(path: string): Readonly<Record<string, unknown>> | null {
  const read = readOwnFile(path, { uid: null, maxBytes: MAX_BYTES });
  if (read === null) return null;
  const value: unknown = JSON.parse(read.bytes.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
