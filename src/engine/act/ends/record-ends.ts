import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import { type EndRecord, endBody, endWords, type ProgramEnd } from '../../../core/memory/ended.ts';
import { isFinished } from '../../../core/memory/gone.ts';
import { isExpected } from '../../../core/memory/lost.ts';
import { ownEnd } from '../../../core/memory/seen-life.ts';
import { identityOf, type SessionEntry } from '../../../core/sight/roll.ts';
import type { Moment } from '../../../core/text/moment.ts';
import { declaredOf } from '../../../core/verdict/declared.ts';
import { settleGone } from '../close/settle-lost.ts';
import { recordStep, sessionLock } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { ORPHAN_MS, runsIn } from '../keep-start.ts';

/** An end that is in the ledger now. */
export interface RecordedEnd {
  readonly session: { readonly key: string; readonly name: string };
  readonly isFinished: boolean;
}

/**
 * Takes the ends that tmux wrote down into the ledger, once their sessions are exactly gone. What has finished is settled
 * with a receipt; what was held up is settled once nothing holds it up. Each step can be done again: a record goes only
 * when all of it is in the ledger.
 */
export async function recordEnds(hands: Hands): Promise<readonly RecordedEnd[]> {
  const due = [...dueRecords(hands), ...heldUpBefore(hands)];
  if (due.length === 0) return [];
  const { sessions } = await hands.look({ isWithClosed: true });
  const byKey = new Map(sessions.map((entry) => [entry.key, entry]));
  const recorded: RecordedEnd[] = [];
  for (const { record, key } of due) {
    const entry = byKey.get(key);
    // It stands with a dead pane, or nobody can tell; or its program was not all of it.
    if (entry?.ended === undefined || entry.receipt !== undefined) continue;
    const one = await recordEnd(hands, { ...entry, ended: entry.ended }, record);
    if (one !== null) recorded.push(one);
  }
  return recorded;
}

interface Due {
  /** Null where the ledger has it already. */
  readonly record: EndRecord | null;
  readonly key: string;
}

/** Ends in the ledger that wait for a receipt, and need not wait any more. */
function heldUpBefore(hands: Hands): Due[] {
  const { facts } = hands.ledger.facts().folded;
  return unsettledIn(facts.values(), hands.moment()).map(({ key }) => ({ record: null, key }));
}

/** Sessions of which the ledger knows that they have finished, and that have no receipt. */
export function unsettledIn(facts: Iterable<SessionFacts>, now: Moment): SessionFacts[] {
  return [...facts].filter(
    (one) => isExpected(one) && one.ended && isFinished(one.ended, declaredOf(one), now),
  );
}

function dueRecords(hands: Hands): Due[] {
  const records = hands.ends.all();
  if (records.length === 0) return [];
  const { byRun, begun } = runsIn(hands.ledger.facts().folded);
  return records.flatMap((record) => {
    const known = byRun.get(record.run);
    if (isExpected(known)) return [{ record, key: known.key }];
    const isOld = hands.now() - record.endedAt > ORPHAN_MS;
    if (known === undefined ? isOld && !begun.has(record.run) : known.closing === null) {
      hands.ends.drop(record.run);
    }
    return [];
  });
}

type Ended = SessionEntry & { readonly ended: ProgramEnd };

async function recordEnd(hands: Hands, entry: Ended, record: EndRecord | null): Promise<RecordedEnd | null> {
  const { ended } = entry;
  const session = { key: entry.key, name: entry.name };
  const taken = hands.locks.tryLock(sessionLock(session), { task: 'end', argv: [] });
  // Whoever closes it has a receipt for it.
  if (taken.state !== 'held') return null;
  let known: SessionFacts | undefined;
  try {
    known = factsOf(hands, session);
    if (known === undefined || !isExpected(known)) return null;
    if (record !== null && known.ended?.endedAt !== record.endedAt) {
      // Somebody may have counted on it since it was looked at.
      if (ownEnd(record, known, undefined).end === null) return null;
      const body = { run: record.run, text: endWords(ended), ...endBody(ended) };
      recordStep(hands, 'end', { kind: 'declared', action: 'end', session, body });
    }
  } finally {
    taken.hold.release();
  }
  const hasFinished = isFinished(ended, declaredOf(known), hands.moment());
  if (hasFinished && !(await settleFinished(hands, entry, endWords(ended)))) return null;
  if (record !== null) hands.ends.drop(record.run);
  return { session, isFinished: hasFinished };
}

/** Gives a session that has finished its receipt. False where somebody else is at it. */
async function settleFinished(hands: Hands, entry: SessionEntry, reason: string): Promise<boolean> {
  const { server } = identityOf(entry);
  const performed = await settleGone(hands, entry, {
    ...{ argv: [], text: reason },
    intend: (facts) => (isExpected(facts) ? { archive: null, reason, server: { ...server } } : null),
    told: (started) => {
      const adapter = hands.agents.find(({ kind }) => kind === started?.kind);
      const resume = (started && adapter?.resume?.(started.conversation)?.argv) ?? null;
      return { result: 'finished', reason, despite: [], isForced: false, resume };
    },
  });
  return performed.state === 'performed' || performed.state === 'moot';
}
