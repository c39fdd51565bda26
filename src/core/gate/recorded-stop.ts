import type { LedgerEntry } from '../ledger/entry.ts';
import { numberIn, textIn, textsIn } from '../ledger/json.ts';
import { visible } from '../text/visible.ts';
import { STOP_REASONS, STOP_VERDICTS, type StopDecision, type StopReason } from './decision.ts';
import { GATE_MODES, type GateMode } from './mode.ts';

/** One decision about a stop, as the ledger has it. */
export interface GateStop extends StopDecision {
  readonly at: number;
  readonly gate: string | null;
  readonly mode: GateMode | null;
  readonly agent: string;
  readonly latencyMs: number | null;
}

/** Null for every other entry, and for one that is not understood. */
export function gateStopOf({ kind, action, at, body }: LedgerEntry): GateStop | null {
  if (kind !== 'declared' || action !== 'gate-stop') return null;
  const verdict = STOP_VERDICTS.find((word) => word === body.verdict);
  const reason = STOP_REASONS.find((word) => word === body.reason);
  if (verdict === undefined || reason === undefined) return null;
  return {
    ...{ at, gate: textIn(body.gate), verdict, reason },
    text: visible(textIn(body.text) ?? '', LENGTH),
    missing: textsIn(body.missing).map((text) => visible(text, LENGTH)),
    mode: GATE_MODES.find((word) => word === body.mode) ?? null,
    agent: visible(textIn(body.agent) ?? 'unknown', 40),
    latencyMs: numberIn(body.latencyMs),
  };
}

const LENGTH = 600;

/** The gate let the owner stop although something is missing: it has nothing left to say. */
const LET_GO: ReadonlySet<StopReason> = new Set(['same-evidence', 'budget-spent', 'agent-cap']);

/** Told of the owner, by what its checks said. Others' stops say nothing of the work. */
const OF_THE_OWNER: ReadonlySet<StopReason> = new Set([
  ...LET_GO,
  ...(['checks-unmet', 'checks-unknown', 'held-by-another', 'same-stop'] as const),
]);

/** Whether enforce let the owner stop with something missing. */
export function isLetGo({ mode, reason }: GateStop): boolean {
  return mode === 'enforce' && LET_GO.has(reason);
}

/** Whether a stop tells what the owner's work lacks. */
export function isOwners({ reason }: GateStop): boolean {
  return OF_THE_OWNER.has(reason);
}
