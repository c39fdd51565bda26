import { daemonObject } from '../contract/daemon-documents.ts';
import type { Input } from '../contract/operations.ts';
import { type StatusFacts, toStatusDocument } from '../contract/status-document.ts';
import type { StatusDocument } from '../contract/status-schema.ts';
import { LedgerError } from '../core/ledger/ledger-error.ts';
import { type Due, duesIn } from '../core/settle/due.ts';
import type { Problem, Roll } from '../core/sight/roll.ts';
import type { RolePolicies } from '../core/verdict/policy.ts';
import type { Look } from '../engine/look/look.ts';
import { memoryHolders, type PressureLook } from '../engine/pressure.ts';
import type { DaemonControl, DaemonSighting } from '../ports/daemon.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { At } from './at.ts';
import { requireServers } from './look-for.ts';

export async function status(
  input: Input<'status'>,
  at: Pick<At, 'seeMachine' | 'socketOf'>,
): Promise<StatusDocument> {
  return toStatusDocument(await at.seeMachine((input.servers ?? []).map((word) => at.socketOf(word))));
}

/** What a status is taken with, by whoever asks from this machine. */
export interface MachineEyes {
  readonly look: Look;
  readonly settings: RolePolicies;
  daemonControl(): Promise<DaemonControl>;
  pressure(): Promise<PressureLook>;
  ledger(): Promise<Ledger>;
}

/** The status as whoever asks from this machine sees it. */
export interface SeenStatus extends StatusFacts {
  readonly seen: DaemonSighting;
}

/** Looks once at the sessions, at the pressure and into the ledger. `notices`: problems that are known already. */
export async function seeMachine(
  eyes: MachineEyes,
  servers: readonly string[],
  notices: readonly Problem[] = [],
): Promise<SeenStatus> {
  const control = await eyes.daemonControl();
  const seen = control.see();
  // Before the look, which keeps this process from reading an answer in time.
  const answer = seen.state === 'running' ? await control.answer(seen) : null;
  const roll = await eyes.look(servers.length > 0 ? { servers } : {});
  requireServers(roll, servers);
  const look = await eyes.pressure();
  const { pressure, problems } = look(memoryHolders(roll));
  const held = await heldIn(() => readLedger(eyes));
  return {
    roll: { ...roll, problems: [...roll.problems, ...notices, ...problems, ...held.problems] },
    daemon: daemonObject(seen),
    supervision: seen.state === 'running' ? seen.standing : null,
    seen,
    answer,
    pressure,
    due: dueIn(roll, seen, eyes.settings),
    ledger: held.ledger,
  };
}

/** What the ledger holds, or the problem that says why nobody can tell. */
export async function heldIn(read: () => StatusFacts['ledger'] | Promise<StatusFacts['ledger']>): Promise<{
  readonly ledger: StatusFacts['ledger'];
  readonly problems: readonly Problem[];
}> {
  try {
    return { ledger: await read(), problems: [] };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const { message, hint } = error;
    return { ledger: null, problems: [{ code: 'ledger-unread', text: `the ledger: ${message}`, hint }] };
  }
}

// Whoever is going to close them has the last word; it saw more than one look does.
function dueIn({ sessions, at }: Roll, seen: DaemonSighting, settings: RolePolicies): readonly Due[] {
  const told = seen.state === 'running' ? seen.standing?.settle : undefined;
  if (told === undefined) return duesIn(sessions, at, settings);
  const keys = new Set(sessions.map(({ key }) => key));
  return told.due.filter(({ key }) => keys.has(key));
}

async function readLedger({ ledger: open }: Pick<MachineEyes, 'ledger'>): Promise<StatusFacts['ledger']> {
  const ledger = await open();
  try {
    const { head, folded, damage } = ledger.facts();
    const last = ledger.read({ last: 1 }).entries.at(-1) ?? null;
    const openIntents = [...folded.openIntents.values()];
    return { entries: head.sequence, last, openIntents, isDamaged: damage !== null };
  } finally {
    ledger.close();
  }
}
