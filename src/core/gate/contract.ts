import type { ProcessMark } from '../sight/identity.ts';
import type { CheckedItem, CheckResult, Reinforce } from './check.ts';

/** Whose work it is: the pane, the agent's process in it, and the conversation that it holds. All three are stamped. */
export interface GateOwner {
  readonly session: { readonly key: string; readonly name: string };
  readonly server: ProcessMark & { readonly socketPath: string };
  readonly paneId: string;
  /** The program that tmux started in the pane. */
  readonly pane: ProcessMark;
  readonly agent: ProcessMark & { readonly kind: string };
  /** Empty where nobody knew it: such a contract keeps nobody going. */
  readonly conversation: string;
  /** Where the conversation is written down, as far as it was told. */
  readonly transcript?: string;
  readonly stampedAt: number;
}

/** How often the owner was kept going, and what the last time rested on. */
export interface GateCounter {
  readonly used: number;
  /** Times in a row within the turn that goes on. */
  readonly inARow: number;
  readonly last: {
    readonly at: number;
    /** Digest of what was found missing; the same is never a reason twice. */
    readonly evidence: string;
    /** Digest of the payload, so that two hooks on one stop count once. */
    readonly stop: string;
  } | null;
  /** Every evidence that it was kept going on, `last` included: what went and came back is no new reason. */
  readonly seen: readonly string[];
}

export const NOTHING_USED: GateCounter = { used: 0, inARow: 0, last: null, seen: [] };

export const GATE_PHASES = ['open', 'finished', 'abandoned', 'expired'] as const;
export type GatePhase = (typeof GATE_PHASES)[number];

/** A piece of work that somebody wants finished before its owner stops. */
export interface GateContract {
  readonly format: 1;
  /** Eight hex digits. */
  readonly id: string;
  readonly task: string | null;
  readonly startedAt: number;
  readonly expiresAt: number;
  /** Where checks run and what relative paths start from. */
  readonly cwd: string;
  /** Root of the repository around it, by which the mode of a project is found; null outside of one. */
  readonly project: string | null;
  /** Without any, only `gate finish` finishes it. */
  readonly checks: readonly CheckedItem[];
  readonly reinforce: Reinforce;
  readonly owner: GateOwner;
  readonly phase: GatePhase;
  /** When and how it came to its end; null while it is open. */
  readonly ended: { readonly at: number; readonly text: string } | null;
  /** What enforce did, and what shadow would have done: neither spends the other's. */
  readonly enforced: GateCounter;
  readonly shadowed: GateCounter;
  /** The gate has let the owner go although something is missing. */
  readonly stale: { readonly at: number; readonly code: string; readonly text: string } | null;
}

/** The contract with the last that is known of each check, by its index. */
export function withResults(
  contract: GateContract,
  results: readonly (CheckResult | undefined)[],
): GateContract {
  const checks = contract.checks.map(({ check, result }, index) => ({
    check,
    result: results[index] ?? result,
  }));
  return { ...contract, checks };
}
