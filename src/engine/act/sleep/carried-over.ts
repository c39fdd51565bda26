import { type Received, readReceived } from '../../../core/close/bodies.ts';
import type { KeptDocument } from '../../../core/close/kept-document.ts';
import { sealOf, VARIABLES } from '../../../core/close/seal.ts';
import { type KeptSleep, withSleep } from '../../../core/sleep/sleep-document.ts';
import { factsOf, type Hands } from '../hands.ts';

/**
 * The document of a session in which an agent sleeps, with that agent as it was archived when it fell asleep: the session
 * itself shows only the sleeper. A text where that archive cannot be had: then nothing may be closed, it would be lost. `start`:
 * how its session was started.
 */
export function carriedOver(hands: Hands, key: string, document: KeptDocument) {
  const sleep = sleepOf(hands, key);
  if (sleep === null || typeof sleep === 'string') return sleep;
  const whole = withSleep(document, sleep);
  if (whole === null) return `its archive ${sleep.receipt} names no agent`;
  const kept = hands.archive.start(sleep.receipt);
  const start = kept.state === 'read' && sleep.isStartWhole(kept.digest) ? kept.start : null;
  return { document: whole, start };
}

type Sleep = KeptSleep & { isStartWhole(digest: string): boolean };

function sleepOf(hands: Hands, key: string): Sleep | string | null {
  const asleep = factsOf(hands, { key })?.asleep;
  if (asleep === undefined) return null;
  const { receipt, paneId } = asleep;
  const archived = hands.archive.read(receipt);
  if (archived.state !== 'read') return `what it sleeps from cannot be read: ${archived.path}`;
  const body = receiptOf(hands, key, receipt);
  if (sealOf(body, archived.digest) !== 'whole') return `its archive ${receipt} is not as it was written`;
  return {
    ...{ receipt, paneId, document: archived.document },
    isStartWhole: (digest) => sealOf(body, digest, VARIABLES) === 'whole',
  };
}

/** How the agent that sleeps in a session is resumed; null where none does. */
export function resumeAsleep(hands: Hands, key: string): readonly string[] | null {
  const asleep = factsOf(hands, { key })?.asleep;
  return asleep === undefined ? null : receiptOf(hands, key, asleep.receipt).resume;
}

function receiptOf(hands: Hands, key: string, receipt: string): Received {
  const { entries } = hands.ledger.read({ about: key });
  const found = entries.findLast(({ kind, body }) => kind === 'receipt' && body.receipt === receipt);
  return readReceived(found?.body ?? {});
}
