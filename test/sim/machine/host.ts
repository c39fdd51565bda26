import type { HostIdentity } from '../../../src/core/sight/identity.ts';
import type { HostMemory } from '../../../src/core/sight/process.ts';
import type { Journal } from './journal.ts';
import type { Rng } from './rng.ts';

const GIB = 1024 ** 3;

/** What a machine is and how its memory stands. */
export class SimHost {
  readonly name = 'sim';
  readonly machineId: string;
  bootId: string;
  totalBytes = 32 * GIB;
  /** Without what processes give back when they end; `endedBytes` are added until the level is set anew. */
  availableBytes = 20 * GIB;
  /** PSI: share of the time in which some process, or all of them, waited for memory; percent. */
  stallSome = 0;
  stallFull = 0;
  readonly #rng: Rng;
  readonly #journal: Journal;
  #identity: HostIdentity;

  constructor(rng: Rng, journal: Journal) {
    [this.#rng, this.#journal] = [rng, journal];
    this.machineId = rng.hex(32);
    this.bootId = rng.uuid();
    this.#identity = this.#told();
  }

  identity(): HostIdentity {
    return this.#identity;
  }

  memory(): HostMemory {
    return { totalBytes: this.totalBytes, availableBytes: this.availableBytes, source: 'MemAvailable' };
  }

  /** Memory stands so from now on. */
  setMemory({ availableBytes, stallSome = 0, stallFull = 0 }: MemoryLevel): void {
    [this.availableBytes, this.stallSome, this.stallFull] = [availableBytes, stallSome, stallFull];
    this.#journal.note('kernel', { what: 'memory', availableBytes, stallPercent: stallSome });
  }

  /** What a process that has ended gives back; not told of, since its end is. */
  giveBack(bytes: number): void {
    this.availableBytes = Math.min(this.totalBytes, this.availableBytes + bytes);
  }

  /** The machine starts anew. */
  reboot(): void {
    this.bootId = this.#rng.uuid();
    this.#identity = this.#told();
    this.#journal.note('kernel', { what: 'rebooted', bootId: this.bootId });
  }

  #told(): HostIdentity {
    const { machineId, bootId, name } = this;
    return { machineId, bootId, name, pidNamespace: '4026531836' };
  }
}

/** A level of memory, as a story sets it. */
export interface MemoryLevel {
  readonly availableBytes: number;
  readonly stallSome?: number;
  readonly stallFull?: number;
}

/** Levels by the tier that the defaults of rollcall make of them. */
export const MEMORY_LEVELS = {
  normal: { availableBytes: 20 * GIB },
  warning: { availableBytes: 3 * GIB, stallSome: 12 },
  critical: { availableBytes: 0.6 * GIB, stallSome: 45, stallFull: 20 },
} as const satisfies Readonly<Record<string, MemoryLevel>>;
