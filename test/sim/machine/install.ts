import type { HookMemory } from '../../../src/core/agent/hook-memory.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import { newSpool, type Spool } from './hooks.ts';
import type { By, Journal } from './journal.ts';
import type { WrittenEnd } from './tmux-parts.ts';

/** How the disk below a state folder does. */
export type DiskMood = 'well' | 'full' | 'failing';

/** A value in a file; what was not brought to the disk is lost with the power. */
export class SimFile<T> {
  now: T | null = null;
  onDisk: T | null = null;

  write(value: T, isDurable: boolean): void {
    this.now = value;
    if (isDurable) this.onDisk = value;
  }

  losePower(): void {
    this.now = this.onDisk;
  }
}

/** A state folder: everything that rollcalls of one install keep on the disk. */
export class Install {
  readonly name: string;
  readonly spool: Spool = newSpool();
  /** What was heard until now, by agent kind and conversation. */
  readonly heard = new Map<string, HookMemory>();
  readonly ends = new Map<string, WrittenEnd>();
  /** Files by name, whatever the ports keep in them. */
  readonly files = new Map<string, SimFile<unknown>>();
  disk: DiskMood = 'well';
  readonly #journal: Journal;
  readonly #bells = new Set<(why: Wake) => void>();

  constructor(name: string, journal: Journal) {
    [this.name, this.#journal] = [name, journal];
  }

  setDisk(mood: DiskMood, by: By): void {
    this.disk = mood;
    this.#journal.note(by, { what: 'disk', install: this.name, mood });
  }

  /** A file, typed by whoever keeps it: each name has one keeper. */
  file<T>(name: string): SimFile<T> {
    const known = this.files.get(name) ?? new SimFile<unknown>();
    this.files.set(name, known);
    return known as SimFile<T>;
  }

  /** Why nothing can be written now; null where it can. */
  objection(): string | null {
    if (this.disk === 'full') return 'no space left on device';
    return this.disk === 'failing' ? 'input/output error' : null;
  }

  /** Calls back when something in the folder changes that a daemon watches; returns what ends that. */
  onRing(bell: (why: Wake) => void): () => void {
    this.#bells.add(bell);
    return () => {
      this.#bells.delete(bell);
    };
  }

  rings(why: Wake): void {
    for (const bell of this.#bells) bell(why);
  }

  losePower(): void {
    for (const file of this.files.values()) file.losePower();
  }
}
