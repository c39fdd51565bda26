import { isAbsolute, resolve } from 'node:path';
import { mountsThatMayStop } from '../../core/sight/mounts.ts';
import { elapsedMs } from '../files/elapsed.ts';
import { linkAt, textAt } from '../files/look.ts';

/** A look asks for every session; mounts seldom come and go. */
const FRESH_MS = 500;
const MOST_LINKS = 40;
/** Where there is no table nobody can tell, and everything may stop. */
const EVERYTHING = ['/'];

/** What is mounted here that may stop to answer. To know it asks no file system that may. */
export function createMountTable(path = '/proc/self/mountinfo', now: () => number = elapsedMs) {
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
    mayStop: (): boolean => current().size > 0,
    /** Whether a path leads onto such a mount, also by links. */
    leadsThere: (sought: string): boolean => current().size > 0 && leadsTo(current(), sought),
  };
}

function mountsIn(path: string): readonly string[] {
  const table = textAt(path);
  return table === null ? EVERYTHING : mountsThatMayStop(table);
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
