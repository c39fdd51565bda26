import { type Closeness, type Footing, keptBy, objectionTo } from '../../../core/close/guard.ts';
import type { SetAside } from '../../../ports/actuator.ts';
import { WRITER_TIMEOUT_MS } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { LostDeed } from '../still-ours.ts';
import { lookAt, type Subject, type SubjectSight, type There } from './look-at.ts';
import type { TimeLeft } from './order.ts';
import { movedPanes } from './sweep.ts';

/** A close that is about to act. */
export interface Stepping {
  readonly hands: Hands;
  readonly subject: Subject;
  readonly footing: Footing;
  readonly patience: TimeLeft;
}

/** Why an act was not done; nothing was. */
export type WithheldStep =
  /** Somebody declared that it is kept, or it is closed; or this close is not to go on. */
  | { readonly state: 'kept'; readonly text: string }
  /** The last look objects. */
  | { readonly state: 'objected'; readonly text: string }
  /** The time is over. */
  | { readonly state: 'late'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

export type Stepped<T> = { readonly state: 'stepped'; readonly value: T } | WithheldStep;

const LATE = { state: 'late', text: 'the time was over' } as const;

/**
 * Takes the last look and does one act under the writer's lock, so that nobody else can record anything in between. A hold
 * is recorded either before the act, which is then not done, or after it, and then whoever asked for the hold sees what was
 * done. The lock is held for one brief look and one act.
 */
export async function inOneStep<T>(
  { hands, subject, footing, patience }: Stepping,
  closeness: Closeness,
  act: (sight: There) => Promise<T>,
): Promise<Stepped<T>> {
  const claim = { task: 'close', argv: [] };
  const held = await hands.writer.hold(
    claim,
    patience.within(WRITER_TIMEOUT_MS),
    async (): Promise<Stepped<T>> => {
      const kept = keptBy(factsOf(hands, subject), footing, hands.moment());
      if (kept !== null) return { state: 'kept', text: kept };
      const sight = await lookAt(hands, subject, 'briefly');
      if (sight.state === 'unknown') return { state: 'failed', text: sight.text };
      if (sight.state === 'gone') return { state: 'objected', text: 'it is gone' };
      const objection = movedAway(subject, footing, sight) ?? objectionTo(sight.entry, footing, closeness);
      if (objection !== null) return { state: 'objected', text: objection };
      // The look or the lock may have taken longer than the caller wants to wait.
      if (patience.isOver()) return LATE;
      try {
        return { state: 'stepped', value: await act(sight) };
      } catch (error) {
        // Whoever was about to act may have something of its own to take back.
        if (error instanceof LostDeed) return { state: 'kept', text: error.message };
        throw error;
      }
    },
  );
  if (held.state === 'done') return held.value;
  if (patience.isOver()) return LATE;
  return { state: 'failed', text: held.state === 'busy' ? 'another rollcall is writing' : held.text };
}

/** Tells which of its panes is in another session by now; null where none is. */
export function movedAway(
  subject: Subject,
  { panes, waived }: Footing,
  { roll }: SubjectSight,
): string | null {
  if (waived.has('windows-own')) return null;
  const ids = panes.map(({ paneId }) => paneId);
  const [moved] = movedPanes(subject, ids, roll);
  return moved === undefined ? null : `pane ${moved.paneId} was moved to session ${moved.session}`;
}

/** What tmux need not find as it was: what was set aside by name, and what force set aside. */
export function setAside({ waived }: Footing): ReadonlySet<SetAside> {
  const isAside: Readonly<Record<SetAside, boolean>> = {
    attached: waived.has('attached'),
    held: waived.has('held'),
    mode: waived.has('nobody-there'),
    // What works writes all the time.
    motion: waived.has('at-rest') || waived.has('nothing-running'),
  };
  return new Set((Object.keys(isAside) as SetAside[]).filter((name) => isAside[name]));
}
