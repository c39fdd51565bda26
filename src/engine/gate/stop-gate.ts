import type { GateContract } from '../../core/gate/contract.ts';
import { mayBlock } from '../../core/gate/decide.ts';
import type { StopOrigin } from '../../core/gate/decision.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { type HeardStop, hearStop, judgeStop, originOf } from './judge-stop.ts';
import { APPROVED, type StopAnswer, type StopParts } from './parts.ts';
import { type StopMatter, settleStop } from './settle-stop.ts';

interface StopCall {
  /** Of the hook's event. */
  readonly name: string;
  /** `quick`: only what is known already; `run`: somebody waits for programs. */
  readonly phase: 'quick' | 'run';
}

/** What the hook calls rollcall with. */
export interface StopRequest extends Omit<StopCall, 'phase'> {
  /** The folder `gate` of the state folder that the hook was installed for, whatever the agent's environment says. */
  readonly folder: string;
  /** `later`: stops of the contract that `name` is the id of were let go already. */
  readonly phase: StopCall['phase'] | 'later';
}

/** Decides about one stop. Whatever it throws means that the agent stops. */
export async function stopGate(parts: StopParts, { name, phase }: StopCall): Promise<StopAnswer> {
  const heard = parts.store.problem === null ? hearStop(parts, name) : null;
  if (heard === null) return APPROVED;
  const contract = find(parts, heard);
  const origin = contract && originOf(parts.processes, heard.event, contract.owner, heard.agent);
  const isRun = phase === 'run';
  const lockMs = isRun ? LOCK_MS : Math.min(LOCK_MS, QUICK_LIMIT_MS - parts.elapsedMs());
  const untilMs = isRun && contract !== null ? runLimitMs(contract) - LAST_MS : QUICK_LIMIT_MS;
  return look(parts, { heard, contract, origin, lockMs, untilMs }, phase);
}

/** Looks at the checks of stops that were let go already, one after the other. What fails is not recorded. */
export async function settleLater(parts: StopParts, id: string): Promise<void> {
  for (let stop = parts.later.take(id); stop !== null; stop = parts.later.take(id)) {
    const { name, event, origin, mode, latencyMs } = stop;
    const heard = hearStop({ ...parts, readStop: () => event }, name);
    if (heard === null) continue;
    const matter = { heard, origin, contract: parts.store.contract(id), lockMs: LATER_LOCK_MS, untilMs: 0 };
    try {
      await look(parts, { ...matter, answered: { mode, latencyMs } }, 'run');
    } catch {
      // The agent has stopped long ago: one record is missing.
    }
  }
}

type Matter = Omit<StopMatter, 'evaluated'>;

type OwnMatter = Matter & { readonly contract: GateContract; readonly origin: StopOrigin };

async function look(parts: StopParts, matter: Matter, phase: StopCall['phase']): Promise<StopAnswer> {
  const { heard, contract, origin } = matter;
  const judged = contract && judgeStop(parts, heard, contract, origin);
  if (contract === null || origin === null || judged?.state !== 'owner') {
    return settleStop(parts, { ...matter, evaluated: null });
  }
  const { gate, said, stop } = heard;
  const { mode } = judged;
  // Before anything is looked at: git and files can be slow, too.
  if (matter.answered === undefined && !mayBlock(contract, stop, { mode, cap: gate.cap(parts.env) })) {
    return letGo(parts, { ...matter, contract, origin }, mode);
  }
  const evaluated = await evaluate(parts.checks, contract, {
    at: parts.now(),
    mayRun: phase === 'run',
    remainingMs: remaining(parts, contract, matter.answered === undefined ? 0 : parts.elapsedMs()),
    ownTodo: () =>
      gate.todo({
        conversation: stop.conversation ?? '',
        transcript: said?.transcript ?? null,
        env: parts.env,
      }),
  });
  if (evaluated.state !== 'must-run') return settleStop(parts, { ...matter, evaluated });
  return { exitCode: 11, print: String(Math.ceil(runLimitMs(contract) / 1000)) };
}

/** The agent has nothing to wait for: its checks are looked at once it has stopped. */
async function letGo(parts: StopParts, matter: OwnMatter, mode: GateMode): Promise<StopAnswer> {
  if (!parts.isAwaited()) return APPROVED;
  const { heard, contract, origin } = matter;
  const { name, event } = heard;
  const latencyMs = parts.latencyMs(name);
  if (parts.later.add({ name, contract: contract.id, event, origin, mode, latencyMs })) return APPROVED;
  return settleStop(parts, { ...matter, evaluated: NO_TIME, answered: { mode, latencyMs } });
}

const NO_TIME: Evaluated = { state: 'evaluated', results: [], tree: null, isOutOfTime: true };

/** For the commands of this stop, and of all that one process looks at. */
function remaining(parts: StopParts, contract: GateContract, beganMs: number): () => number {
  const untilMs = Math.min(beganMs + runLimitMs(contract) - RUN_MARGIN_MS, LATER_LIMIT_MS);
  return () => untilMs - parts.elapsedMs();
}

/**
 * The contract that a stop may be about: that of its pane; where hooks may come from a daemon, whose environment is another
 * pane's, first that of its conversation. An open one before one that has ended. Whether it is the owner's is not said.
 */
function find({ store }: StopParts, { event: { sender }, stop, gate }: HeardStop): GateContract | null {
  const { contracts } = store.contracts();
  const said = contracts.filter(
    ({ owner }) =>
      gate.hasDaemon && owner.agent.kind === stop.agentKind && owner.conversation === stop.conversation,
  );
  const here = contracts.filter(
    ({ owner }) => owner.server.pid === sender.tmuxServerPid && owner.paneId === sender.paneId,
  );
  const order = [...said.filter(isOpen), ...here.filter(isOpen), ...newestFirst([...said, ...here])];
  return order[0] ?? null;
}

function isOpen({ phase }: GateContract): boolean {
  return phase === 'open';
}

function newestFirst(contracts: readonly GateContract[]): GateContract[] {
  return [...contracts].sort((one, other) => other.startedAt - one.startedAt);
}

/** How long a stop waits for those who write at the same moment. */
export const LOCK_MS = 1000;
/** The hook gives a quick answer 1.7 s, of which starting Node takes some. */
export const QUICK_LIMIT_MS = 1500;
/** For an answer to be kept and said. */
const LAST_MS = 200;
/** For git, the lock and the record beside the commands. */
export const RUN_MARGIN_MS = 5000;
/** How long a stop that was let go already waits for them. */
export const LATER_LOCK_MS = 10_000;
/** Whoever looks at such stops ends after this, however many wait. */
export const LATER_LIMIT_MS = 600_000;
/** All commands of one stop together, whatever their own times. */
const RUN_LIMIT_MS = 240_000;
const SLOW_GIT_MS = 20_000;

/** How long the checks of a contract may take at one stop: the same for whoever asks for the time and whoever gets it. */
export function runLimitMs({ checks }: Pick<GateContract, 'checks'>): number {
  const wanted = checks.map(({ check }) => (check.kind === 'command' ? check.timeoutMs : 0));
  const total = wanted.reduce((sum, ms) => sum + ms, 0);
  return Math.min(RUN_LIMIT_MS, total + SLOW_GIT_MS + RUN_MARGIN_MS);
}
