import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { EntryDraft } from '../../core/ledger/entry.ts';
import { textIn } from '../../core/ledger/json.ts';
import { isExpected } from '../../core/memory/lost.ts';
import {
  GOING_DOWN_MS,
  missingIn,
  missingNotes,
  offeredIn,
  offerNote,
  type RestoreMode,
  takenByBoot,
} from '../../core/restore/offer.ts';
import { isGone, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { Ends } from '../../ports/records.ts';
import { unsettledIn } from '../act/ends/record-ends.ts';
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
    const keys = lasting(missing, now);
    if (keys.size === 0) return;
    const { folded, damage } = ledger.facts();
    const gone = missing.filter(({ key }) => keys.has(key));
    const notes = missingNotes(gone, folded.facts);
    if (damage === null && notes.length > 0) await record(notes);
  };
}

/** Which of some sessions, by their keys, were told in every call for at least so long; awake time. */
function lastingFor(ms: number) {
  let since = new Map<string, number>();
  return (all: readonly Pick<SessionEntry, 'key'>[], { awakeMs }: Moment): ReadonlySet<string> => {
    since = new Map(all.map(({ key }) => [key, since.get(key) ?? awakeMs]));
    return new Set([...since].flatMap(([key, at]) => (awakeMs - at >= ms ? [key] : [])));
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
    const keys = lasting(all, now);
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

/**
 * Has the ends taken into the ledger that tmux wrote down, as soon as a round shows that their sessions are gone, and has
 * those settled that were held up and are not any more. Whatever is done with hands records them, so nothing else is asked
 * for; an end that could not be recorded is not tried twice.
 */
export function createEndsObserver(
  desk: Pick<Desk, 'ledger' | 'withHands'>,
  ends: Pick<Ends, 'all'>,
): RoundObserver {
  let tried = '';
  return async ({ roll, now }) => {
    const runs = ends.all().map(({ run }) => run);
    const facts = [...desk.ledger.facts().folded.facts.values()];
    const released = unsettledIn(facts, now).map(({ key }) => key);
    const due = [...dueRuns(runs, facts, roll), ...released.sort()].join(' ');
    if (due === tried) return;
    tried = due;
    if (due !== '') await desk.withHands(async () => {});
  };
}

function dueRuns(runs: readonly string[], facts: readonly SessionFacts[], { sessions }: Roll): string[] {
  const there = new Set(sessions.filter((entry) => !isGone(entry)).map(({ key }) => key));
  const gone = facts.filter((one) => isExpected(one) && !there.has(one.key));
  const known = new Set(gone.map(({ origin }) => origin?.run));
  return runs.filter((run) => known.has(run)).sort();
}
