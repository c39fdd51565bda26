import { checkText } from '../../core/gate/check-text.ts';
import type { GateContract } from '../../core/gate/contract.ts';
import type { StopDecision } from '../../core/gate/decision.ts';
import type { GateMode } from '../../core/gate/mode.ts';
import { grouped } from '../../core/grouped.ts';
import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { visible } from '../../core/text/visible.ts';
import type { GateStore, PassedStop } from '../../ports/gate.ts';
import type { Ledger } from '../../ports/ledger.ts';

/** What was asked of whom; `awakeMs` where its time begins now. */
export function startEntry(contract: GateContract, awakeMs?: number): EntryDraft {
  const { id, task, expiresAt, checks, reinforce, owner } = contract;
  return about(contract, 'gate-start', {
    ...{ gate: id, task: task === null ? null : visible(task, 500), expiresAt, reinforce },
    ...(awakeMs !== undefined && { awakeMs }),
    checks: checks.map(({ check }) => checkText(check)),
    owner: { paneId: owner.paneId, agent: owner.agent.kind, conversation: visible(owner.conversation, 200) },
  });
}

/** How it came to its end; `missing` where it was ended all the same. */
export function endEntry(contract: GateContract, missing: readonly string[] = []): EntryDraft {
  const { id, phase, ended } = contract;
  return about(contract, 'gate-end', {
    ...{ gate: id, phase, text: visible(ended?.text ?? '', 600) },
    ...(missing.length > 0 && { missing: [...missing] }),
  });
}

/** What was decided about one stop, with what it rests on. */
export interface RecordedStop {
  readonly decision: StopDecision;
  readonly contract: GateContract | null;
  readonly evidence: string | null;
  readonly mode: GateMode;
  readonly agentKind: string;
  readonly conversation: string | null;
  readonly paneId: string | null;
  readonly latencyMs: number | null;
  /** Checks were looked at for it. */
  readonly isLookedAt: boolean;
}

export function stopEntry(stop: RecordedStop): EntryDraft {
  const { decision, contract, evidence, mode, latencyMs, paneId, isLookedAt } = stop;
  const { verdict, reason, text, missing } = decision;
  const counter = mode === 'enforce' ? contract?.enforced : contract?.shadowed;
  const results = isLookedAt ? (contract?.checks ?? []) : [];
  const body: JsonObject = {
    ...{ gate: contract?.id ?? null, verdict, reason, text: visible(text, 600), missing: [...missing] },
    ...{ evidence, mode, agent: visible(stop.agentKind, 64), paneId, latencyMs },
    conversation: stop.conversation === null ? null : visible(stop.conversation, 200),
    results: results.map(({ check, result }) => ({
      check: checkText(check),
      state: result?.state ?? 'unknown',
      text: visible(result?.text ?? '', 600),
    })),
    used: counter?.used ?? null,
  };
  return contract === null
    ? { kind: 'declared', action: 'gate-stop', session: null, body }
    : about(contract, 'gate-stop', body);
}

/** Records what the hook let through by itself since somebody last did. */
export function drainPassed(
  store: Pick<GateStore, 'passed' | 'emptyPassed'>,
  ledger: Pick<Ledger, 'append'>,
) {
  const passed = store.passed();
  if (passed.length === 0) return;
  ledger.append(passedEntry(passed));
  store.emptyPassed();
}

function passedEntry(passed: readonly PassedStop[]): EntryDraft {
  const kinds = grouped(passed, ({ agentKind }) => visible(agentKind, 64));
  const by = Object.fromEntries([...kinds].map(([kind, stops]) => [kind, stops.length]));
  return { kind: 'declared', action: 'gate-passed', session: null, body: { stops: passed.length, by } };
}

function about({ owner }: GateContract, action: string, body: JsonObject): EntryDraft {
  const { key, name } = owner.session;
  return { kind: 'declared', action, session: { key, name }, body };
}
