import type { EntryDraft } from '../../core/ledger/entry.ts';
import { textIn } from '../../core/ledger/json-values.ts';
import { GOING_DOWN_MS, missingIn, missingNotes } from '../../core/restore/missing.ts';
import type { RestoreMode } from '../../core/restore/mode.ts';
import { offeredIn, offerNote, takenByBoot } from '../../core/restore/offer.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { Desk, RoundObserver } from './desk.ts';

/**
 * Has it recorded, once, that a session was gone while its server still answered: later, when the server is gone too, nobody
 * sees that any more. Not at once: a machine that goes down ends sessions some seconds before their server.
 */
export function createMissingObserver(
  ledger: Pick<Desk['ledger'], 'facts'>,
  record: (notes: readonly EntryDraft[]) => Promise<void>,
): RoundObserver {
  const lasting = lastingFor(GOING_DOWN_MS);
  return async ({ roll, now }) => {
    const missing = missingIn(roll.sessions);
    const keys = lasting(
      missing.map(({ key }) => key),
      now,
    );
    if (keys.size === 0) return;
    const { folded, damage } = ledger.facts();
    const notes = missingNotes(
      missing.filter(({ key }) => keys.has(key)),
      folded.facts,
    );
    if (damage === null && notes.length > 0) await record(notes);
  };
}

/** Which of some keys were told in every call for at least so long; awake time. */
export function lastingFor(ms: number): (keys: readonly string[], now: Moment) => ReadonlySet<string> {
  let since = new Map<string, number>();
  return (keys, { awakeMs }) => {
    since = new Map(keys.map((key) => [key, since.get(key) ?? awakeMs]));
    return new Set(keys.filter((key) => awakeMs - (since.get(key) ?? awakeMs) >= ms));
  };
}

interface OfferParts {
  readonly mode: RestoreMode;
  readonly ledger: Pick<Desk['ledger'], 'facts'>;
  record(notes: readonly EntryDraft[]): Promise<void>;
  onOffer(text: string): void;
  /** Brings agents back asleep; only asked where the mode says so. */
  restore(lost: readonly SessionEntry[]): Promise<void>;
}

/**
 * Offers once, in the ledger and in the log, to restore what was lost with its server. Nobody is told twice of the same. By
 * itself, and where that is wanted, it brings back only what a boot took and was not offered before. A server that has just
 * ended may have done so because the machine goes down: that is for after the boot.
 */
export function createRestoreObserver({ mode, ledger, record, onOffer, restore }: OfferParts): RoundObserver {
  const told = new Set<string>();
  const lasting = lastingFor(GOING_DOWN_MS);
  return async ({ roll, now }) => {
    const all = mode === 'off' ? [] : offeredIn(roll.sessions);
    const keys = lasting(
      all.map(({ key }) => key),
      now,
    );
    const lost = all.filter(({ key, lostBy }) => lostBy === 'restarted' || keys.has(key));
    if (lost.length === 0) return;
    const { facts } = ledger.facts().folded;
    for (const { key } of lost) if (facts.get(key)?.offered !== undefined) told.add(key);
    const note = offerNote(lost, told);
    if (note === null) return;
    const back = mode === 'asleep' ? takenByBoot(lost, told) : [];
    // What could not be recorded is offered again in the next round.
    await record([note]);
    for (const { key } of lost) told.add(key);
    onOffer(textIn(note.body?.text) ?? '');
    // Once, as it is told once: what could not be brought back is for a person.
    if (back.length > 0) await restore(back);
  };
}
