import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import type { CloseWish } from '../../../core/close/decide.ts';
import type { Rung } from '../../../core/close/ladder.ts';
import type { RungReport } from '../../../core/close/receipt.ts';
import type { Roll, SessionEntry } from '../../../core/sight/roll.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { Stance } from '../../../ports/actuator.ts';
import type { DoStep } from '../deed.ts';
import type { Ready } from './make-ready.ts';
import type { Stepping, WithheldStep } from './one-step.ts';
import type { CloseTimings } from './order.ts';

const LAST_STEPS = ['sweep', 'conversations', 'receipt', 'outcome'] as const;

/** Everything that a close does and that stays done when rollcall is killed right after it. */
export const CLOSE_STEPS = [
  ...(['archive', 'intent', 'type', 'enter', 'terminate', 'kill', 'remove'] as const),
  ...LAST_STEPS,
] as const;

/** The same of a hibernation. */
export const HIBERNATE_STEPS = [
  ...(['archive', 'intent', 'hold-pane', 'type', 'enter', 'terminate', 'sleep'] as const),
  ...LAST_STEPS,
] as const;

export type CloseStep = (typeof CLOSE_STEPS)[number] | (typeof HIBERNATE_STEPS)[number];

/** A close on its way. */
export interface Climb extends Stepping, Pick<Ready, 'id' | 'digests' | 'belongings' | 'sleep'> {
  readonly wish: CloseWish;
  readonly timings: CloseTimings;
  readonly step: DoStep<CloseStep>;
  /** What the receipt has to tell. */
  readonly notes: string[];
  /** Told when a rung begins; the returned function when it is over. */
  begin(rung: Rung): Over;
  /** Why it is not as it was when it was decided, by a look that began at `askedMs`; asked until something was done. */
  moved(now: { readonly entry: SessionEntry; readonly askedMs: number }): Promise<string | null>;
}

export type Over = (result: RungReport['result'], text: string) => void;

export type ClimbEnd =
  | { readonly state: 'gone'; readonly roll: Roll }
  /** The sleeper waits in the place of the agent. */
  | { readonly state: 'asleep'; readonly sleeper: Sleeper }
  /** Something changed: the session stands, and nothing more is done. */
  | {
      readonly state: 'aborted';
      readonly text: string;
      /** Nothing was done: it moved since it was decided. */
      readonly isBeforeFirst?: boolean;
    }
  /** The time is over: the same. */
  | { readonly state: 'timed-out'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

/** What came of a rung. */
export type RungOutcome =
  | {
      readonly state: 'done';
      /** Something was typed, signalled or removed. */
      readonly hasActed: boolean;
    }
  /** Nothing was done, because it moved; it has to be judged anew. */
  | { readonly state: 'again'; readonly text: string }
  /** Nothing was done, because the last look objects. */
  | { readonly state: 'objected'; readonly text: string }
  | { readonly state: 'over'; readonly end: ClimbEnd };

/** A session as it was judged just now. */
export interface JudgedSession {
  readonly entry: SessionEntry;
  readonly panes: readonly ClosingPane[];
  /** How it stood before it was judged. */
  readonly stance: Stance;
  readonly tried: ReadonlySet<Rung>;
  /** Panes whose agents were asked to leave. */
  readonly asked: Set<string>;
}

export const DONE: RungOutcome = { state: 'done', hasActed: true };
export const SKIPPED: RungOutcome = { state: 'done', hasActed: false };

/** What an act that was not done means for the climb. */
export function withheld(why: WithheldStep, over: Over): RungOutcome {
  if (why.state === 'objected') return why;
  if (why.state !== 'late') return ended(why.state === 'kept' ? 'aborted' : 'failed', why.text, over);
  over('failed', why.text);
  return late(why.text);
}

/** The rung failed, and the climb ends with it. */
export function ended(state: 'aborted' | 'failed', text: string, over: Over): RungOutcome {
  over('failed', text);
  return { state: 'over', end: { state, text } };
}

export function late(text: string): RungOutcome {
  return { state: 'over', end: { state: 'timed-out', text } };
}
