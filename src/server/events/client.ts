import type { Ring } from './ring.ts';

/** Where events of one client go. */
export interface Outlet {
  /** False once nothing more should be written for now. */
  write(bytes: Buffer): boolean;
  end(): void;
  onDrain(call: () => void): void;
  onClose(call: () => void): void;
}

/** One who listens. What it has not got yet stays in the ring, so it costs a place in it and no memory of its own. */
export interface EventClient {
  /** Writes what there is, as far as it takes it; `lost` once it is so far behind that something is not kept any more. */
  pump(): 'done' | 'lost';
  write(bytes: Buffer): void;
  drained(): void;
  /** Shows that the connection lives; false where nothing was read for several of them. */
  beat(bytes: Buffer): boolean;
  end(): void;
}

/** A listener that is stopped for a moment is not sent away. */
const MOST_MISSED = 8;

export function createClient(outlet: Outlet, ring: Ring, from: number): EventClient {
  let at = from;
  let isFull = false;
  let missedBeats = 0;
  const write = (bytes: Buffer) => {
    isFull = !outlet.write(bytes);
  };
  return {
    pump() {
      while (!isFull) {
        const next = ring.after(at);
        if (next === null) return 'done';
        if (next === 'lost') return 'lost';
        at = next.number;
        write(next.bytes);
      }
      return ring.after(at) === 'lost' ? 'lost' : 'done';
    },
    write,
    drained() {
      isFull = false;
      missedBeats = 0;
    },
    beat(bytes) {
      missedBeats = isFull ? missedBeats + 1 : 0;
      if (!isFull) write(bytes);
      return missedBeats < MOST_MISSED;
    },
    end: () => outlet.end(),
  };
}
