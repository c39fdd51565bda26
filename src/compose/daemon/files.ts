import { join } from 'node:path';
import { removeQuietly } from '../../adapters/files/replace-file.ts';
import { createJsonFile, type JsonFile } from '../../adapters/state/json-file.ts';
import type { DaemonNote, DaemonStanding } from '../../ports/daemon.ts';

const MAX_BYTES = 64 * 1024;

/** What a daemon writes down about itself in the state folder. */
export interface DaemonFiles {
  readonly note: JsonFile<DaemonNote>;
  readonly standing: JsonFile<DaemonStanding>;
  readonly logPath: string;
  /** On the way out. */
  remove(): void;
}

export function daemonFiles(folder: string): DaemonFiles {
  const named = { folder, maxBytes: MAX_BYTES };
  return {
    note: createJsonFile({ ...named, name: NOTE, isValid: isNote }),
    standing: createJsonFile({ ...named, name: STANDING, isValid: isStanding }),
    logPath: join(folder, 'daemon.log'),
    remove() {
      // What was never written, or cannot be removed, counts for nothing without the lock.
      for (const name of [NOTE, STANDING]) removeQuietly(join(folder, name));
    },
  };
}

const NOTE = 'daemon.json';
const STANDING = 'daemon-status.json';

// Its own program wrote them, so their outlines are enough.
function isNote(value: unknown): value is DaemonNote {
  return isOutlined(value) && typeof (value as Partial<DaemonNote>).startTicks === 'number';
}

function isStanding(value: unknown): value is DaemonStanding {
  return isOutlined(value) && typeof (value as Partial<DaemonStanding>).reaper === 'object';
}

function isOutlined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { format, pid } = value as { readonly format?: unknown; readonly pid?: unknown };
  return format === 1 && typeof pid === 'number';
}
