import { constants, fstatSync, openSync, readSync } from 'node:fs';
import { tryOr } from '../../../core/try-or.ts';
import { withFile } from '../../files/own-file.ts';
import { readEnd } from '../common/read-file.ts';

/** How far a transcript was searched for timers. */
export interface TimerSearch {
  readonly inode: number;
  /** All bytes before this one were searched. */
  readonly searched: number;
  readonly isComplete: boolean;
  /** A timer was set, or may have been in a part that is lost. */
  readonly isSuspect: boolean;
}

// Calls (not descriptions) of tools that set timers, and what `/clear` writes when it carries timers over.
const MARKS = ['"name":"CronCreate","input"', '"name":"ScheduleWakeup","input"', '"session_cron_carry"'].map(
  (mark) => Buffer.from(mark),
);
const OVERLAP = Math.max(...MARKS.map((mark) => mark.length)) - 1;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Searches the new part of a transcript for timers, at most `maxBytes`. Neither status nor screen of Claude Code show
 * timers: without hooks, only a transcript that never sets one proves that there is none. Cancelled and fired timers
 * count too, because they cannot be told apart.
 */
export function searchTimers(path: string, before: TimerSearch | undefined, maxBytes: number) {
  return tryOr(null, () =>
    withFile(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), (file) => {
      const stat = fstatSync(file);
      if (!stat.isFile()) return null;
      const { ino, size } = stat;
      // A file that was replaced or cut short may have lost the record of a timer.
      const isLost = before !== undefined && (before.inode !== ino || size < before.searched);
      if (before?.isSuspect || isLost)
        return { inode: ino, searched: size, isComplete: true, isSuspect: true };
      return searchOn(file, ino, before?.searched ?? 0, size, maxBytes);
    }),
  );
}

function searchOn(file: number, inode: number, from: number, size: number, maxBytes: number): TimerSearch {
  const until = Math.min(size, from + maxBytes);
  for (let at = from; at < until; at += CHUNK_BYTES) {
    const start = Math.max(0, at - OVERLAP);
    const bytes = Buffer.alloc(Math.min(until, at + CHUNK_BYTES) - start);
    const chunk = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
    if (MARKS.some((mark) => chunk.includes(mark))) {
      return { inode, searched: size, isComplete: true, isSuspect: true };
    }
  }
  return { inode, searched: until, isComplete: until === size, isSuspect: false };
}

/**
 * Whether the process keeps the timers of a project, some of which outlive their conversation. Only one process at a
 * time does, and says so in a lock file. An unreadable lock may be its own.
 */
export function keepsSchedule(cwd: string, pid: number): boolean {
  const file = readEnd(`${cwd}/.claude/scheduled_tasks.lock`, 4096);
  if (file.state === 'absent') return false;
  const owner = file.state === 'read' ? /"pid":\s{0,4}(\d{1,10})\b/.exec(file.text)?.[1] : undefined;
  return owner === undefined || Number(owner) === pid;
}
