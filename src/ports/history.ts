import type { HistoryRecord } from '../core/history/record.ts';

/** Where the daemon writes what it saw. Only whoever holds the daemon's lock may. */
export interface HistoryWriter {
  /** Adds records at the end, in one go; what is over the bounds goes, the oldest first. A text tells why it failed. */
  append(records: readonly HistoryRecord[], at: number): string | null;
  /** Makes what is full small, and waits for it. A text tells why it failed. */
  tidy(): Promise<string | null>;
  close(): void;
}

export interface HistoryPart {
  readonly records: readonly HistoryRecord[];
  /** Lines that are cut or garbled. */
  readonly damaged: number;
  /** Lines that only a newer version understands. */
  readonly unknown: number;
  /** Which part of how many, for whoever shows how far it is. */
  readonly part: number;
  readonly of: number;
}

/** What the daemon saw, for everybody, also while it writes. */
export interface HistoryReader {
  /** From the oldest on, beginning somewhat before `since`: changes build on what was told before them. */
  read(since: number): AsyncIterable<HistoryPart>;
}
