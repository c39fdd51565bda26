import type { ProcessMark } from '../sight/identity.ts';
import { maskSecrets, maskWords } from '../text/mask-secrets.ts';

/** What a holder writes about itself for others to read. Information only: the lock itself is the kernel's. */
export interface LockHolder extends ProcessMark {
  readonly bootId: string;
  /** Absent where there is none to tell. */
  readonly pidNamespace?: string;
  /** Epoch ms at which it took the lock. */
  readonly since: number;
  readonly task: string | null;
  readonly argv: readonly string[];
  readonly name: string;
  readonly project: string | null;
  /** Device and inode of the project's root, or of the state folder; absent where they are not known. */
  readonly root?: string;
  /** The program that runs under the lock, once it was started. */
  readonly runner: ProcessMark | null;
}

/** More than this of a command line helps nobody, and the line has to stay small enough to be written at once. */
const MOST_WORDS = 32;
const LONGEST_WORD = 200;
const LONGEST_TASK = 500;
const LONGEST_LINE = 64 * 1024;

/** The holder as one line, cut to a size that readers accept. */
export function toHolderLine(holder: LockHolder): string {
  const argv = maskWords(holder.argv.slice(0, MOST_WORDS)).map((word) => cut(word, LONGEST_WORD));
  const task = holder.task === null ? null : cut(maskSecrets(holder.task), LONGEST_TASK);
  return `${JSON.stringify({ ...holder, argv, task })}\n`;
}

/** Reads the first line; null for anything else, such as what is left of a half-written one. */
export function parseHolder(text: string): LockHolder | null {
  const end = text.slice(0, LONGEST_LINE).indexOf('\n');
  if (end < 0) return null;
  try {
    const value: unknown = JSON.parse(text.slice(0, end));
    // An older version wrote the words as they were.
    return isHolder(value) ? { ...value, argv: maskWords(value.argv) } : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is LockHolder {
  if (!isMark(value)) return false;
  const fields: Partial<Record<keyof LockHolder, unknown>> = value;
  const { bootId, since, task, argv, name, project, runner, pidNamespace, root } = fields;
  return (
    typeof bootId === 'string' &&
    (pidNamespace === undefined || typeof pidNamespace === 'string') &&
    (root === undefined || typeof root === 'string') &&
    Number.isFinite(since) &&
    typeof name === 'string' &&
    isStringOrNull(task) &&
    isStringOrNull(project) &&
    Array.isArray(argv) &&
    argv.every((word) => typeof word === 'string') &&
    (runner === null || isMark(runner))
  );
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTicks } = value as Record<string, unknown>;
  return Number.isSafeInteger(pid) && Number(pid) > 0 && Number.isSafeInteger(startTicks);
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
