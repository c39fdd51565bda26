import { type ClosingBody, readClosing } from '../../../src/core/close/bodies.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type { JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { Kept } from './scene.ts';

/** Something that rollcall has begun: its intent, and what came of it. */
export interface Deed {
  readonly install: string;
  /** Who recorded the intent. */
  readonly by: string;
  readonly entry: LedgerEntry;
  readonly closing: ClosingBody;
  /** Of the story. */
  readonly atMs: number;
  readonly awakeMs: number;
  /** No person asked for it. */
  readonly isAutomatic: boolean;
  readonly outcomes: LedgerEntry[];
  readonly receipts: LedgerEntry[];
}

/** What ends a session or its agent. */
const CLOSES: ReadonlySet<string> = new Set(['close', 'hibernate']);

export function isClose({ entry }: Deed): boolean {
  return CLOSES.has(entry.action);
}

/** Follows all ledgers: which deeds there are, and how they stand. */
export class Deeds {
  readonly #machine: Machine;
  readonly #kept: Kept;
  readonly #byCause = new Map<string, Deed>();
  readonly #open = new Set<Deed>();
  readonly all: Deed[] = [];

  constructor(machine: Machine, kept: Kept) {
    [this.#machine, this.#kept] = [machine, kept];
  }

  on(entry: JournalEntry): void {
    if (entry.what !== 'recorded') return;
    const { install, sequence, kind, cause } = entry;
    if (kind === 'intent') this.#begin(install, entry.by, this.entryAt(install, sequence));
    const deed = cause === null ? undefined : this.#byCause.get(`${install} ${cause}`);
    if (deed === undefined) return;
    if (kind === 'receipt') deed.receipts.push(this.entryAt(install, sequence));
    if (kind !== 'outcome') return;
    deed.outcomes.push(this.entryAt(install, sequence));
    this.#open.delete(deed);
  }

  open(): ReadonlySet<Deed> {
    return this.#open;
  }

  /** The deed that something is done for: one that is open, by whoever does it before others, on that session or process. */
  of(by: string, about: { readonly key: string | null; readonly mark?: ProcessMark }): Deed | null {
    const { key, mark } = about;
    const found = [...this.#open].filter(
      ({ entry, closing }) =>
        (key !== null && entry.session?.key === key) || (mark !== undefined && names(closing, mark)),
    );
    return found.find((deed) => deed.by === by) ?? found[0] ?? null;
  }

  entryAt(install: string, sequence: number): LedgerEntry {
    const entries = this.#kept.entries(install);
    const found =
      entries[sequence - 1]?.sequence === sequence
        ? entries[sequence - 1]
        : entries.find((one) => one.sequence === sequence);
    if (found === undefined) throw new Error(`entry ${sequence} of ${install} was recorded and is not there`);
    return found;
  }

  #isUnasked(pid: number): boolean {
    const argv = this.#machine.processes.at(pid)?.argv ?? [];
    return argv.includes('--due') || argv.includes('--automatic');
  }

  #begin(install: string, by: string, entry: LedgerEntry): void {
    const { ms: atMs, awakeMs } = this.#machine.clock;
    const isAutomatic = entry.actor.kind === 'daemon' || this.#isUnasked(entry.actor.pid);
    const closing = readClosing(entry.body);
    const deed: Deed = {
      install,
      by,
      entry,
      closing,
      atMs,
      awakeMs,
      isAutomatic,
      outcomes: [],
      receipts: [],
    };
    this.#byCause.set(`${install} ${entry.sequence}`, deed);
    this.#open.add(deed);
    this.all.push(deed);
  }
}

/** Whether a close may end that very process, by its intent. */
export function names(
  { processes }: Pick<ClosingBody, 'processes'>,
  { pid, startTicks }: ProcessMark,
): boolean {
  return processes.some((one) => one.pid === pid && one.startTicks === startTicks);
}
