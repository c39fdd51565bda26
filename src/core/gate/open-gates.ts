import type { LedgerEntry } from '../ledger/entry.ts';
import { numberIn, objectIn, textIn } from '../ledger/json.ts';
import { gateStopOf, isLetGo, isOwners } from './recorded-stop.ts';

/** A contract that nothing in the ledger has ended; whether its time is over is for whoever looks. */
export interface OpenGate {
  readonly at: number;
  /** The awake clock when it was made; absent in what earlier versions recorded. */
  readonly awakeMs?: number;
  readonly sequence: number;
  readonly id: string;
  readonly paneId: string | null;
  readonly task: string | null;
  readonly expiresAt: number;
  /** What its owner's last stop lacked. */
  readonly missing: readonly string[];
  /** The gate let the owner stop although something is missing. */
  readonly stale: { readonly at: number; readonly code: string; readonly text: string } | null;
}

/** What is open in a session after a start, a stop or an end was recorded; as before where that changes nothing. */
export function gatesAfter(gates: readonly OpenGate[], entry: LedgerEntry): readonly OpenGate[] {
  const id = textIn(entry.body.gate);
  if (id === null) return gates;
  if (entry.action === 'gate-start') return started(gates, id, entry);
  if (entry.action !== 'gate-end') return stopped(gates, id, entry);
  return textIn(entry.body.phase) === 'expired' ? overdue(gates, id) : without(gates, id);
}

// A pane holds one at a time, and what has run out meanwhile is of no use to anybody.
function started(gates: readonly OpenGate[], id: string, { at, sequence, body }: LedgerEntry) {
  const expiresAt = numberIn(body.expiresAt);
  if (expiresAt === null) return gates;
  const paneId = textIn(objectIn(body.owner)?.paneId);
  const others = gates.filter(
    (one) => one.id !== id && !isOver(one, at) && (paneId === null || one.paneId !== paneId),
  );
  const task = textIn(body.task);
  const awakeMs = numberIn(body.awakeMs);
  const made = { at, ...(awakeMs !== null && { awakeMs }), sequence, id, paneId, task, expiresAt };
  return [...others, { ...made, missing: [], stale: null }];
}

function stopped(gates: readonly OpenGate[], id: string, entry: LedgerEntry): readonly OpenGate[] {
  const stop = gateStopOf(entry);
  if (stop === null) return gates;
  const { at, verdict, reason: code, text, missing } = stop;
  if (code === 'expired') return overdue(gates, id);
  if (code === 'checks-met') return without(gates, id);
  if (!isOwners(stop)) return gates;
  return gates.map((gate) => {
    if (gate.id !== id) return gate;
    const kept = verdict === 'blocked' ? null : gate.stale;
    return { ...gate, missing, stale: isLetGo(stop) ? { at, code, text } : kept };
  });
}

// Whoever found its time over went by the wall clock; where the awake clock is known, that decides for whoever looks.
function overdue(gates: readonly OpenGate[], id: string): readonly OpenGate[] {
  return gates.filter((gate) => gate.id !== id || gate.awakeMs !== undefined);
}

function isOver({ awakeMs, expiresAt }: OpenGate, at: number): boolean {
  return awakeMs === undefined && expiresAt <= at;
}

function without(gates: readonly OpenGate[], id: string): readonly OpenGate[] {
  return gates.filter((gate) => gate.id !== id);
}
