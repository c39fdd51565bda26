import type { ReapEvent, ReapMode } from '../reaper/standing.ts';
import { isGone, type SessionEntry } from '../sight/roll.ts';
import type { Round } from '../supervision/round.ts';
import type { Moment } from '../text/moment.ts';
import { visible } from '../text/visible.ts';
import { keepEvidence } from './keep-evidence.ts';
import type { KeptPiece, KeptPieces } from './kept-piece.ts';
import { type Gauge, gaugeOf, hasMoved, pressureRecord } from './pressure-record.ts';
import { type Print, printOf } from './print.ts';
import { BEAT_MS, type GoneRecord, type HistoryRecord, type SeenRecord, WHOLE_MS } from './record.ts';

/** Something always goes on in a session that works; once in this time is enough to know it. */
const MOTION_MS = 30_000;

interface Told {
  readonly print: Print;
  readonly number: number;
  readonly name: string;
  readonly isClosing: boolean;
  readonly toldAwakeMs: number;
  readonly wholeAwakeMs: number;
  /** Each piece as it was last written, by subject. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Turns rounds into records: only what changed, and now and then everything. Its memory is that of the live sessions. */
export class Recorder {
  readonly #freshMs: number;
  #told = new Map<string, Told>();
  #gauge: Gauge | null = null;
  #mode: ReapMode | null = null;
  #beatAwakeMs = Number.NEGATIVE_INFINITY;

  /** Evidence older than `freshMs` counted for nothing when it was seen. */
  constructor({ freshMs }: { readonly freshMs: number }) {
    this.#freshMs = freshMs;
  }

  started(now: Moment): HistoryRecord[] {
    this.forget();
    return this.#noting([{ kind: 'start', now }], now);
  }

  stopped(now: Moment): HistoryRecord[] {
    return this.#noting([{ kind: 'stop', now }], now);
  }

  /** What was given last may not have been written: from here on nothing builds on it. */
  forget(): void {
    this.#told = new Map();
    this.#gauge = null;
    this.#mode = null;
    this.#beatAwakeMs = Number.NEGATIVE_INFINITY;
  }

  round(round: Round): HistoryRecord[] {
    const { now } = round;
    const records: HistoryRecord[] = [
      ...this.#pressure(round),
      ...this.#modeOf(round),
      ...this.#sessions(round),
      ...round.changes.flatMap((change): HistoryRecord[] =>
        change.kind === 'reaper' ? [{ kind: 'reap', now, event: shown(change.event) }] : [],
      ),
    ];
    const isSilent = records.length === 0 && now.awakeMs - this.#beatAwakeMs >= BEAT_MS;
    return this.#noting(isSilent ? [{ kind: 'beat', now }] : records, now);
  }

  #noting(records: HistoryRecord[], { awakeMs }: Moment): HistoryRecord[] {
    if (records.length > 0) this.#beatAwakeMs = awakeMs;
    return records;
  }

  #pressure({ pressure, now }: Round): HistoryRecord[] {
    const gauge = gaugeOf(pressure, now.awakeMs);
    if (this.#gauge !== null && !hasMoved(this.#gauge, gauge)) return [];
    this.#gauge = gauge;
    return [pressureRecord(pressure, now)];
  }

  #modeOf({ reaper: { mode, wanted }, now }: Round): HistoryRecord[] {
    if (this.#mode === mode) return [];
    this.#mode = mode;
    return [{ kind: 'mode', now, mode, wanted }];
  }

  #sessions({ roll, now }: Round): HistoryRecord[] {
    const records: HistoryRecord[] = [];
    const there = new Set<string>();
    const lost = new Set<string>();
    for (const entry of roll.sessions) {
      const isThere = !isGone(entry);
      if (isThere) there.add(entry.key);
      else if (entry.lifecycle === 'lost') lost.add(entry.key);
      const seen = isThere ? this.#seen(entry, now) : null;
      if (seen) records.push(seen);
    }
    for (const [key, told] of this.#told) {
      if (there.has(key)) continue;
      this.#told.delete(key);
      records.push(goneRecord(key, told, lost.has(key), now));
    }
    return records;
  }

  #seen(entry: SessionEntry, now: Moment): SeenRecord | null {
    const print = printOf(entry, now, this.#freshMs);
    const earlier = this.#told.get(entry.key);
    if (earlier && !isWorthTelling(earlier, print, now)) return null;
    const pieces = keepEvidence(entry.evidence, now);
    const texts = new Map(
      Object.entries(pieces ?? {}).map(([subject, piece]) => [subject, JSON.stringify(piece)]),
    );
    const isWhole = !earlier || pieces === null || now.awakeMs - earlier.wholeAwakeMs >= WHOLE_MS;
    const number = earlier ? earlier.number + 1 : 0;
    this.#told.set(entry.key, {
      ...{ print, number, name: entry.name, texts, toldAwakeMs: now.awakeMs },
      isClosing: entry.lifecycle === 'closing',
      wholeAwakeMs: isWhole ? now.awakeMs : earlier.wholeAwakeMs,
    });
    const { activity, waitingFor, lifecycle, since } = entry;
    return {
      ...{ kind: 'seen', now, key: entry.key, name: visible(entry.name, NAME_LENGTH) },
      ...{ server: visible(entry.server.label, NAME_LENGTH), memoryBytes: entry.memoryBytes },
      ...{ verdict: { activity, waitingFor, lifecycle, since }, number, isWhole },
      pieces: isWhole || pieces === null ? pieces : changedIn(pieces, texts, earlier.texts),
      dropped: isWhole ? [] : [...earlier.texts.keys()].filter((subject) => !texts.has(subject)),
    };
  }
}

const NAME_LENGTH = 300;

function shown(event: ReapEvent): ReapEvent {
  const { session, text } = event;
  return {
    ...event,
    session: session && { key: session.key, name: visible(session.name, NAME_LENGTH) },
    text: visible(text, NAME_LENGTH),
  };
}

function isWorthTelling(earlier: Told, print: Print, { awakeMs }: Moment): boolean {
  if (earlier.print.state !== print.state || awakeMs - earlier.wholeAwakeMs >= WHOLE_MS) return true;
  return earlier.print.motion !== print.motion && awakeMs - earlier.toldAwakeMs >= MOTION_MS;
}

function changedIn(
  pieces: KeptPieces,
  texts: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
): Record<string, KeptPiece> {
  return Object.fromEntries(
    Object.entries(pieces).filter(([subject]) => texts.get(subject) !== before.get(subject)),
  );
}

function goneRecord(key: string, { name, isClosing }: Told, isLost: boolean, now: Moment): GoneRecord {
  const how = isLost ? 'lost' : isClosing ? 'closed' : 'ended';
  return { kind: 'gone', now, key, name: visible(name, NAME_LENGTH), how };
}
