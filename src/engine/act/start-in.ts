import type { PaneTarget, PaneWish, SessionWish, Started, StartedInPane } from '../../ports/actuator.ts';
import type { Deed } from './deed.ts';
import type { Hands } from './hands.ts';
import { keepStart } from './keep-start.ts';
import type { ReopenResult } from './reopen/order.ts';
import { hindranceSince, type Permit } from './reopen/permit.ts';
import { reopenedOr } from './reopen/trouble.ts';
import { type RunWish, toSessionWish } from './run-wish.ts';
import type { Trouble } from './trouble.ts';

/** Where a program comes to: a session of its own, or a pane whose process may be ended for it. */
export type Place =
  | {
      readonly kind: 'session';
      readonly name: string;
      readonly size?: { readonly columns: number; readonly rows: number };
    }
  | { readonly kind: 'pane'; readonly pane: PaneTarget };

/** What became of it; `not-kept`, `hindered`: nothing was started. */
export type StartedIn =
  | Started
  | StartedInPane
  | { readonly state: 'not-kept'; readonly text: string }
  | Hindered;

interface Hindered {
  readonly state: 'hindered';
  readonly by: ReopenResult;
  readonly text: string;
}

interface Starting {
  readonly place: Place;
  readonly wish: RunWish;
  /** The word of the run. */
  readonly word: string;
  /** A sleeper that is started for it: what is kept is how the program itself is started. */
  readonly instead?: PaneWish | null;
  /** What permitted the start; absent where nobody had to look. */
  readonly permit?: Permit;
}

/** Keeps how a program is started, and starts it at its place: the one way in which run, reopen and whatever wakes one do it. */
export async function startIn(
  hands: Hands,
  deed: Deed<'keep' | 'start'>,
  { place, wish, word, instead = null, permit }: Starting,
): Promise<StartedIn> {
  const unkept = await deed.step('keep', () => keepStart(hands, wish, word));
  if (unkept !== null) return { state: 'not-kept', text: unkept };
  if (place.kind === 'pane') {
    const { name: _, ...inPane } = toSessionWish(wish, '', word);
    // Whoever put it there sees whether it lives, before the pane may go with it.
    return deed.step('start', async () => {
      const hindered = await hinderedBy(hands, permit);
      return hindered ?? hands.tmux.startInPane(place.pane, { ...inPane, isKept: true });
    });
  }
  const { name, size } = place;
  const session = { ...withInstead(toSessionWish(wish, name, word), instead), ...(size && { size }) };
  return deed.step(
    'start',
    async () => (await hinderedBy(hands, permit)) ?? hands.tmux.startSession(wish.socketPath, session),
  );
}

// The last thing before tmux is asked: whoever was stopped goes on from wherever that was.
async function hinderedBy(hands: Hands, permit: Permit | undefined): Promise<Hindered | null> {
  const by = permit === undefined ? null : await hindranceSince(hands, permit);
  return by && { state: 'hindered', by, text: (reopenedOr(by, hands.now()) as Trouble).text };
}

// Its session has the program's own environment, for when that wakes.
function withInstead(wish: SessionWish, instead: PaneWish | null): SessionWish {
  if (instead === null) return wish;
  const { argv, isUnrecorded } = instead;
  const env = { ...wish.env, ...instead.env };
  return { ...wish, argv, env, ...(isUnrecorded && { isUnrecorded }) };
}
