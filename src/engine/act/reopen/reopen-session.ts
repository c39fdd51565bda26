import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { livesAgain } from '../../../core/close/live-again.ts';
import { offersFor } from '../../../core/close/lost-folder.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { agentAlone } from '../../../core/close/reopening.ts';
import { successorsIn } from '../../../core/close/successors.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { textIn, wordsIn } from '../../../core/ledger/json-values.ts';
import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import { isPartial } from '../../../core/ledger/partial.ts';
import { movedTo } from '../../../core/moved.ts';
import { programName } from '../../../core/program.ts';
import { isGone } from '../../../core/roll.ts';
import { left, moveGates } from '../../gate/move-gates.ts';
import { perform } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { namesake, namesToTry } from '../run-name.ts';
import { Undecided } from '../undecided.ts';
import { bringBack, type Course, intentBody } from './bring-back.ts';
import { aloneOnConversation, startedBefore } from './conversation.ts';
import { keptOf } from './kept.ts';
import type { Placed, ReopenOrder, ReopenResult, ReopenStep } from './order.ts';
import { outlived } from './outlived.ts';

/** Makes a session again that was closed or lost; of one that a close left standing, the agent that it ended. */
export async function reopenSession(hands: Hands, order: ReopenOrder): Promise<ReopenResult> {
  const kept = keptOf(hands, order);
  if ('state' in kept) return kept;
  const socketPath = order.socketPath ?? kept.socketPath ?? hands.socketOf();
  return aloneOnConversation(hands, order, kept, () => makeAgain(hands, { ...order, socketPath }, kept));
}

async function makeAgain(hands: Hands, order: Placed, found: Reopening): Promise<ReopenResult> {
  const { closed } = order;
  let kept = found;
  const word = crypto.randomUUID();
  let early: ReopenResult | null = null;
  let name = order.name ?? kept.name;
  const course: Course = { born: null };
  const performing = perform<ReopenResult, ReopenStep>(
    hands,
    {
      action: 'reopen',
      session: { key: closed.facts.key, name: closed.facts.name },
      argv: order.argv,
      async prepare() {
        const free = await place(hands, order, kept);
        if ('state' in free) early = free;
        else ({ name, kept } = free);
        return early === null;
      },
      intend: () => intentBody(order, kept, name, word),
    },
    (deed) => bringBack({ hands, order, kept, deed, course }, name, word),
  );
  const performed = await performing.catch((error: unknown) => {
    if (error instanceof Undecided) return undecided(error);
    if (!(error instanceof LedgerError) || course.born === null) throw error;
    return { state: 'unrecorded', name: course.born, error } as const;
  });
  if (performed.state === 'performed') {
    if (performed.value.state === 'died') hands.ends.drop(word);
    if (performed.value.state !== 'reopened') hands.starts.drop(word);
    return withWork(hands, closed, performed.value);
  }
  if (performed.state === 'moot') return early ?? { state: 'not-kept', text: 'there is nothing to reopen' };
  return performed;
}

// What it was to finish comes with it, once it is there and recorded.
async function withWork(hands: Hands, { facts }: ClosedSession, result: ReopenResult): Promise<ReopenResult> {
  if (result.state !== 'reopened') return result;
  const { entry, reopening, missing } = result;
  const conversation = reopening.agent?.conversation ?? null;
  const lack = await moveGates(hands, hands.gates, { from: facts.key, entry, conversation }).catch(
    (error: unknown) => left((error as Error).message),
  );
  return lack === null ? result : { ...result, missing: [...missing, lack] };
}

function undecided({ message }: Undecided): Extract<ReopenResult, { state: 'failed' }> {
  const hint = 'it may be there all the same; the next rollcall command finds out and records it';
  return { state: 'failed', text: `tmux gave no answer: ${message}`, hint };
}

/** Looks once more, alone on it, whether it lives; and finds a name, its folders and its program. */
async function place(
  hands: Hands,
  { socketPath, ...order }: Placed,
  whole: Reopening,
): Promise<{ readonly name: string; readonly kept: Reopening } | ReopenResult> {
  const { receipt } = order.closed;
  const { sessions } = await hands.look();
  const sought = {
    ...{ key: whole.key, receipt: textIn(receipt?.body.receipt), isPartial: isPartial(receipt) },
    conversation: whole.agent?.conversation ?? null,
  };
  const entries = lineOf(hands, sought);
  const living = livesAgain(sought, sessions, entries) ?? movedTo(order.closed.facts, sessions);
  if (living !== null) return { state: 'lives', ...living };
  const started = startedBefore(hands, whole, sessions);
  if (started !== null) return started;
  const survivors = await outlived(hands, whole, { sessions, entries });
  if (survivors !== null) return survivors;
  const itself = sessions.find((entry) => entry.key === whole.key && !isGone(entry));
  if (itself !== undefined && (wordsIn(receipt?.body.resume) === null || whole.argv === null)) {
    const text = `it still stands, and how to resume its agent is not known; what was kept: receipt ${sought.receipt}`;
    return { state: 'not-kept', text };
  }
  const kept = itself === undefined ? whole : agentAlone(whole);
  const areThere = await Promise.all(kept.folders.map((folder) => hands.isFolder(folder)));
  const folders = kept.folders.filter((_, index) => !areThere[index]);
  if (folders.length > 0) {
    return { state: 'folders-missing', folders, offers: offersFor(folders, kept.repositories ?? []) };
  }
  const program = withProgram(hands, kept);
  if ('state' in program) return program;
  const wanted = order.name ?? kept.name;
  // Nobody chose the name that the session itself has.
  const isOwn = order.name === null && itself !== undefined;
  const names = namesToTry(wanted, isOwn ? 'suffix' : order.onCollision);
  const name = names.find((one) => namesake(sessions, socketPath, one) === null);
  return name === undefined ? { state: 'name-taken', name: wanted } : { name, kept: program };
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
