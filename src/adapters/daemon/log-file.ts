import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { DaemonLog } from '../../ports/daemon.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FIELD = 1000;
const TAIL_BYTES = 64 * 1024;

export interface LogFileOptions {
  readonly path: string;
  now(): number;
  /** The file is put aside as `<path>.1` when it is as large as this; the one before it goes. */
  readonly maxBytes?: number;
}

/** One JSON line for each event. A disk that takes no line loses it: nothing stops because of its log. */
export function createLogFile({ path, now, maxBytes = MAX_BYTES }: LogFileOptions): DaemonLog {
  const write = (level: string, event: string, fields: Readonly<Record<string, unknown>> = {}) => {
    try {
      const shown = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? visible(maskSecrets(value), MAX_FIELD) : value,
      ]);
      const line = { at: new Date(now()).toISOString(), level, event, ...Object.fromEntries(shown) };
      append(path, `${JSON.stringify(line)}\n`, maxBytes);
    } catch {
      // See above.
    }
  };
  return {
    note: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warning', event, fields),
  };
}

const { O_WRONLY, O_RDONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens the log for appending; follows no link and waits for no fifo. */
export function openLog(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
}

function append(path: string, text: string, maxBytes: number): void {
  const file = openLog(path);
  let size: number;
  try {
    appendFileSync(file, text);
    size = fstatSync(file).size;
  } finally {
    closeSync(file);
  }
  if (size >= maxBytes) renameSync(path, `${path}.1`);
}

/** The last lines of the log; none where it cannot be read. */
export function endOfLog(path: string, lines: number): string[] {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      const text = bytes.toString('utf8', 0, read).trimEnd();
      return text === ''
        ? []
        : text
            .split('\n')
            .slice(-lines)
            .map((line) => visible(line, MAX_FIELD));
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}
