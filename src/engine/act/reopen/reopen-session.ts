import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import { agentAlone, type Reopening } from '../../../core/close/reopening.ts';
import { isPartial } from '../../../core/ledger/entry.ts';
import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import { overSince } from '../../../core/restore/over.ts';
import { isOutside } from '../../../core/sight/identity.ts';
import { isGone, type SessionEntry } from '../../../core/sight/roll.ts';
import { left, moveGates } from '../../gate/move-gates.ts';
import { perform, Undecided, undecided } from '../deed.ts';
import { type Hands, sinceBoot } from '../hands.ts';
import { namesake, namesToTry } from '../run-find.ts';
import { type AsleepFrom, archiveAsleep } from './asleep.ts';
import { bringBack, intentBody, type ReopenCourse } from './bring-back.ts';
import { onlyAgents } from './by-agents.ts';
import { aloneOnConversation } from './conversation.ts';
import { endedEarlier } from './ended-earlier.ts';
import { keptOf } from './kept.ts';
import { standingWithoutAgent } from './lost-session-of.ts';
import { hindranceTo, withoutLiving, withPlaces } from './may-start.ts';
import type { PlacedReopen, ReopenOrder, ReopenResult, ReopenStep } from './order.ts';

/**
 * Whether what is to be restored is not lost any more, by what the ledger says at this moment. For whoever has the lock of the
 * session that is the last word: nobody else brings it back meanwhile.
 */
function overOf(
  { ledger }: Pick<Hands, 'ledger'>,
  { lostAs }: Pick<ReopenOrder, 'lostAs'>,
  sessions?: readonly SessionEntry[],
): Extract<ReopenResult, { state: 'over' | 'failed' }> | null {
  if (lostAs === undefined) return null;
  const { key } = lostAs.facts;
  const { facts, openIntents } = ledger.facts().folded;
  const text = overSince(lostAs, { facts, entry: sessions?.find((one) => one.key === key) });
  if (text !== null) return { state: 'over', text };
  // Without the lock it may be somebody who lives.
  if (sessions === undefined) return null;
  const open = [...openIntents.values()].find((one) => one.action === 'reopen' && one.session?.key === key);
  return open === undefined ? null : { state: 'failed', ...CUT_SHORT };
}

const CUT_SHORT = {
  text: 'somebody else was bringing it back and was cut short',
  hint: 'run it again: every command that changes something finds out first what came of that',
};

/** Makes a session again that was closed or lost; of one that a close left standing, the agent that it ended. */
export async function reopenSession(hands: Hands, wanted: ReopenOrder): Promise<ReopenResult> {
  const over = overOf(hands, wanted);
  if (over !== null) return over;
  const standing = await standingWithoutAgent(hands, wanted);
  const order = standing === null ? wanted : { ...wanted, closed: standing, isAgentOnly: true };
  const found = keptOf(hands, order);
  if ('state' in found) return found;
  const ended = endedEarlier(hands, order.closed, found);
  const whole = { ...found, missing: [...found.missing, ...ended] };
  const kept = order.isWithoutPrograms ? onlyAgents(hands, whole, order) : whole;
  const socketPath = order.socketPath ?? kept.socketPath ?? hands.socketOf();
  return aloneOnConversation(hands, order, kept, () => makeAgain(hands, { ...order, socketPath }, kept));
}

