import { type LedgerEntry, namespaceOf } from '../../core/ledger/entry.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { END_ACTION, recoverEnding } from '../doctor/recover-ending.ts';
import { recoverClose } from './close/recover-close.ts';
import { type Recover, type Recovery, recordStep, sessionLock } from './deed.ts';
import { recordEnds } from './ends/record-ends.ts';
import type { Hands } from './hands.ts';
import { dropStarts } from './keep-start.ts';
import { recoverRun } from './recover-run.ts';
import { recoverHibernate } from './sleep/recover-hibernate.ts';
import { recoverWake } from './sleep/recover-wake.ts';

/** How each action is brought to its end. */
const RECOVERIES: Readonly<Record<string, Recover>> = {
  run: recoverRun,
  close: recoverClose,
  reopen: recoverRun,
  hibernate: recoverHibernate,
  wake: recoverWake,
  [END_ACTION]: recoverEnding,
};

/** An intent that was brought to its end. */
export interface Recovered extends Recovery {
  readonly intent: LedgerEntry;
}

/**
 * Brings everything that was left behind to its end, before anything new is done. What a living process is at is left
 * alone: it holds the session's lock.
 */
export async function recoverAll(hands: Hands): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  let host: HostIdentity | null = null;
  for (const intent of hands.ledger.facts().folded.openIntents.values()) {
    const recover = RECOVERIES[intent.action];
    if (recover === undefined || intent.session === null) continue;
    const task = `recover ${intent.action}`;
    const taken = hands.locks.tryLock(sessionLock(intent.session), { task, argv: [] });
    if (taken.state !== 'held') continue;
    try {
      // Whoever had the lock until now may have ended it.
      if (!hands.ledger.facts().folded.openIntents.has(intent.sequence)) continue;
      // A state folder may be shared: what another machine began, or another pid namespace, is for whoever sees its processes.
      if (host !== null && !isOf(intent, host)) continue;
      // Only what is seen once the lock is held is how its actor left it.
      const roll = await hands.look();
      host = roll.host;
      if (!isOf(intent, host)) continue;
      const recovery = await recover(hands, { ...intent, session: intent.session }, roll);
      if (recovery === null) continue;
      const { session, body } = recovery;
      recordStep(hands, 'recovered', {
        ...{ kind: 'outcome', action: intent.action, session, cause: intent.sequence },
        body: { ...body, recovered: true },
      });
      recovered.push({ intent, ...recovery });
    } finally {
      taken.hold.release();
    }
  }
  // After that every session is known that was started.
  await recordEnds(hands);
  dropStarts(hands);
  return recovered;
}

function isOf(intent: LedgerEntry, { machineId, pidNamespace }: HostIdentity): boolean {
  return intent.host === machineId && namespaceOf(intent).pidNamespace === pidNamespace;
}
