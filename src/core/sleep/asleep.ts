import type { LedgerEntry } from '../ledger/entry.ts';
import { numberIn, objectIn, textIn } from '../ledger/json.ts';
import type { ProcessMark } from '../sight/identity.ts';

/** A sleeper that rollcall put into a pane, by its process. */
export interface Sleeper extends ProcessMark {
  readonly paneId: string;
}

/** What sleeps in a session, and the sleeper that waits in its place. */
export interface Asleep extends Sleeper {
  /** When it fell asleep. */
  readonly at: number;
  /** The entry that says so. */
  readonly sequence: number;
  /** What it is woken from; also the mark of the sleeper. */
  readonly receipt: string;
  readonly kind: string | null;
  readonly conversation: string | null;
  /** Memory that it gave back; null where that is not known. */
  readonly freedBytes: number | null;
  /** Its pane stays when what was woken ends in it. */
  readonly isPaneKept: boolean;
}

/** An agent that sleeps in a pane. */
export interface PaneSleep extends Pick<Asleep, 'at' | 'receipt' | 'conversation' | 'freedBytes'> {
  readonly agentKind: string | null;
}

/** What a receipt of a hibernation says; null where it tells of no sleeper. */
export function asleepBy({ at, sequence, body }: LedgerEntry): Asleep | null {
  const sleeper = sleeperIn(body.sleeper);
  const receipt = textIn(body.receipt);
  if (sleeper === null || receipt === null) return null;
  const agent = objectIn(body.agent);
  return {
    ...{ at, sequence, receipt, ...sleeper },
    ...{ kind: textIn(agent?.kind), conversation: textIn(agent?.conversation) },
    freedBytes: numberIn(objectIn(body.sleeper)?.freedBytes),
    isPaneKept: objectIn(body.sleeper)?.isPaneKept === true,
  };
}

/** What was to wake and did not: it sleeps on, behind another sleeper. */
export function sleepsOn(known: Asleep | undefined, { body, sequence }: LedgerEntry): Asleep | null {
  const sleeper = sleeperIn(body.sleeper);
  return known === undefined || sleeper === null ? null : { ...known, ...sleeper, sequence };
}

function sleeperIn(value: unknown): Sleeper | null {
  const { paneId, pid, startTicks } = objectIn(value as never) ?? {};
  const isWhole = typeof paneId === 'string' && typeof pid === 'number' && typeof startTicks === 'number';
  return isWhole ? { paneId, pid, startTicks } : null;
}
