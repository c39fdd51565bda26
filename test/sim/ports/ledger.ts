import { factsAbout } from '../../../src/core/ledger/current-facts.ts';
import { entriesAbout } from '../../../src/core/ledger/entries-about.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import { lossBy } from '../../../src/core/ledger/loss.ts';
import type { DeclaredFacts, DeclaredReading } from '../../../src/ports/declared-facts.ts';
import type { Ledger, LedgerReach, LedgerSelection } from '../../../src/ports/ledger.ts';
import { ledgerOf } from './ledger-store.ts';
import type { Seat } from './seat.ts';

/** The ledger of the install that a process belongs to. */
export function ledger(seat: Seat, actorKind: string): Ledger {
  const { machine, install } = seat;
  const store = ledgerOf(install);
  const { machineId: host, bootId, pidNamespace } = machine.host.identity();
  const author = {
    ...{ host, bootId, actor: { kind: actorKind, pid: seat.process.pid, user: machine.user } },
    ...(pidNamespace !== undefined && { pidNamespace }),
  };
  const reading = () => {
    seat.step();
    if (seat.fault('ledger') !== null) throw new LedgerError('locked', 'the ledger is locked', 'try again');
  };
  const reach = (): LedgerReach => ({ isEmpty: store.entries.length === 0, head: store.head, damage: null });
  return {
    append(draft) {
      reading();
      const objection = install.objection();
      if (objection !== null) {
        throw new LedgerError(
          install.disk === 'full' ? 'full' : 'unavailable',
          objection,
          'look after the disk',
        );
      }
      const entry = store.append(draft, author, machine.clock.at);
      const { sequence, kind, action, session, cause, hash } = entry;
      machine.journal.note(seat.by, {
        ...{ what: 'recorded', install: install.name, sequence, kind, action, cause, hash },
        key: session?.key ?? null,
      });
      install.rings('ledger');
      return entry;
    },
    facts() {
      reading();
      return { ...reach(), folded: store.folded };
    },
    read(selection = {}) {
      reading();
      return { ...reach(), entries: selected(store.entries, selection) };
    },
    scan(begin) {
      reading();
      const visit = begin();
      for (const entry of store.entries) visit(entry);
      return reach();
    },
    verify(begin) {
      reading();
      const visit = begin?.();
      for (const entry of store.entries) visit?.(entry);
      const { entries } = store;
      const intents = entries.filter(({ kind }) => kind === 'intent').map(({ sequence }) => sequence);
      const settled = new Set(entries.flatMap(({ kind, cause }) => (kind === 'outcome' ? [cause] : [])));
      return {
        ...reach(),
        ...{ damage: store.check().damage, path: install.name, anchor: store.head, count: entries.length },
        ...{ firstAt: entries[0]?.at ?? null, lastAt: entries.at(-1)?.at ?? null },
        openIntents: intents.filter((sequence) => !settled.has(sequence)),
        repairs: entries.filter((entry) => lossBy(entry) !== null),
      };
    },
    repair: () => ({ state: 'intact' }),
    close() {},
  };
}

function selected(
  entries: readonly LedgerEntry[],
  { after, since, about, last }: LedgerSelection,
): readonly LedgerEntry[] {
  const later = after === undefined ? entries : entries.slice(after.sequence);
  const named = about === undefined ? later : entriesAbout(later, about);
  const recent = since === undefined ? named : named.filter(({ at }) => at >= since);
  return last === undefined ? recent : recent.slice(-last);
}

/** What the ledger says about sessions, for looks. */
export function declaredFacts(seat: Seat): DeclaredFacts {
  const store = ledgerOf(seat.install);
  let known: { readonly of: unknown; readonly reading: DeclaredReading } | null = null;
  return {
    current() {
      seat.step();
      if (seat.fault('ledger') !== null) {
        return { state: 'failed', text: 'the ledger is locked', hint: 'try again' };
      }
      const { folded } = store;
      if (known?.of === folded) return known.reading;
      const reading: DeclaredReading = {
        state: 'read',
        facts: folded.facts,
        about: (key) => factsAbout(folded, key),
      };
      known = { of: folded, reading };
      return reading;
    },
  };
}
