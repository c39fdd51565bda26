import type { PaneTarget, Started, StartedInPane } from '../../ports/actuator.ts';
import type { Deed } from './deed.ts';
import type { Hands } from './hands.ts';
import { keepStart } from './keep-start.ts';
import { type RunWish, toSessionWish } from './run-wish.ts';

/** Where a program comes to: a session of its own, or a pane whose process may be ended for it. */
export type Place =
  | {
      readonly kind: 'session';
      readonly name: string;
      readonly size?: { readonly columns: number; readonly rows: number };
    }
  | { readonly kind: 'pane'; readonly pane: PaneTarget };

/** What became of it; `not-kept`: nothing was started. */
export type StartedIn = Started | StartedInPane | { readonly state: 'not-kept'; readonly text: string };

/** Keeps how a program is started, and starts it at its place: the one way in which run, reopen and whatever wakes one do it. */
export async function startIn(
  hands: Hands,
  deed: Deed<'keep' | 'start'>,
  { place, wish, word }: { readonly place: Place; readonly wish: RunWish; readonly word: string },
): Promise<StartedIn> {
  const unkept = await deed.step('keep', () => keepStart(hands, wish, word));
  if (unkept !== null) return { state: 'not-kept', text: unkept };
  if (place.kind === 'pane') {
    const { name: _, ...inPane } = toSessionWish(wish, '', word);
    return deed.step('start', () => hands.tmux.startInPane(place.pane, inPane));
  }
  const { name, size } = place;
  const session = { ...toSessionWish(wish, name, word), ...(size && { size }) };
  return deed.step('start', () => hands.tmux.startSession(wish.socketPath, session));
}
