import type { ArchiveCheck } from '../core/close/seal.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { JsonObject } from '../core/ledger/json.ts';
import type { LedgerDamage } from '../core/ledger/verify-chain.ts';
import type { LedgerCheck, LedgerReading, LedgerRepair } from '../ports/ledger.ts';
import { toDocument } from './document.ts';
import type { LogDocument, LogLine, VerifyDocument } from './ledger-schemas.ts';

type EntryObject = LogLine['entry'];

/** Entries as `rollcall log --json` prints them. */
export function toLogDocument(
  page: Pick<LedgerReading, 'entries' | 'head' | 'damage'> & { readonly next: number | null },
): LogDocument {
  const { sequence, hash } = page.head;
  const entries = page.entries.map(entryObject);
  return toDocument({
    entries,
    next: page.next,
    head: { sequence, hash },
    damage: damageObject(page.damage),
  });
}

/** One entry as `rollcall log --follow --json` prints it. */
export function toLogLine(entry: LedgerEntry): LogLine {
  return toDocument({ entry: entryObject(entry) });
}

/** A check as `rollcall verify --json` prints it. */
export function toVerifyDocument(
  check: LedgerCheck,
  repair: LedgerRepair | null,
  archives: ArchiveCheck,
): VerifyDocument {
  const { count, firstAt, lastAt, openIntents, damage, isEmpty, path, head, anchor } = check;
  return toDocument({
    state: damage !== null ? 'damaged' : isEmpty ? 'empty' : 'intact',
    path,
    entries: count,
    ...{ firstAt, lastAt },
    head: { sequence: head.sequence, hash: head.hash },
    anchoredTo: anchor?.sequence ?? null,
    openIntents,
    damage: damageObject(damage),
    repairs: repairsIn(check.repairs),
    archives,
    repaired: repair === null || repair.state === 'intact' ? null : repairObject(repair),
  });
}

/** Earlier damages, from the notes that their repairs left. */
export function repairsIn(notes: readonly LedgerEntry[]): VerifyDocument['repairs'] {
  return notes.map(({ at, sequence, body }) => ({
    at,
    sequence: sequence - 1,
    left: String(body.left),
    text: String(body.text),
  }));
}

function repairObject(repair: Extract<LedgerRepair, { state: 'repaired' }>) {
  const { leftPath, path, kept, damage } = repair;
  return { leftPath, path, kept, damage };
}

export function entryObject(entry: LedgerEntry): EntryObject {
  const { sequence, at, host, bootId, actor, kind, action, session, cause, body, previous, hash } = entry;
  return {
    ...{ sequence, at, host, bootId, kind, action, cause, previous, hash },
    actor: { kind: actor.kind, pid: actor.pid, user: actor.user },
    session: session && { key: session.key, name: session.name },
    body: body as { [key: string]: JsonObject[string] },
  };
}

export function damageObject(damage: LedgerDamage | null): LogDocument['damage'] {
  return damage && { reason: damage.reason, sequence: damage.sequence, text: damage.text };
}
