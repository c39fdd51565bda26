import type { KeptPiece } from '../history/kept-piece.ts';
import type { GoneRecord } from '../history/record.ts';
import type { Witnessed } from '../history/witness.ts';
import type { Moment } from '../text/moment.ts';
import { AT_WORK } from '../verdict/verdict.ts';

/** What happened to a session after the moment at which it would have been closed. All times are awake time. */
export type Aftermath =
  /** Somebody or something used it: closing it would have been felt. */
  | { readonly kind: 'used-again'; readonly afterMs: number; readonly how: 'turn' | 'person' | 'activity' }
  /** It went without having been used again. */
  | { readonly kind: 'went-unused'; readonly afterMs: number; readonly by: 'rollcall' | 'others' }
  /** Not used again up to the end of the record. */
  | { readonly kind: 'still-there'; readonly watchedMs: number }
  /** It went while nobody looked: whether it was used before that, nobody knows. */
  | { readonly kind: 'went-unseen'; readonly watchedMs: number };

/** How a session was used after a moment; null where it was not. */
export function useAfter(session: Witnessed, closed: Moment): 'turn' | 'person' | 'activity' | null {
  const pieces = Object.values(session.pieces ?? {});
  if (AT_WORK.has(session.verdict.activity) || pieces.some((piece) => isTurn(piece, closed))) return 'turn';
  if (pieces.some((piece) => isPerson(piece, closed))) return 'person';
  return pieces.some((piece) => isActivity(piece, closed)) ? 'activity' : null;
}

/** How long after it, and by whom. */
export function wentUnused({ how, now }: GoneRecord, closed: Moment): Aftermath {
  return { kind: 'went-unused', afterMs: elapsed(closed, now), by: how === 'closed' ? 'rollcall' : 'others' };
}

export function elapsed(from: Moment, to: Moment): number {
  return Math.max(0, to.awakeMs - from.awakeMs);
}

function isTurn(piece: KeptPiece, { at }: Moment): boolean {
  return piece.kind === 'agent-sign' && (piece.turn === 'running' || isLater(piece.since, at));
}

// Who attached, and who asked for it to be kept.
function isPerson(piece: KeptPiece, { at }: Moment): boolean {
  if (piece.kind === 'people') return piece.clients.length > 0 || isLater(piece.lastAttachedAt, at);
  return piece.kind === 'standing' && (isLater(piece.held?.at, at) || isLater(piece.retained?.at, at));
}

// Also work that left the screen as it was.
function isActivity(piece: KeptPiece, { at, awakeMs }: Moment): boolean {
  if (piece.kind === 'pane') return isLater(piece.lastOutputAt, at);
  return piece.kind === 'history' && isLater(piece.disturbedFromMs, awakeMs);
}

/** tmux tells times in whole seconds, and clocks are read one after the other. */
const GRAIN_MS = 2000;

function isLater(value: number | undefined, than: number): boolean {
  return value !== undefined && value > than + GRAIN_MS;
}

/** Sessions that would have been closed, followed through what really happened to them. */
export class Followed<C extends { readonly key: string }> {
  readonly #open = new Map<string, { close: C; at: Moment; seenAt: Moment }[]>();
  readonly #found = new Map<C, Aftermath>();
  readonly #all: C[] = [];

  follow(close: C, at: Moment): void {
    this.#all.push(close);
    this.#open.set(close.key, [...(this.#open.get(close.key) ?? []), { close, at, seenAt: at }]);
  }

  /** One more record about a session. */
  seen(session: Witnessed): void {
    const open = this.#open.get(session.key) ?? [];
    for (const one of open) {
      one.seenAt = session.seenAt;
      const how = useAfter(session, one.at);
      if (how !== null) {
        this.#found.set(one.close, { kind: 'used-again', afterMs: elapsed(one.at, session.seenAt), how });
      }
    }
    const left = open.filter(({ close }) => !this.#found.has(close));
    if (left.length !== open.length) this.#open.set(session.key, left);
  }

  gone(record: GoneRecord): void {
    this.#settle(record.key, ({ at }) => wentUnused(record, at));
  }

  /** The daemon looked again and did not find it. */
  missing(key: string): void {
    this.#settle(key, ({ at, seenAt }) => ({ kind: 'went-unseen', watchedMs: elapsed(at, seenAt) }));
  }

  /** All of them, in order, with what became of each by then. */
  finish(end: Moment): (C & { readonly aftermath: Aftermath })[] {
    for (const key of [...this.#open.keys()]) {
      this.#settle(key, ({ at }) => ({ kind: 'still-there', watchedMs: elapsed(at, end) }));
    }
    return this.#all.map((close) => ({ ...close, aftermath: this.#found.get(close) as Aftermath }));
  }

  #settle(key: string, aftermath: (one: { at: Moment; seenAt: Moment }) => Aftermath): void {
    for (const one of this.#open.get(key) ?? []) this.#found.set(one.close, aftermath(one));
    this.#open.delete(key);
  }
}
