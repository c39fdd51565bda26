import { toGateReportDocument, toGateStatusDocument } from '../contract/gate-documents.ts';
import type { GateReportDocument, GateStatusDocument } from '../contract/gate-schemas.ts';
import type { Input, Wish } from '../contract/operations.ts';
import type { GateContract } from '../core/gate/contract.ts';
import { isOverdue } from '../core/gate/early.ts';
import { effectiveMode } from '../core/gate/mode.ts';
import { type GateReport, gateTally } from '../core/gate/report.ts';
import { type GateStatus, type StatusOptions, gateStatus as see } from '../engine/gate/gate-status.ts';
import type { GateParts } from '../engine/gate/parts.ts';
import type { At } from './at.ts';
import { contractsMeant } from './find-contract.ts';
import { requireServers } from './look-for.ts';
import { A_WEEK_MS } from './reap-report.ts';
import { ledgerFailure } from './with-hands.ts';

type AtGate = Pick<At, 'gate' | 'look' | 'socketOf' | 'now' | 'cwd'>;

/** What is asked of whom, and what holds for all of it. */
export interface SeenGate extends Pick<GateStatus, 'contracts'> {
  readonly at: number;
  readonly mode: ReturnType<typeof effectiveMode>;
  readonly switchedOff: GateStatus['switch'];
  readonly problems: readonly string[];
}

export async function gateStatus(input: Input<'gateStatus'>, at: AtGate): Promise<GateStatusDocument> {
  return seenDocument(await seeGate(input, at));
}

export function seenDocument({ contracts, ...seen }: SeenGate): GateStatusDocument {
  return toGateStatusDocument(contracts, seen);
}

/** Looks at the contracts; with `run` at their checks too, which starts programs. */
export async function seeGate(
  asked: Wish<'gateStatus'>,
  at: AtGate,
  { run, onCheck }: Pick<StatusOptions, 'run' | 'onCheck'> = { run: false },
): Promise<SeenGate> {
  const { session: word, all: isAll = false } = asked;
  const parts = await at.gate();
  const now = at.now();
  const named = await namedBy(at, parts, asked);
  const {
    contracts,
    damaged,
    modes,
    switch: switchedOff,
  } = await see(parts, {
    ...{ now, run },
    only: (contract) => named(contract) && (isAll || contract.id === word || isOpen(contract, now)),
    ...(onCheck && { onCheck }),
  });
  const mode = effectiveMode(modes, await parts.projectOf(at.cwd));
  return { at: now, contracts, mode, switchedOff, problems: problemsOf(parts, damaged, modes.problem) };
}

export async function gateReport(
  input: Input<'gateReport'>,
  at: Pick<At, 'gate' | 'entries' | 'now'>,
): Promise<GateReportDocument> {
  const since = input.since ?? at.now() - A_WEEK_MS;
  return toGateReportDocument(await tallyGate(since, at), since);
}

/** Adds up what the gate did since then. */
export async function tallyGate(
  since: number,
  at: Pick<At, 'gate' | 'entries' | 'now'>,
): Promise<GateReport> {
  const { store } = await at.gate();
  const entries = await at.entries().catch((error: unknown) => {
    throw ledgerFailure(error);
  });
  return gateTally(entries, store.passed(), since, at.now());
}

function isOpen(contract: GateContract, now: number): boolean {
  return contract.phase === 'open' && !isOverdue(contract, now);
}

// Only a name needs a look at the sessions.
async function namedBy(
  at: AtGate,
  { store }: GateParts,
  { session: word, pane, servers = [] }: Wish<'gateStatus'>,
): Promise<(contract: GateContract) => boolean> {
  if (word === undefined) return () => true;
  const { contracts } = store.contracts();
  if (contracts.some(({ id }) => id === word)) return ({ id }) => id === word;
  const sockets = servers.map((server) => at.socketOf(server));
  const roll = await at.look(sockets.length > 0 ? { servers: sockets } : {});
  requireServers(roll, sockets);
  const meant = new Set(contractsMeant(contracts, roll, word, pane ?? null).map(({ id }) => id));
  return ({ id }) => meant.has(id);
}

function problemsOf({ store }: GateParts, damaged: readonly string[], modeProblem: string | null): string[] {
  return [
    ...(store.problem === null ? [] : [store.problem]),
    ...damaged.map((file) => `a contract cannot be read, and holds nobody: ${file}`),
    ...(modeProblem === null || modeProblem === store.problem ? [] : [`${modeProblem}; nothing is enforced`]),
  ];
}
