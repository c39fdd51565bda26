import { statSync } from 'node:fs';
import type { AgentProcess } from '../../../ports/agent.ts';
import { findTranscript, isFile, type TranscriptClues } from './find-transcript.ts';
import { searchTimers, type TimerSearch } from './timers.ts';
import { readTranscriptEnd, type TranscriptTale, taleOf } from './transcript.ts';

/** Transcripts, each found once and read again only where it changed. */
export interface Transcripts {
  /** `mark` changes with the agent: what was not found is looked for again only then. */
  find(agent: AgentProcess, clues: TranscriptClues & { readonly mark: string }): string | null;
  read(path: string): TranscriptTale | null;
  /** Whether the whole of it was searched and sets no timer. */
  isTimerless(path: string, now: number): boolean;
}

const MAX_KEPT = 4096;
const SEARCH_WINDOW_MS = 500;
const SEARCH_BYTES_PER_WINDOW = 16 * 1024 * 1024;

/** Makes the keeper of transcripts of one adapter. */
export function createTranscripts(): Transcripts {
  const paths = new Map<string, { readonly mark: string; readonly path: string | null }>();
  const tales = new Map<string, { readonly mark: string; readonly tale: TranscriptTale | null }>();
  const searches = new Map<string, TimerSearch>();
  const budget = { since: Number.NEGATIVE_INFINITY, left: 0 };

  return {
    find({ pid, startTicks }, { mark, ...clues }) {
      const key = `${pid} ${startTicks} ${clues.conversation}`;
      const known = paths.get(key);
      if (known?.path ? isFile(known.path) : known?.mark === mark) return known?.path ?? null;
      const path = findTranscript(clues);
      keep(paths, key, { mark, path });
      return path;
    },
    read(path) {
      const mark = markOf(path);
      const known = tales.get(path);
      if (known && known.mark === mark) return known.tale;
      const file = readTranscriptEnd(path);
      const tale = file.state === 'read' ? taleOf(file.text) : null;
      // What was read may be newer than the mark: then it is read once more, never kept for too long.
      if (mark !== null) keep(tales, path, { mark, tale });
      return tale;
    },
    isTimerless(path, now) {
      if (now < budget.since || now - budget.since >= SEARCH_WINDOW_MS) {
        Object.assign(budget, { since: now, left: SEARCH_BYTES_PER_WINDOW });
      }
      const before = searches.get(path);
      const found = searchTimers(path, before, budget.left);
      if (found === null) return false;
      budget.left = Math.max(0, budget.left - (found.searched - (before?.searched ?? 0)));
      keep(searches, path, found);
      return found.isComplete && !found.isSuspect;
    },
  };
}

function markOf(path: string): string | null {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return null;
  }
}

// The oldest go first; what is still needed comes back with its next use.
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}
