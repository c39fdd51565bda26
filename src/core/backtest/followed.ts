import type { GoneRecord } from '../history/record.ts';
import type { Witnessed } from '../history/witness.ts';
import type { Moment } from '../text/moment.ts';
import { type Aftermath, elapsed, useAfter, wentUnused } from './aftermath.ts';

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
