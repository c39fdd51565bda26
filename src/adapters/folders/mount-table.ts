import { readFileSync } from 'node:fs';
import { mountsThatMayStop } from '../../core/mounts.ts';

/** A look asks for every session; mounts seldom come and go. */
const FRESH_MS = 500;

/**
 * Whether this machine has anything mounted that may stop to answer. Reading the table asks no file system. Where there is no
 * table nobody can tell, and it may.
 */
export function createMountTable(
  path = '/proc/self/mountinfo',
  now: () => number = () => performance.now(),
): () => boolean {
  let readAt = Number.NEGATIVE_INFINITY;
  let may = true;
  return () => {
    if (now() - readAt < FRESH_MS) return may;
    readAt = now();
    may = mayStop(path);
    return may;
  };
}

function mayStop(path: string): boolean {
  try {
    return mountsThatMayStop(readFileSync(path, 'utf8')).length > 0;
  } catch {
    return true;
  }
}
