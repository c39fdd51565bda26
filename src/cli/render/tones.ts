import type { SessionEntry } from '../../core/sight/roll.ts';
import type { Lifecycle } from '../../core/verdict/verdict.ts';
import type { Tone } from './colour.ts';

const LIFECYCLE_TONES: Readonly<Record<Lifecycle, Tone | undefined>> = {
  lost: 'alarm',
  stale: 'warning',
  unknown: 'doubt',
  'safe-to-close': 'good',
  'completed-retained': 'calm',
  closing: 'calm',
  active: undefined,
  closed: 'quiet',
};

/** The tone of a lifecycle: how much it asks for a person. */
export function lifecycleTone(lifecycle: Lifecycle): Tone | undefined {
  return LIFECYCLE_TONES[lifecycle];
}

/** The tone of an activity: only waiting calls for a person, and only what is unknown deserves doubt. */
export function activityTone(entry: Pick<SessionEntry, 'activity'>): Tone | undefined {
  if (entry.activity === 'waiting') return 'warning';
  if (entry.activity === 'unknown') return 'doubt';
  return entry.activity === 'none' || entry.activity === 'exited' ? 'quiet' : undefined;
}

/** What the session does, in words: `working`, `waiting: permission`. */
export function activityWords(entry: Pick<SessionEntry, 'activity' | 'waitingFor'>): string {
  return entry.waitingFor === null ? entry.activity : `${entry.activity}: ${entry.waitingFor}`;
}
