import type { GateContract, GateOwner } from './contract.ts';
import type { StopDecision, StopReason } from './decision.ts';
import type { GateMode } from './mode.ts';

/** `rollcall gate off --now`, while it holds. */
export interface TrippedSwitch {
  readonly at: number;
  readonly reason: string | null;
}

/** What can be known without a look at any check. */
export interface EarlyView {
  readonly mode: GateMode;
  readonly switch: TrippedSwitch | null;
  readonly now: number;
}

/** The approval that needs no look at checks; null where they have to be looked at. */
export function early(contract: GateContract | null, view: EarlyView): StopDecision | null {
  if (view.switch !== null) return approval('switched-off', 'the gate is switched off');
  if (view.mode === 'off') return approval('mode-off', 'the mode is off here');
  if (contract === null) return approval('no-contract', 'nobody owns anything here');
  if (contract.phase === 'expired' || isOverdue(contract, view.now)) {
    return approval('expired', 'its time is over');
  }
  if (contract.phase !== 'open') return approval('ended', `the work is ${contract.phase}`);
  if (!isStamped(contract.owner)) return approval('unstamped', 'whose work it is was never known for sure');
  return null;
}

/** Open, and past its time. */
export function isOverdue({ phase, expiresAt }: GateContract, now: number): boolean {
  return phase === 'open' && now >= expiresAt;
}

/** A contract whose time is over; any other as it is. */
export function expire(contract: GateContract, now: number): GateContract {
  if (!isOverdue(contract, now)) return contract;
  return { ...contract, phase: 'expired', ended: { at: now, text: 'its time is over' } };
}

/** Whether pane, process and conversation are all known. */
export function isStamped({ server, paneId, agent, conversation }: GateOwner): boolean {
  return conversation.trim() !== '' && paneId !== '' && server.pid > 0 && agent.pid > 0;
}

/** Lets a stop through. */
export function approval(reason: StopReason, text: string, missing: readonly string[] = []): StopDecision {
  return { verdict: 'approved', reason, text, missing };
}
