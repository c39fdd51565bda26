import type { PaneWish, SessionWish } from '../../ports/actuator.ts';
import { type Deed, Undecided } from './deed.ts';
import { type Hands, sinceBoot } from './hands.ts';
import { keepStart } from './keep-start.ts';
import type { ReopenResult } from './reopen/order.ts';
import { reopenedOr } from './reopen/trouble.ts';
import { type Birth, birthOf, findRun } from './run-find.ts';
import { type RunWish, toSessionWish } from './run-wish.ts';
import { LOST_HINT } from './still-ours.ts';
import type { Trouble } from './trouble.ts';

/** What became of a start; nothing was started where it is not `born`. */
export type StartEnd =
  | { readonly state: 'born'; readonly birth: Birth }
  | { readonly state: 'name-taken' | 'failed'; readonly text: string }
  | Hindered;

interface Hindered {
  readonly state: 'hindered';
  readonly by: ReopenResult;
  readonly text: string;
}

export interface StartTask {
  readonly wish: RunWish;
  /** The word of the run. */
  readonly word: string;
  /** What permitted the start; absent where nobody had to look. */
  readonly permit?: Permit;
}

/**
 * Keeps how a program is started, and starts it in a session of its own. `instead`: a sleeper that is started for it; what is
 * kept is how the program itself is started.
 */
export async function startSession(
  hands: Hands,
  deed: Deed<'keep' | 'start'>,
  starting: StartTask & Pick<SessionWish, 'size'> & { readonly instead?: PaneWish | null },
): Promise<StartEnd> {
  const { wish, word, permit, instead = null, size } = starting;
  const { socketPath, name } = wish;
  const unkept = await deed.step('keep', () => keepStart(hands, wish, word));
  if (unkept !== null) return { state: 'failed', text: unkept };
  const session = { ...withInstead(toSessionWish(wish, name, word), instead), ...(size && { size }) };
  const started = await deed.step(
    'start',
    async () => (await hinderedBy(hands, deed, permit)) ?? hands.tmux.startSession(socketPath, session),
  );
  if (started.state === 'started') return { state: 'born', birth: birthOf(hands, started) };
  if (started.state !== 'failed') return started;
  // No answer is not a no: the session may stand there all the same.
  const found = await findRun(hands, await hands.look(), { socketPath, word });
  if (found.state === 'found') return { state: 'born', birth: found.birth };
  if (found.state !== 'absent') throw new Undecided(started.text);
  return started;
}

// Asked last, right before tmux: this process may have been stopped (SIGSTOP, suspend) since its look.
export async function hinderedBy(
  hands: Hands,
  { lost }: Pick<Deed<never>, 'lost'>,
  permit: Permit | undefined,
): Promise<Hindered | null> {
  const hindrance = permit === undefined ? null : await hindranceSince(hands, permit);
  const why = lost();
  const by = hindrance ?? (why && { state: 'failed' as const, text: why.text, hint: LOST_HINT });
  return by && { state: 'hindered', by, text: (reopenedOr(by, hands.now()) as Trouble).text };
}

// Its session has the program's own environment, for when that wakes.
function withInstead(wish: SessionWish, instead: PaneWish | null): SessionWish {
  if (instead === null) return wish;
  const { argv, isUnrecorded } = instead;
  const env = { ...wish.env, ...instead.env };
  return { ...wish, argv, env, ...(isUnrecorded && { isUnrecorded }) };
}

/** What a look told of a start. */
interface Asked {
  /** When processes were asked, by `sinceBoot`. */
  readonly at: number;
  readonly hindrance: ReopenResult | null;
}

/** A look that permitted a start, which has its time: a process may be stopped, or its machine suspended, after it. */
export interface Permit {
  /** When that look began, by `sinceBoot`. */
  readonly at: number;
  /** Looks again. */
  again(): Promise<Asked>;
}

/** So long a look permits a start. Within it nobody resumes a conversation by hand that rollcall is about to start. */
const GOOD_FOR_MS = 1_000;
/** On a loaded machine nothing is quicker; whatever took longer was stopped. */
const AT_MOST_MS = 10_000;
const LOOKS = 3;

/**
 * Why what was permitted may not be started any more; null where nothing speaks against it. Right before the start: what was
 * seen long ago is looked at again. A stop between this and the start itself is not noticed.
 */
export async function hindranceSince(hands: Hands, { at, again }: Permit): Promise<ReopenResult | null> {
  if (sinceBoot(hands) - at <= GOOD_FOR_MS) return null;
  for (let looks = 1; looks <= LOOKS; looks += 1) {
    const asked = await again();
    if (asked.hindrance !== null) return asked.hindrance;
    if (sinceBoot(hands) - asked.at <= (looks === LOOKS ? AT_MOST_MS : GOOD_FOR_MS)) return null;
  }
  return { state: 'failed', text: STOPPED, hint: 'nothing was started; try again' };
}

const STOPPED = 'it was stopped each time it had looked whether somebody else has the conversation';
