import { grouped } from '../grouped.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import { readReapEvent } from './record.ts';

const KINDS: Readonly<Record<string, ReapEvent['kind']>> = {
  'reap-chosen': 'chosen',
  'reap-spared': 'spared',
  'reap-would-close': 'would-close',
  'reap-closed': 'closed',
  'reap-skipped': 'skipped',
  'reap-failed': 'failed',
  'reap-breaker': 'breaker-tripped',
  'reap-mode': 'mode-changed',
};

/** The ledger's clock is read when a note is written, which is later than what it tells of. */
const LATER_MS = 120_000;

/** What the reaper did, from the notes that it left in the ledger; a note that is not understood tells nothing. */
export function eventsInLedger(entries: readonly LedgerEntry[]): ReapEvent[] {
  return entries.flatMap((entry) => eventOf(entry) ?? []);
}

/** Those of the ledger that the history does not tell of already. */
export function missingIn(history: readonly ReapEvent[], ledger: readonly ReapEvent[]): ReapEvent[] {
  const told = grouped(history, matterOf);
  return ledger.filter((event) => {
    const same = told.get(matterOf(event)) ?? [];
    return !same.some(({ at }) => Math.abs(event.at - at) <= LATER_MS);
  });
}

function matterOf({ kind, session, code }: ReapEvent): string {
  return kind === 'mode-changed' ? kind : `${kind} ${session?.key} ${code}`;
}

function eventOf({ kind, action, at, session, body }: LedgerEntry): ReapEvent | null {
  const eventKind = kind === 'note' ? KINDS[action] : undefined;
  if (eventKind === undefined) return null;
  const about = session?.key ? { key: session.key, name: session.name } : null;
  if (eventKind !== 'mode-changed') return readReapEvent({ ...body, kind: eventKind, at, session: about });
  const { from, to } = body;
  const none = { relief: null, memoryBytes: null, receipt: null, tier: 'normal', session: null };
  return readReapEvent({
    ...none,
    kind: eventKind,
    at,
    mode: to,
    code: 'mode-changed',
    text: `${from} to ${to}`,
  });
}
