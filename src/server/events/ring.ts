/** One event as it is sent. */
export interface KeptEvent {
  readonly number: number;
  readonly bytes: Buffer;
}

/** The last events, as many as fit; the oldest go first. */
export interface Ring {
  add(number: number, bytes: Buffer): void;
  /** Number of the newest event; of the one before the first where there is none yet. */
  readonly newest: number;
  /** The event after this one; `lost` where it is not kept any more, null where there is none yet. */
  after(number: number): KeptEvent | 'lost' | null;
}

export function createRing(mostEvents: number, mostBytes: number): Ring {
  // A queue with a moving beginning, so that dropping the oldest costs nothing.
  let kept: KeptEvent[] = [];
  let first = 0;
  let size = 0;
  let newest = 0;
  /** The number before the first event that was ever added: who came before it has missed nothing. */
  let base: number | null = null;

  const drop = () => {
    size -= kept[first]?.bytes.length ?? 0;
    first += 1;
    if (first < 1024) return;
    kept = kept.slice(first);
    first = 0;
  };

  return {
    get newest() {
      return newest;
    },
    add(number, bytes) {
      if (base === null) {
        base = number - 1;
        newest = base;
      }
      // Numbers rise by one. If one was left out, nobody resumes across the gap.
      if (number !== newest + 1) {
        kept = [];
        first = 0;
        size = 0;
      }
      newest = number;
      kept.push({ number, bytes });
      size += bytes.length;
      while (kept.length - first > mostEvents || (size > mostBytes && kept.length - first > 1)) drop();
    },
    after(given) {
      const number = given === 0 ? (base ?? 0) : given;
      if (number === newest) return null;
      const oldest = kept[first]?.number;
      if (oldest === undefined || number < oldest - 1 || number > newest) return 'lost';
      return kept[first + (number + 1 - oldest)] ?? 'lost';
    },
  };
}
