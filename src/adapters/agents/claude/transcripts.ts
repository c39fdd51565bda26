import type { AgentProcess } from '../../../ports/agent.ts';
import { createFileCache } from '../../files/file-mark.ts';
import { createKeep } from '../../files/keep.ts';
import { readEnd } from '../common/read-file.ts';
import { findTranscript, isFile, type TranscriptClues } from './find-transcript.ts';
import { searchTimers, type TimerSearch } from './timers.ts';
import { type TranscriptTale, taleOf } from './transcript.ts';

export type ClaudeTranscripts = ReturnType<typeof createTranscripts>;

const MAX_KEPT = 4096;
const END_BYTES = 256 * 1024;
const SEARCH_WINDOW_MS = 500;
const SEARCH_BYTES_PER_WINDOW = 16 * 1024 * 1024;

/** Transcripts, each found once and read again only where it changed. */
export function createTranscripts() {
  const paths = createKeep<{ readonly mark: string; readonly path: string | null }>(MAX_KEPT);
  const tales = createFileCache(MAX_KEPT, (path): TranscriptTale | null => {
    const file = readEnd(path, END_BYTES);
    return file.state === 'read' ? taleOf(file.text) : null;
  });
  const searches = createKeep<TimerSearch>(MAX_KEPT);
  const budget = { since: Number.NEGATIVE_INFINITY, left: 0 };

  return {
    /** `mark` changes with the agent: what was not found is looked for again only then. */
    find({ pid, startTicks }: AgentProcess, { mark, ...clues }: TranscriptClues & { mark: string }) {
      const key = `${pid} ${startTicks} ${clues.conversation}`;
      const known = paths.get(key);
      if (known?.path ? isFile(known.path) : known?.mark === mark) return known?.path ?? null;
      return paths.set(key, { mark, path: findTranscript(clues) }).path;
    },
    read: tales,
    /** Whether the whole of it was searched and sets no timer. */
    isTimerless(path: string, now: number): boolean {
      if (now < budget.since || now - budget.since >= SEARCH_WINDOW_MS) {
        Object.assign(budget, { since: now, left: SEARCH_BYTES_PER_WINDOW });
      }
      const before = searches.get(path);
      const found = searchTimers(path, before, budget.left);
      if (found === null) return false;
      budget.left = Math.max(0, budget.left - (found.searched - (before?.searched ?? 0)));
      searches.set(path, found);
      return found.isComplete && !found.isSuspect;
    },
  };
}
