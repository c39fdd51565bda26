import type { Digest } from '../ledger/chain.ts';
import { canonicalJson } from '../ledger/json.ts';
import type { CheckResult } from './check.ts';
import { missingText } from './check-text.ts';
import { type GateContract, type GateCounter, withResults } from './contract.ts';
import type { StopDecision, StopFacts, StopReason } from './decision.ts';
import { approval, type EarlyView, early, expire } from './early.ts';
import type { GateMode } from './mode.ts';

/** What a stop of the proven owner is judged by. */
export interface StopView extends EarlyView {
  /** By the index of the contract's checks; what is left out is not known. */
  readonly results: readonly (CheckResult | undefined)[];
  /** Digest of the work tree's state; null where it is not known. */
  readonly tree: string | null;
  /** Blocks in a row that the agent takes; null: no end is known. */
  readonly cap: number | null;
  readonly digest: Digest;
}

/** What was decided, and the contract as it has to be kept now. */
export interface DecidedStop {
  readonly decision: StopDecision;
  readonly contract: GateContract;
  /** What the decision rests on; null where checks were not looked at. */
  readonly evidence: string | null;
}

/** Two hooks on one stop come within this. */
const SAME_STOP_MS = 1000;

const NOT_FINISHED = 'the work has not been declared finished: rollcall gate finish';

/**
 * Decides about a stop of the owner, whose identity was proven before. It is kept going only for something that is known
 * to be missing, at most `reinforce` times in all, and never twice on the same evidence.
 */
export function decideStop(contract: GateContract, stop: StopFacts, view: StopView): DecidedStop {
  const soon = early(contract, view);
  if (soon !== null) {
    const lapsed = soon.reason === 'expired' ? expire(contract, view.now) : contract;
    return { decision: soon, contract: lapsed, evidence: null };
  }
  const { now, results, tree, digest } = view;
  const checked = withResults(contract, results);
  const evidence = evidenceOf(tree, results, digest);
  const unmet = checked.checks.flatMap(({ check }, index) => {
    const result = results[index];
    return result?.state === 'unmet' ? [missingText(check, result)] : [];
  });
  const missing = checked.checks.length === 0 ? [NOT_FINISHED] : unmet;
  const rest = { ...checked, enforced: atRest(checked.enforced) };
  if (missing.length > 0) return reinforced(checked, rest, stop, { ...view, missing, evidence });
  const unknown = checked.checks.filter((_, index) => (results[index]?.state ?? 'unknown') === 'unknown');
  if (unknown.length > 0) {
    const text = `nothing is known to be missing; of ${checked.checks.length} checks ${unknown.length} cannot be told`;
    return { decision: approval('checks-unknown', text), contract: rest, evidence };
  }
  return {
    decision: approval('checks-met', 'everything that was asked for holds'),
    contract: finished(rest, now),
    evidence,
  };
}

interface Missing extends StopView {
  readonly missing: readonly string[];
  readonly evidence: string;
}

function reinforced(contract: GateContract, rest: GateContract, stop: StopFacts, view: Missing): DecidedStop {
  const { missing, evidence, now, mode } = view;
  const isEnforced = mode === 'enforce';
  const counter = isEnforced ? contract.enforced : contract.shadowed;
  const inARow = isEnforced && stop.isContinued ? counter.inARow : 0;
  const approve = (reason: StopReason, text: string, changed = rest): DecidedStop => ({
    ...{ decision: approval(reason, text, missing), contract: changed, evidence },
  });
  const letGo = (reason: StopReason, text: string) => {
    const stale = { at: now, code: reason, text: `${text}; missing: ${missing.join('; ')}` };
    return approve(reason, text, isEnforced ? { ...rest, stale } : rest);
  };
  const { last, seen, used } = counter;
  if (last?.stop === stop.digest && now - last.at < SAME_STOP_MS) {
    return approve('same-stop', 'another hook has had this very stop', contract);
  }
  if (isEnforced && stop.isContinued && inARow === 0) {
    return approve('held-by-another', 'it goes on already, and not because of this gate');
  }
  if (last?.evidence === evidence || seen.includes(evidence)) {
    return letGo('same-evidence', 'it was kept going for this before, and nothing has changed');
  }
  if (used >= contract.reinforce) {
    return letGo('budget-spent', `it was kept going ${used} times, as often as it may be`);
  }
  if (view.cap !== null && inARow >= view.cap) {
    return letGo('agent-cap', `the agent takes no more than ${view.cap} in a row`);
  }
  const text = `${missing.length === 1 ? 'one thing is' : `${missing.length} things are`} missing`;
  const next: GateCounter = {
    ...{ used: used + 1, inARow: inARow + 1, last: { at: now, evidence, stop: stop.digest } },
    seen: [...seen, evidence],
  };
  return {
    decision: { verdict: isEnforced ? 'blocked' : 'would-block', reason: 'checks-unmet', text, missing },
    contract: isEnforced ? { ...contract, enforced: next, stale: null } : { ...rest, shadowed: next },
    evidence,
  };
}

// The turn is over: what comes next is another row.
function atRest(counter: GateCounter): GateCounter {
  return counter.inARow === 0 ? counter : { ...counter, inARow: 0 };
}

function finished(contract: GateContract, now: number): GateContract {
  const ended = { at: now, text: 'its checks were met at a stop' };
  return { ...contract, phase: 'finished', ended, stale: null };
}

/**
 * What a stop would be held on, as one mark: the state of the work tree and every check that is not met. As long as it is
 * the same, nothing has come of keeping the agent going.
 */
export function evidenceOf(
  tree: string | null,
  results: readonly (CheckResult | undefined)[],
  digest: Digest,
): string {
  const unmet = results.flatMap((result, index) =>
    result?.state === 'unmet' ? [[index, result.state, result.mark]] : [],
  );
  return digest(canonicalJson([tree ?? '', unmet]));
}

/**
 * Whether any result of its checks could keep the owner going at this stop. Where none could, the agent has nothing to wait
 * for, and its checks can be looked at once it has stopped.
 */
export function mayBlock(
  { enforced, reinforce }: Pick<GateContract, 'enforced' | 'reinforce'>,
  { isContinued }: Pick<StopFacts, 'isContinued'>,
  { mode, cap }: { readonly mode: GateMode; readonly cap: number | null },
): boolean {
  if (mode !== 'enforce' || enforced.used >= reinforce) return false;
  if (!isContinued) return cap === null || cap > 0;
  // Nothing in a row: another hook keeps it going already.
  return enforced.inARow > 0 && (cap === null || enforced.inARow < cap);
}
