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
export interface Client {
  /** Writes what there is, as far as it takes it; `lost` once it is so far behind that something is not kept any more. */
  pump(): 'done' | 'lost';
  write(bytes: Buffer): void;
  drained(): void;
  /** Shows that the connection lives; false where nothing was read since the last one. */
  beat(bytes: Buffer): boolean;
  end(): void;
}

export function createClient(outlet: Outlet, ring: Ring, from: number): Client {
  let at = from;
  let isFull = false;
  let wasFullAtBeat = false;
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
      wasFullAtBeat = false;
    },
    beat(bytes) {
      if (isFull && wasFullAtBeat) return false;
      wasFullAtBeat = isFull;
      if (!isFull) write(bytes);
      return true;
    },
    end: () => outlet.end(),
  };
}
