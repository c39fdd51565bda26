import type { SimClock } from './clock.ts';
import type { Journal } from './journal.ts';

/** What of rollcall's surroundings can be made to fail. */
export type PortName =
  | 'tmux.sense'
  | 'tmux.capture'
  | 'tmux.act'
  | 'processes'
  | 'shells'
  | 'git'
  | 'agents'
  | 'hooks'
  | 'pressure'
  | 'ledger'
  | 'archive'
  | 'conversations'
  | 'starts'
  | 'layouts'
  | 'recollections'
  | 'budget'
  | 'locks';

/**
 * `fail`: it says that it cannot. `hang`: nothing comes until its time limit is over; a tmux server does what it was asked when
 * the fault is over. `late`: the answer is what was so when it was asked. `garbled`: what comes is not understood.
 */
export type FaultKind = 'fail' | 'hang' | 'late' | 'garbled';

export interface Fault {
  readonly port: PortName;
  readonly how: FaultKind;
  readonly fromMs: number;
  readonly forMs: number;
  /** Only this socket; every one otherwise. */
  readonly server?: string;
  /** Only this process of rollcall. */
  readonly seat?: string;
  readonly lateMs?: number;
}

/** The faults of a world, as data. */
export class Faults {
  readonly #clock: SimClock;
  readonly #journal: Journal;
  #all: Fault[] = [];

  constructor(clock: SimClock, journal: Journal) {
    [this.#clock, this.#journal] = [clock, journal];
  }

  add(fault: Fault): void {
    this.#all.push(fault);
    const { port, how, forMs, fromMs } = fault;
    this.#clock.atMs(fromMs, () => this.#journal.note('story', { what: 'fault', port, how, forMs }));
  }

  /** The one that holds now; null where none does. */
  at(port: PortName, seat: string, server?: string): Fault | null {
    if (this.#all.length === 0) return null;
    const now = this.#clock.ms;
    this.#all = this.#all.filter(({ fromMs, forMs }) => now < fromMs + forMs);
    const isOn = (fault: Fault) =>
      fault.port === port &&
      now >= fault.fromMs &&
      (fault.seat === undefined || fault.seat === seat) &&
      (fault.server === undefined || fault.server === server);
    return this.#all.find(isOn) ?? null;
  }
}
