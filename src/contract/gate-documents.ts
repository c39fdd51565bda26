import type { GateCheck } from '../core/gate/check.ts';
import { checkText } from '../core/gate/check-text.ts';
import type { GateContract, GatePhase } from '../core/gate/contract.ts';
import { isOverdue } from '../core/gate/early.ts';
import type { GateMode } from '../core/gate/mode.ts';
import type { GateReport } from '../core/gate/report.ts';
import { maskWords } from '../core/text/mask-secrets.ts';
import type { GateModes, GateSwitch } from '../ports/gate.ts';
import type { Recorded } from '../schema/recorded.ts';
import { toDocument } from './document.ts';
import type {
  GateContractObject,
  GateEndedDocument,
  GateModeDocument,
  GateReportDocument,
  GateStartDocument,
  GateStatusDocument,
  GateSwitchDocument,
} from './gate-schemas.ts';

/** A contract with the mode that holds for it. */
export interface ShownContract {
  readonly contract: GateContract;
  readonly mode: GateMode;
}

/** Which modes there are, and which of them holds here. */
export interface GateModeState extends GateModes {
  readonly mode: GateMode;
  /** The repository around the current folder. */
  readonly root: string | null;
  readonly switchedOff: GateSwitch | null;
}

export function toGateStartDocument(
  shown: ShownContract,
  {
    now,
    ...told
  }: Omit<Recorded<GateStartDocument>, 'schemaVersion' | 'contract'> & { readonly now: number },
): GateStartDocument {
  const contract = contractObject(shown, now);
  const { result, switchedOff, warnings } = told;
  return toDocument({ result, contract, switchedOff: switchObject(switchedOff), warnings });
}

export function toGateStatusDocument(
  contracts: readonly ShownContract[],
  { at, mode, switchedOff, problems }: Omit<Recorded<GateStatusDocument>, 'schemaVersion' | 'contracts'>,
): GateStatusDocument {
  return toDocument({
    at,
    mode,
    switchedOff: switchObject(switchedOff),
    contracts: contracts.map((shown) => contractObject(shown, at)),
    problems,
  });
}

export function toGateEndedDocument(
  shown: ShownContract,
  { result, isForced, now }: Pick<GateEndedDocument, 'result' | 'isForced'> & { readonly now: number },
): GateEndedDocument {
  return toDocument({ result, isForced, contract: contractObject(shown, now) });
}

export function toGateModeDocument(state: GateModeState): GateModeDocument {
  const { mode, user, projects, root, problem } = state;
  const project = root === null ? null : { root, mode: projects[root] ?? null };
  return toDocument({
    ...{ mode, user, project, projects, problem },
    switchedOff: switchObject(state.switchedOff),
  });
}

export function toGateSwitchDocument(
  result: GateSwitchDocument['result'],
  switchedOff: GateSwitch | null,
  warnings: readonly string[],
): GateSwitchDocument {
  return toDocument({ result, switchedOff: switchObject(switchedOff), warnings });
}

export function toGateReportDocument(report: GateReport, since: number): GateReportDocument {
  const { from, to, stops, approved, wouldBlock, blocked, latency } = report;
  return toDocument({
    ...{ since, from, to, stops, approved, wouldBlock, blocked },
    reasons: report.reasons.map(({ reason, times }) => ({ reason, times })),
    agents: report.agents.map(({ agent, stops: seen }) => ({ agent, stops: seen })),
    contracts: report.cases.map(({ gate, ...rest }) => ({ id: gate, ...rest })),
    blockedEnds: report.blockedEnds,
    shadowEnds: report.shadowEnds,
    latency,
    changes: report.changes.map(({ at, text }) => ({ at, text })),
  });
}

/** The phase as it is now: nobody has to be there for time to run out. */
export function phaseNow(contract: GateContract, now: number): GatePhase {
  return isOverdue(contract, now) ? 'expired' : contract.phase;
}

function contractObject({ contract, mode }: ShownContract, now: number): GateContractObject {
  const { id, task, startedAt, expiresAt, ended, cwd, project, reinforce, stale } = contract;
  return {
    ...{ id, task, phase: phaseNow(contract, now), startedAt, expiresAt, ended: ended && { ...ended } },
    ...{ cwd, project, mode, reinforce },
    ...{ used: contract.enforced.used, wouldHaveUsed: contract.shadowed.used },
    checks: contract.checks.map(({ check, result }) => ({
      text: checkText(check),
      check: checkObject(check),
      result: result && { state: result.state, text: result.text, at: result.at },
    })),
    owner: ownerObject(contract.owner),
    stale: stale && { ...stale },
  };
}

function ownerObject(owner: GateContract['owner']): GateContractObject['owner'] {
  const { session, server, paneId, agent, conversation, stampedAt } = owner;
  return {
    ...{ key: session.key, name: session.name, paneId, stampedAt },
    server: { socketPath: server.socketPath, pid: server.pid },
    agent: { kind: agent.kind, pid: agent.pid },
    conversation: conversation === '' ? null : conversation,
  };
}

function checkObject(check: GateCheck): GateContractObject['checks'][number]['check'] {
  return check.kind === 'command' ? { ...check, argv: maskWords(check.argv) } : { ...check };
}

function switchObject(off: GateSwitch | null): GateSwitchDocument['switchedOff'] {
  return off && { at: off.at, reason: off.reason };
}
