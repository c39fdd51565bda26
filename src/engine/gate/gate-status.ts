import type { CheckResult, GateCheck } from '../../core/gate/check.ts';
import { type GateContract, withResults } from '../../core/gate/contract.ts';
import { expire } from '../../core/gate/early.ts';
import { effectiveMode, type GateMode } from '../../core/gate/mode.ts';
import type { GateModes, GateSwitch, OwnTodo } from '../../ports/gate.ts';
import { evaluate } from './evaluate.ts';
import type { GateParts } from './parts.ts';

/** A contract as it is now, with the mode that holds for it. */
export interface ContractStatus {
  readonly contract: GateContract;
  readonly mode: GateMode;
}

export interface GateStatus {
  /** Open ones first, then those that ended lately; each group newest first. */
  readonly contracts: readonly ContractStatus[];
  /** What could not be read. */
  readonly damaged: readonly string[];
  readonly modes: GateModes;
  readonly switch: GateSwitch | null;
}

export interface StatusOptions {
  readonly now: number;
  /** Looks at the checks of open contracts and runs their programs; else the last results are told. */
  readonly run: boolean;
  /** Only these; all of them otherwise. */
  readonly only?: (contract: GateContract) => boolean;
  readonly onCheck?: (contract: GateContract, check: GateCheck, result: CheckResult | null) => void;
}

/** What is asked of whom. Changes nothing, and what was found out is not kept. */
export async function gateStatus(parts: GateParts, options: StatusOptions): Promise<GateStatus> {
  const { now, run, onCheck, only = () => true } = options;
  const { contracts, damaged } = parts.store.contracts();
  const modes = parts.store.modes();
  const statuses: ContractStatus[] = [];
  for (const kept of [...contracts].filter(only).sort(openFirst)) {
    const contract = expire(kept, now);
    const isFresh = run && contract.phase === 'open';
    const fresh = isFresh
      ? await looked(parts, contract, now, onCheck && ((check, result) => onCheck(contract, check, result)))
      : contract;
    statuses.push({ contract: fresh, mode: effectiveMode(modes, contract.project) });
  }
  return { contracts: statuses, damaged, modes, switch: parts.store.switch() };
}

/** The agent's own list, where its kind has one. */
export function ownTodoOf(
  { agents, env }: Pick<GateParts, 'agents' | 'env'>,
  { owner }: GateContract,
): () => OwnTodo | Promise<OwnTodo> {
  const gate = agents.find(({ kind }) => kind === owner.agent.kind)?.gate;
  if (gate === undefined) return () => ({ state: 'unknown', text: `${owner.agent.kind} keeps no list` });
  return () => gate.todo({ conversation: owner.conversation, transcript: owner.transcript ?? null, env });
}

async function looked(
  parts: GateParts,
  contract: GateContract,
  at: number,
  onCheck?: (check: GateCheck, result: CheckResult | null) => void,
): Promise<GateContract> {
  const evaluated = await evaluate(parts.checks, contract, {
    ...{ at, mayRun: true, ownTodo: ownTodoOf(parts, contract) },
    ...(onCheck && { onCheck }),
  });
  return evaluated.state === 'evaluated' ? withResults(contract, evaluated.results) : contract;
}

function openFirst(one: GateContract, other: GateContract): number {
  const isOpen = (contract: GateContract) => (contract.phase === 'open' ? 0 : 1);
  return isOpen(one) - isOpen(other) || other.startedAt - one.startedAt;
}
