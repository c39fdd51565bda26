import { renameSync } from 'node:fs';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { tryOr } from '../../core/try-or.ts';
import type { DaemonLog } from '../../ports/daemon.ts';
import { readAt, withOwnFile } from '../files/own-file.ts';
import { appendTo } from '../files/replace-file.ts';

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
      if (appendTo(path, `${JSON.stringify(line)}\n`) >= maxBytes) renameSync(path, `${path}.1`);
    } catch {
      // See above.
    }
  };
  return {
    note: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warning', event, fields),
  };
}

/** The last lines of the log; none where it cannot be read. */
export function endOfLog(path: string, lines: number): string[] {
  return tryOr([], () => {
    const text = withOwnFile(path, { uid: null }, ({ file, entry }) => {
      const length = Math.min(Number(entry.size), TAIL_BYTES);
      return readAt(file, length, Number(entry.size) - length).toString('utf8');
    });
    const all = (text ?? '').trimEnd();
    if (all === '') return [];
    return all
      .split('\n')
      .slice(-lines)
      .map((line) => visible(line, MAX_FIELD));
  });
}
