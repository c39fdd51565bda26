import type { GateContract } from '../../core/gate/contract.ts';
import { decideStop, mayBlock } from '../../core/gate/decide.ts';
import type { StopOrigin } from '../../core/gate/decision.ts';
import { approval, expire } from '../../core/gate/early.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import { reasonText } from '../../core/gate/reason-text.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { drainPassed, endEntry, type RecordedStop, stopEntry } from './entries.ts';
import type { Evaluated } from './evaluate.ts';
import { type HeardStop, judgeStop } from './judge-stop.ts';
import { APPROVED, type StopAnswer, type StopParts } from './parts.ts';

/** Every lasting step of a decision, in order. */
export const STOP_STEPS = ['recorded', 'saved', 'removed'] as const;

/** What is known when nobody was kept out yet. */
export interface StopMatter {
  readonly heard: HeardStop;
  readonly contract: GateContract | null;
  readonly origin: StopOrigin | null;
  /** Null where no check was looked at. */
  readonly evaluated: Evaluated | null;
  /** How long there is to wait for others who write. */
  readonly lockMs: number;
  /** When it is too late to tell the hook anything, counted as `elapsedMs` is. */
  readonly untilMs: number;
  /** Where the agent was let go before: under which mode, and what that has cost it. */
  readonly answered?: { readonly mode: GateMode; readonly latencyMs: number | null } | undefined;
}

/** Decides by what holds at this moment, while nobody else can change it, and keeps it before anybody is told. */
export async function settleStop(parts: StopParts, matter: StopMatter): Promise<StopAnswer> {
  const ledger = await parts.openLedger();
  try {
    const claim = { task: 'gate-stop', argv: [] };
    const held = await parts.writer.hold(claim, Math.max(1, matter.lockMs), async () => {
      const contract = matter.contract && parts.store.contract(matter.contract.id);
      return conclude(parts, ledger, { ...matter, contract });
    });
    return held.state === 'done' ? held.value : APPROVED;
  } finally {
    ledger.close();
  }
}

function conclude(parts: StopParts, ledger: Ledger, matter: StopMatter): StopAnswer {
  drainPassed(parts.store, ledger);
  const { heard, contract, evaluated, answered } = matter;
  const judged = judgeStop(parts, heard, contract, matter.origin);
  if (judged.state === 'approved') {
    const { decision, mode } = judged;
    const changed = contract && decision.reason === 'expired' ? expire(contract, parts.now()) : contract;
    keep(parts, ledger, matter, { decision, mode, changed });
    if (decision.reason === 'ended' || decision.reason === 'no-contract') heal(parts);
    return APPROVED;
  }
  if (evaluated === null) {
    const decision = approval('failed', 'it became the owner while it was looked at');
    keep(parts, ledger, matter, { decision, mode: judged.mode, changed: contract });
    return APPROVED;
  }
  return decide(parts, ledger, { ...matter, evaluated }, judged.contract, answered?.mode ?? judged.mode);
}

function decide(
  parts: StopParts,
  ledger: Ledger,
  matter: StopMatter & { readonly evaluated: Evaluated },
  owned: GateContract,
  mode: GateMode,
): StopAnswer {
  const { heard, contract: before, answered } = matter;
  const { results, tree, isOutOfTime } = matter.evaluated;
  const cap = heard.gate.cap(parts.env);
  if (answered && mayBlock(owned, heard.stop, { mode, cap })) {
    // Nobody can be told any more, so nothing is spent.
    const decision = approval('failed', 'it might be kept going by now, and was let go before');
    keep(parts, ledger, matter, { decision, mode, changed: before });
    return APPROVED;
  }
  const decided = decideStop(owned, heard.stop, {
    ...{ mode, switch: null, now: parts.now(), results, tree, digest: parts.digest },
    cap,
  });
  if (decided.decision.verdict === 'blocked' && parts.elapsedMs() > matter.untilMs) {
    // What the hook may not hear any more is not counted: the next stop would be let go for it.
    const decision = approval('out-of-time', 'there is no time left to say that it should go on');
    keep(parts, ledger, matter, { decision, mode, changed: before });
    return APPROVED;
  }
  const isLate = isOutOfTime && decided.decision.reason === 'checks-unknown';
  const decision = isLate
    ? approval('out-of-time', 'its checks took longer than there is time')
    : decided.decision;
  const isBlocked = decision.verdict === 'blocked';
  const print = isBlocked ? answerOf(heard.gate.block(reasonText(decided.contract, decision))) : '';
  const { contract: changed, evidence } = decided;
  keep(parts, ledger, matter, { decision, mode, changed, evidence, isLookedAt: true });
  if (!isBlocked) return APPROVED;
  parts.onStep?.('removed', 'before');
  parts.removeStop(heard.name);
  parts.onStep?.('removed', 'after');
  return { exitCode: 10, print };
}

type Seen = Partial<Pick<RecordedStop, 'evidence' | 'isLookedAt'>>;

interface Kept extends Pick<RecordedStop, 'decision' | 'mode'>, Seen {
  /** The contract as it is from now on. */
  readonly changed: GateContract | null;
}

/** Records and keeps, or neither: a contract that was not kept counts nothing, whatever the ledger says. */
function keep(
  parts: StopParts,
  ledger: Ledger,
  { heard, contract: before, answered }: StopMatter,
  { changed, ...kept }: Kept,
): void {
  const record = () => {
    // Nobody waits for the answer: what was not said must not be counted.
    if (!parts.isAwaited()) throw new Error('the hook is gone');
    parts.onStep?.('recorded', 'before');
    ledger.append(
      stopEntry({
        ...{ evidence: null, isLookedAt: false, ...kept, contract: changed },
        agentKind: heard.event.agentKind,
        conversation: heard.stop.conversation,
        paneId: heard.event.sender.paneId ?? null,
        latencyMs: answered ? answered.latencyMs : parts.latencyMs(heard.name),
      }),
    );
    if (changed !== null && before?.phase === 'open' && changed.phase !== 'open') {
      ledger.append(endEntry(changed));
    }
    parts.onStep?.('recorded', 'after');
    parts.onStep?.('saved', 'before');
  };
  if (changed === null || changed === before) {
    record();
    return;
  }
  parts.store.save(changed, record);
  parts.onStep?.('saved', 'after');
}

// The file of owners lags behind: bring it in step, so that the next stop here costs nothing again.
function heal({ store }: StopParts): void {
  try {
    store.syncOwners();
  } catch {
    // It is only slower then.
  }
}

/** The hook prints one line of JSON and nothing else. */
function answerOf(line: string): string {
  if (line.startsWith('{') && line.endsWith('}') && !/[\r\n]/.test(line)) return line;
  throw new Error('the agent cannot be answered in one line');
}
