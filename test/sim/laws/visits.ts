import type { SimClock } from '../machine/clock.ts';
import type { JournalEntry } from '../machine/journal.ts';

/** Remembers when somebody was last in a session, on the clock that stands still while the machine is suspended. */
export class Visits {
  readonly #clock: SimClock;
  readonly #leftMs = new Map<string, number>();

  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  on(entry: JournalEntry): void {
    if (entry.what === 'detached' || entry.what === 'client-input')
      this.#leftMs.set(entry.key, this.#clock.awakeMs);
  }

  /** For how long nobody was there, awake ms; infinite where nobody ever was. */
  awayMs(key: string): number {
    const left = this.#leftMs.get(key);
    return left === undefined ? Number.POSITIVE_INFINITY : this.#clock.awakeMs - left;
  }
}
