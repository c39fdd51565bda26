import type { GateContract } from '../../core/gate/contract.ts';
import { evaluate } from './evaluate.ts';
import { contractFor } from './find-contract.ts';
import { type Heard, hearStop } from './hear-stop.ts';
import { judgeStop } from './judge-stop.ts';
import type { StopParts } from './parts.ts';
import { settleStop } from './settle-stop.ts';
import { APPROVED, type StopAnswer } from './stop-answer.ts';
import { LOCK_MS, QUICK_LIMIT_MS, RUN_MARGIN_MS, runLimitMs } from './stop-limits.ts';
import { originOf } from './stop-origin.ts';

export interface StopCall {
  /** Of the hook's event. */
  readonly name: string;
  /** `quick`: only what is known already; `run`: the hook waits for programs. */
  readonly phase: 'quick' | 'run';
}

/** Decides about one stop. Whatever it throws means that the agent stops. */
export async function stopGate(parts: StopParts, { name, phase }: StopCall): Promise<StopAnswer> {
  const heard = parts.store.problem === null ? hearStop(parts, name) : null;
  if (heard === null) return APPROVED;
  const contract = find(parts, heard);
  const origin = contract && originOf(parts.processes, heard.event, contract.owner, heard.agent);
  const isAsked = contract !== null && judgeStop(parts, heard, contract, origin).state === 'owner';
  const lockMs = phase === 'run' ? LOCK_MS : Math.min(LOCK_MS, QUICK_LIMIT_MS - parts.elapsedMs());
  const matter = { heard, contract, origin, lockMs };
  if (!isAsked) return settleStop(parts, { ...matter, evaluated: null });
  const { gate, said, stop } = heard;
  const evaluated = await evaluate(parts.checks, contract, {
    at: parts.now(),
    mayRun: phase === 'run',
    remainingMs: () => runLimitMs(contract) - RUN_MARGIN_MS - parts.elapsedMs(),
    ownTodo: () =>
      gate.todo({
        conversation: stop.conversation ?? '',
        transcript: said?.transcript ?? null,
        env: parts.env,
      }),
  });
  if (evaluated.state === 'must-run') {
    return { exitCode: 11, print: String(Math.ceil(runLimitMs(contract) / 1000)) };
  }
  return settleStop(parts, { ...matter, evaluated });
}

function find({ store }: StopParts, { event: { sender }, stop, gate }: Heard): GateContract | null {
  const place = { serverPid: sender.tmuxServerPid ?? null, paneId: sender.paneId ?? null };
  return contractFor(store.contracts().contracts, stop, place, gate.hasDaemon);
}