async function makeAgain(hands: Hands, order: PlacedReopen, found: Reopening): Promise<ReopenResult> {
  const { closed } = order;
  let kept = found;
  let word: string = crypto.randomUUID();
  let asleep: AsleepFrom | null = null;
  let early: ReopenResult | null = null;
  let name = order.name ?? kept.name;
  const course: ReopenCourse = { born: null };
  let lookedAt = 0;
  const performing = perform<ReopenResult, ReopenStep>(
    hands,
    {
      action: 'reopen',
      session: { key: closed.facts.key, name: closed.facts.name },
      argv: order.argv,
      async prepare() {
        lookedAt = sinceBoot(hands);
        const free = await place(hands, order, kept);
        if ('state' in free) early = free;
        else ({ name, kept } = free);
        if (early !== null) return false;
        const sleeps = archiveAsleep(hands, order, kept);
        if (sleeps !== null && 'state' in sleeps) early = sleeps;
        else if (sleeps !== null) [asleep, word] = [sleeps, sleeps.word];
        return early === null;
      },
      intend: () => ({
        ...intentBody({ now: hands.moment(), order, kept }, name, word),
        ...(asleep && { isAsleep: true, digests: asleep.digests }),
      }),
    },
    (deed) => {
      const permit = { at: lookedAt, again: () => askAgain(hands, order, found, deed.cause) };
      return bringBack({ hands, order, kept, deed, course, asleep, permit }, name, word);
    },
  );
  const performed = await performing.catch((error: unknown) => {
    if (error instanceof Undecided) return undecided(error, 'it may be there');
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

/** Looks once more, alone on it, whether it lives; and finds a name, its folders and its program. */
async function place(
  hands: Hands,
  { socketPath, ...order }: PlacedReopen,
  whole: Reopening,
): Promise<{ readonly name: string; readonly kept: Reopening } | ReopenResult> {
  const { receipt, facts } = order.closed;
  const { sessions, host } = await hands.look();
  // Here nobody sees whether it lives. What was closed there may come here.
  if (facts.closed === null && isOutside(facts, host)) return { state: 'failed', ...OUTSIDE };
  const over = overOf(hands, order, sessions);
  if (over !== null) return over;
  const itself = itselfIn(sessions, whole);
  const hindrance = await speaksAgainst(hands, order, whole, sessions);
  if (hindrance !== null) return hindrance;
  if (order.isAgentOnly && itself === undefined) return { state: 'failed', ...WENT_AWAY };
  if (itself !== undefined && !isResumable(order, whole)) {
    const word = receipt?.body.receipt ?? null;
    const text = `it still stands, and how to resume its agent is not known${word === null ? '' : `; what was kept: receipt ${word}`}`;
    return { state: 'not-kept', text };
  }
  const kept = withoutLiving(hands, order.closed, itself === undefined ? whole : agentAlone(whole), host);
  if ('state' in kept) return kept;
  const ready = await withPlaces(hands, kept);
  if ('state' in ready) return ready;
  const wanted = order.name ?? kept.name;
  // Nobody chose the name that the session itself has.
  const isOwn = order.name === null && itself !== undefined;
  const names = namesToTry(wanted, isOwn ? 'suffix' : order.onCollision);
  const name = names.find((one) => namesake(sessions, socketPath, one) === null);
  return name === undefined ? { state: 'name-taken', name: wanted } : { name, kept: ready };
}

function isResumable(
  { closed, isAgentOnly }: Pick<ReopenOrder, 'closed' | 'isAgentOnly'>,
  { argv, agent }: Reopening,
): boolean {
  if (argv === null) return false;
  return isAgentOnly ? agent?.conversation != null : closed.receipt?.body.resume != null;
}

/** Why it may not be made again, by what a look saw. `own`: the intent of whoever asks. */
async function speaksAgainst(
  hands: Hands,
  { closed, isAgentOnly }: Pick<PlacedReopen, 'closed' | 'isAgentOnly'>,
  whole: Reopening,
  sessions: readonly SessionEntry[],
  own?: number,
): Promise<ReopenResult | null> {
  const { receipt } = closed;
  const itself = itselfIn(sessions, whole);
  if (itself?.activity === 'asleep') return { state: 'lives', entry: itself, text: SLEEPS };
  // Its sleeper is not there any more: what slept can only be started beside what is there now.
  const isLeft = receipt?.action === 'hibernate' && itself !== undefined;
  const isAgents = isLeft || isPartial(receipt) || isAgentOnly === true;
  return hindranceTo(hands, closed, whole, { sessions, isPartial: isAgents, own });
}

async function askAgain(hands: Hands, order: PlacedReopen, whole: Reopening, own: number) {
  const { sessions } = await hands.look();
  const at = sinceBoot(hands);
  return { at, hindrance: await speaksAgainst(hands, order, whole, sessions, own) };
}

function itselfIn(sessions: readonly SessionEntry[], { key }: Reopening): SessionEntry | undefined {
  return sessions.find((entry) => entry.key === key && !isGone(entry));
}

const WENT_AWAY = { text: 'its session went away meanwhile', hint: 'run it again' };
const OUTSIDE = {
  text: 'it belongs to the system outside of this container, where it may live',
  hint: 'reopen it there, or close it there first',
};
const SLEEPS = 'it sleeps in its own session; rollcall wake wakes it';
