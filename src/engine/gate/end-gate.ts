import type { CheckResult, GateCheck } from '../../core/gate/check.ts';
import { type GateContract, withResults } from '../../core/gate/contract.ts';
import { isOverdue } from '../../core/gate/early.ts';
import type { Hands } from '../act/hands.ts';
import { type Trouble, trouble } from '../act/trouble.ts';
import { endEntry } from './entries.ts';
import { evaluate, lacking } from './evaluate.ts';
import { ownTodoOf } from './gate-status.ts';
import type { GateParts } from './parts.ts';
import { write } from './write.ts';

type Writing = Pick<Hands, 'ledger' | 'writer' | 'now'>;

export interface Ended {
  readonly state: 'ended';
  readonly contract: GateContract;
  /** What did not hold, or could not be told, where it was finished all the same. */
  readonly missing: readonly string[];
}

export interface FinishOptions {
  readonly isForced: boolean;
  readonly onCheck?: (check: GateCheck, result: CheckResult | null) => void;
}

/** Finishes a piece of work whose checks hold; with force, whatever they say. Throws a LedgerError. */
export async function finishGate(
  hands: Writing,
  parts: GateParts,
  contract: GateContract,
  { isForced, onCheck }: FinishOptions,
): Promise<Ended | Trouble> {
  const evaluated = await evaluate(parts.checks, contract, {
    ...{ at: hands.now(), mayRun: true, ownTodo: ownTodoOf(parts, contract) },
    ...(onCheck && { onCheck }),
  });
  const results = evaluated.state === 'evaluated' ? evaluated.results : [];
  return write(hands, parts, 'gate-finish', () => {
    const fresh = openNow(parts, contract.id, hands.now());
    if ('exit' in fresh) return fresh;
    const checked = withResults(fresh, results);
    const missing = lacking(checked.checks);
    if (missing.length > 0 && !isForced) {
      parts.store.save(checked);
      return trouble('refused', 'the work is not finished', {
        hint: 'go on with what is missing, or finish it all the same with --force',
        details: missing,
      });
    }
    const text = missing.length > 0 ? 'declared finished although something is missing' : 'declared finished';
    return end(hands, parts, { ...checked, phase: 'finished' }, text, missing);
  });
}

/** Gives a piece of work up. Throws a LedgerError. */
export async function abandonGate(
  hands: Writing,
  parts: GateParts,
  contract: GateContract,
  { reason }: { readonly reason: string | null },
): Promise<Ended | Trouble> {
  return write(hands, parts, 'gate-abandon', () => {
    const fresh = openNow(parts, contract.id, hands.now());
    if ('exit' in fresh) return fresh;
    return end(hands, parts, { ...fresh, phase: 'abandoned' }, reason ?? 'abandoned', []);
  });
}

function openNow({ store }: GateParts, id: string, now: number): GateContract | Trouble {
  const contract = store.contract(id);
  if (contract === null) return trouble('not-found', `there is no contract ${id} any more`);
  if (contract.phase !== 'open') return trouble('refused', `contract ${id} is ${contract.phase} already`);
  return isOverdue(contract, now) ? trouble('refused', `the time of contract ${id} is over`) : contract;
}

function end(
  { ledger, now }: Writing,
  { store }: GateParts,
  contract: GateContract,
  text: string,
  missing: readonly string[],
): Ended {
  const ended: GateContract = { ...contract, ended: { at: now(), text } };
  store.save(ended, () => ledger.append(endEntry(ended, missing)));
  return { state: 'ended', contract: ended, missing };
}
