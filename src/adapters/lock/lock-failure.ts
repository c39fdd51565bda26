import { visible } from '../../core/text/visible.ts';
import type { LockFailed } from '../../ports/lock.ts';

/** Thrown inside this adapter, and given to callers as a value. */
export class LockError extends Error {
  readonly path: string;
  readonly hint: string;

  constructor(path: string, text: string, hint: string) {
    super(text);
    this.path = path;
    this.hint = hint;
  }
}

const NO_LOCKS = new Set(['ENOLCK', 'ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL']);

/** A file system that cannot lock. */
export const ELSEWHERE = 'point XDG_STATE_HOME to a folder of your own on a local disk';

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on that disk, then try again',
  EDQUOT: 'make room on that disk, then try again',
  EROFS: 'that disk is read-only: make it writable, or point XDG_STATE_HOME to a folder on another',
};

/** Puts whatever went wrong into words. */
export function toFailed(folder: string, error: unknown): LockFailed {
  const { code, message, path = folder } = error as NodeJS.ErrnoException;
  const [first = ''] = message.split('\n', 1);
  if (error instanceof LockError) return failed(`${path}: ${first}`, error.hint);
  if (NO_LOCKS.has(code ?? '')) return failed(`${path}: its file system has no locks (${code})`, ELSEWHERE);
  if (code === 'ELOOP') return failed(`${path}: it is a symbolic link`, moveAway(path));
  // Node's own words name the path once more.
  const text = `${path}: ${first.replace(/, \w+(?: '.*')?$/, '')}`;
  return failed(
    text,
    HINTS[code ?? ''] ?? `see whether ${path} can be written, and whether the disk is full`,
  );
}

/** What to do about a file or folder that somebody else put there. */
export function moveAway(path: string): string {
  return `look at it, then move it away: mv ${path} ${path}.old`;
}

function failed(text: string, hint: string): LockFailed {
  return { state: 'failed', text: visible(text, 600), hint: visible(hint, 600) };
}
