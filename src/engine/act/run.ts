import type { EntrySession } from '../../core/ledger/entry.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { LockFailed } from '../../ports/lock.ts';
import { type Deed, type DeedEnding, perform, Undecided } from './deed.ts';
import { recordEnds } from './ends/record-ends.ts';
import type { Hands } from './hands.ts';
import { aloneOnConversation } from './reopen/conversation.ts';
import { type Birth, birthBody, keyOf, namesake, namesToTry } from './run-find.ts';
import { endBody, type FirstEnd, seeBirth, settleBirth } from './run-see.ts';
import { intentBody, type RunWish } from './run-wish.ts';
import { startSession } from './start-in.ts';

/** Every lasting step of a run, in order. */
export const RUN_STEPS = ['intent', 'keep', 'start', 'see', 'settle', 'outcome'] as const;

type RunStep = Exclude<(typeof RUN_STEPS)[number], 'intent' | 'outcome'>;

/** What came of a run. */
export type Ran =
  | {
      readonly state: 'started';
      readonly key: string;
      readonly name: string;
      readonly host: HostIdentity;
      /** Null where its server gave no answer afterwards. */
      readonly entry: SessionEntry | null;
      /** How its program has ended already, where the pane stays or it ended with 0. */
      readonly end: FirstEnd | null;
    }
  /** Its program ended at once, other than with 0, and the session with it. */
  | { readonly state: 'died'; readonly name: string; readonly end: FirstEnd | null }
  | { readonly state: 'name-taken'; readonly name: string; readonly by: SessionEntry | null }
  | { readonly state: 'failed'; readonly text: string }
  /** tmux gave no answer, and nobody could tell whether it was done; the next action finds out. */
  | { readonly state: 'undecided'; readonly text: string }
  /** It was started, and that could not be recorded; the next action does that. */
  | { readonly state: 'unrecorded'; readonly name: string; readonly error: LedgerError }
  | { readonly state: 'busy'; readonly by: LockSighting }
  | LockFailed;

/** Starts a session: an intent first, and an outcome that says who it is. */
export async function run(hands: Hands, wish: RunWish): Promise<Ran> {
  return aloneOnConversation(hands, wish, wish, () => runAlone(hands, wish));
}

async function runAlone(hands: Hands, wish: RunWish): Promise<Ran> {
  const { sessions } = await hands.look({ servers: [wish.socketPath] });
  const names = namesToTry(wish.name, wish.onCollision);
  let taken: Ran = { state: 'name-taken', name: wish.name, by: null };
  for (const name of names) {
    const by = namesake(sessions, wish.socketPath, name);
    if (by !== null) {
      taken = { state: 'name-taken', name, by };
      continue;
    }
    const ran = await runAs(hands, wish, name);
    if (ran.state !== 'name-taken') return ran;
    taken = ran;
  }
  return taken;
}

async function runAs(hands: Hands, wish: RunWish, name: string): Promise<Ran> {
  const word = crypto.randomUUID();
  let born: Birth | null = null;
  const plan = {
    action: 'run',
    session: { key: null, name },
    argv: wish.argv,
    intend: () => intentBody(wish, word),
  };
  try {
    const performed = await perform<Ran, RunStep>(hands, plan, async (deed) => {
      const started = await startSession(hands, deed, { wish: { ...wish, name }, word });
      if (started.state === 'born') {
        born = started.birth;
        return settle(hands, deed, wish, born, word);
      }
      const { text } = started;
      const isTaken = started.state === 'name-taken';
      return {
        session: plan.session,
        body: { result: isTaken ? 'name-taken' : 'failed', text },
        value: isTaken ? { state: 'name-taken', name, by: null } : { state: 'failed', text },
      };
    });
    if (performed.state === 'performed') return over(hands, performed.value, word);
    return performed.state === 'moot' ? { state: 'failed', text: 'there is nothing to do' } : performed;
  } catch (error) {
    if (error instanceof Undecided) return { state: 'undecided', text: error.message };
    if (!(error instanceof LedgerError) || born === null) throw error;
    return { state: 'unrecorded', name: (born as Birth).name, error };
  }
}

/** What has ended at once is settled at once. */
async function over(hands: Hands, ran: Ran, word: string): Promise<Ran> {
  if (ran.state === 'died') hands.ends.drop(word);
  // Nothing is left of it that anybody could put back.
  if (ran.state !== 'started') hands.starts.drop(word);
  if (ran.state !== 'started' || ran.end === null || ran.entry !== null) return ran;
  await recordEnds(hands);
  const { sessions } = await hands.look({ isWithClosed: true });
  return { ...ran, entry: sessions.find(({ key }) => key === ran.key) ?? null };
}

/** Sees what became of it, and leaves it as it was wished for. */
async function settle(
  hands: Hands,
  deed: Deed<RunStep>,
  wish: RunWish,
  birth: Birth,
  word: string,
): Promise<DeedEnding<Ran>> {
  const first = await deed.step('see', () => seeBirth(hands, birth));
  const { seen, record, end } = await settleBirth(hands, deed, birth, first, { word, isHeld: wish.remain });
  const key = keyOf(seen.host, birth);
  const session: EntrySession = { key, name: birth.name };
  const body = { ...birthBody(birth, word), ...(end && { end: endBody(end) }) };
  if (seen.state === 'gone' && record?.exitStatus !== 0) {
    const value = { state: 'died', name: birth.name, end } as const;
    return { session, body: { ...body, result: 'died' }, value };
  }
  const entry = seen.state === 'alive' || seen.state === 'dead' ? seen.entry : null;
  const value = { state: 'started', key, name: birth.name, host: seen.host, entry, end } as const;
  return { session, body: { ...body, result: 'done' }, value };
}
