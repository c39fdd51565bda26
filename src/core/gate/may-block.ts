import type { GateContract } from './contract.ts';
import type { StopFacts } from './decision.ts';
import type { GateMode } from './mode.ts';

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
