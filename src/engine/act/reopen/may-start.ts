import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { inOwnFolder, withoutRunning } from '../../../core/close/left-running.ts';
import { livesAgain, successorsIn } from '../../../core/close/live-again.ts';
import { offersFor } from '../../../core/close/lost-folder.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { movedTo } from '../../../core/memory/moved.ts';
import type { HostIdentity } from '../../../core/sight/identity.ts';
import { commonName, lacksOwn } from '../../../core/sight/process.ts';
import { programName } from '../../../core/sight/program.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { visible } from '../../../core/text/visible.ts';
import type { Hands } from '../hands.ts';
import { startedBefore } from './conversation.ts';
import { leftRunning } from './left-running.ts';
import type { ReopenResult } from './order.ts';
import { outlived } from './outlived.ts';

/**
 * Why no agent may be started on what a receipt tells of; null where nothing speaks against it. Only for whoever is alone on
 * its conversation. `isPartial`: the session itself may stand, without that agent. `own`: the intent of whoever asks.
 */
export async function hindranceTo(
  hands: Hands,
  { facts, receipt }: ClosedSession,
  whole: Reopening,
  { sessions, isPartial, own }: Asking,
): Promise<ReopenResult | null> {
  const sought = {
    ...{ key: whole.key, receipt: receipt?.body.receipt ?? null, isPartial },
    conversation: whole.agent?.conversation ?? null,
  };
  const entries = lineOf(hands, sought);
  const living = livesAgain(sought, sessions, entries) ?? movedTo(facts, sessions);
  if (living !== null) return { state: 'lives', ...living };
  const unseen = whoRuns(hands);
  if (unseen !== null) return unseen;
  const before = startedBefore(hands, whole, { sessions, own });
  return before ?? (await outlived(hands, whole, sessions, entries));
}

// An agent that nobody sees may be at it, or the very program that is to be started.
function whoRuns({ processes }: Hands): Extract<ReopenResult, { state: 'failed' }> | null {
  const table = processes.sense();
  if (!lacksOwn(table)) return null;
  const text = `what runs cannot be seen, so it may still run: ${table.problem ?? 'there is no process table'}`;
  return { state: 'failed', text, hint: 'try again once processes can be seen' };
}

interface Asking {
  readonly sessions: readonly SessionEntry[];
  readonly isPartial: boolean;
  readonly own?: number | undefined;
}

/** Without the commands of which something still runs; refused where that is the session's own program. */
export function withoutLiving(
  hands: Hands,
  { facts }: ClosedSession,
  whole: Reopening,
  host: HostIdentity,
): Reopening | Extract<ReopenResult, { state: 'outlived' }> {
  const { own, of } = leftRunning(hands, facts, whole, host);
  const kind = visible([...new Set(own.map(commonName))].join(', '), 500);
  if (own.length > 0) return { state: 'outlived', kind, pids: own.map(({ pid }) => pid) };
  return withoutRunning(whole, of);
}

/** With its program, where its own folder is there. A pane whose folder is gone opens in that one. */
export async function withPlaces(
  hands: Hands,
  kept: Reopening,
): Promise<Reopening | Extract<ReopenResult, { state: 'folders-missing' | 'program-missing' }>> {
  const gone = await goneFolders(hands, kept);
  if (!gone.has(kept.cwd)) return withProgram(hands, inOwnFolder(kept, gone));
  const own = [kept.cwd];
  return { state: 'folders-missing', folders: own, offers: offersFor(own, kept.repositories ?? []) };
}

async function goneFolders(hands: Hands, { cwd, folders }: Reopening): Promise<ReadonlySet<string>> {
  const all = [...new Set([cwd, ...folders])];
  const areThere = await Promise.all(all.map((folder) => hands.isFolder(folder)));
  return new Set(all.filter((_, index) => !areThere[index]));
}

/** Everything beside its first pane, as it may be made now. */
export async function withRest(
  hands: Hands,
  facts: SessionFacts,
  kept: Reopening,
  host: HostIdentity,
): Promise<Reopening> {
  const free = withoutRunning(kept, leftRunning(hands, facts, kept, host).of);
  return inOwnFolder(free, await goneFolders(hands, free));
}

/** With the same program by its path. One that is gone from there may be found by its name, and then that is told. */
function withProgram(
  hands: Hands,
  kept: Reopening,
): Reopening | Extract<ReopenResult, { state: 'program-missing' }> {
  const [first, ...words] = kept.argv ?? [];
  if (first === undefined) return kept;
  const own = hands.findProgram(first, kept.cwd, kept.path ?? hands.callerEnv.PATH);
  if (own !== null) return { ...kept, argv: [own, ...words] };
  const program = hands.findProgram(programName(first), kept.cwd, hands.callerEnv.PATH);
  if (program === null) return { state: 'program-missing', program: first };
  const missing = [...kept.missing, `${first} is gone; ${program} was started instead`];
  return { ...kept, argv: [program, ...words], missing };
}

/** What the ledger tells of a session and of everything that was made from it, each before what came of it. */
function lineOf(hands: Hands, ancestor: Parameters<typeof successorsIn>[0]): readonly LedgerEntry[] {
  const read = new Set<string>();
  const entries: LedgerEntry[] = [];
  for (let next: string | undefined = ancestor.key; next !== undefined; ) {
    read.add(next);
    entries.push(...hands.ledger.read({ about: next }).entries);
    next = [...successorsIn(ancestor, entries).keys].find((key) => !read.has(key));
  }
  return entries;
}
