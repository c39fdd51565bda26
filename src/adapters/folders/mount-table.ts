import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { mountsThatMayStop } from '../../core/sight/mounts.ts';
import { linkAt } from '../files/look.ts';

/** What is mounted here that may stop to answer. To know it asks no file system that may. */
export interface MountTable {
  mayStop(): boolean;
  /** Whether a path leads onto such a mount, also by links. */
  leadsThere(path: string): boolean;
}

/** A look asks for every session; mounts seldom come and go. */
const FRESH_MS = 500;
const MOST_LINKS = 40;
/** Where there is no table nobody can tell, and everything may stop. */
const EVERYTHING = ['/'];

/** Reads the mounts of this process. */
export function createMountTable(
  path = '/proc/self/mountinfo',
  now: () => number = () => performance.now(),
): MountTable {
  let readAt = Number.NEGATIVE_INFINITY;
  let mounts: ReadonlySet<string> = new Set(EVERYTHING);
  const current = (): ReadonlySet<string> => {
    if (now() - readAt >= FRESH_MS) {
      readAt = now();
      mounts = new Set(mountsIn(path));
    }
    return mounts;
  };
  return {
    mayStop: () => current().size > 0,
    leadsThere: (sought) => current().size > 0 && leadsTo(current(), sought),
  };
}

function mountsIn(path: string): readonly string[] {
  try {
    return mountsThatMayStop(readFileSync(path, 'utf8'));
  } catch {
    return EVERYTHING;
  }
}

// Step by step, so that each look is at a name in a folder that is known to answer.
function leadsTo(mounts: ReadonlySet<string>, sought: string): boolean {
  let folder = '/';
  const left = sought.split('/').filter((name) => name !== '');
  for (let links = 0; ; ) {
    if (mounts.has(folder)) return true;
    const name = left.shift();
    if (name === undefined) return false;
    const next = resolve(folder, name);
    const target = mounts.has(next) ? null : linkAt(next);
    if (target === null) {
      folder = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return false;
    left.unshift(...target.split('/').filter((one) => one !== ''));
    if (isAbsolute(target)) folder = '/';
  }
}
