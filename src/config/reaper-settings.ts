import { PRESSING } from '../core/pressure/tier.ts';
import type { ReaperPolicy } from '../core/reaper/policy.ts';
import { REAP_WAYS } from '../core/reaper/way.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When memory is given back, and how slowly. It concerns the machine, so a project has no say. */
export const REAPER_SETTINGS = [
  {
    key: 'reaper.longIdleFrom',
    kind: 'tier',
    default: PRESSING.indexOf('critical'),
    min: 0,
    max: PRESSING.length - 1,
    projectMay: 'nothing',
    means: 'The pressure from which an idle agent may go although it has not rested for `idleAfter`.',
    why: 'Whoever comes back to it has to resume it: worth that only where something would be killed otherwise.',
  },
  {
    key: 'reaper.idleAfter',
    kind: 'duration',
    default: 15 * MINUTE,
    min: SECOND,
    max: 30 * DAY,
    projectMay: 'nothing',
    means: 'Rest that an idle agent must have before pressure may take it.',
    why: 'Whoever reads a long answer or fetches a coffee is back by then.',
  },
  {
    key: 'reaper.confirm',
    kind: 'duration',
    default: 2 * MINUTE,
    min: SECOND,
    max: HOUR,
    projectMay: 'nothing',
    means:
      'Awake time over which nothing at all may change in a session, its screen byte for byte, before it is chosen.',
    why: 'Timers, retries and slow models show themselves within it; after a restart it begins afresh.',
  },
  {
    key: 'reaper.grace',
    kind: 'duration',
    default: MINUTE,
    min: SECOND,
    max: HOUR,
    projectMay: 'nothing',
    means: 'Awake time between the choice and the close; whatever happens in it spares the session.',
    why: 'Time for whoever hears of it to attach or to hold it, and short enough to help before the kernel does.',
  },
  {
    key: 'reaper.settle',
    kind: 'duration',
    default: 20 * SECOND,
    min: SECOND,
    max: HOUR,
    projectMay: 'nothing',
    means: 'Awake time after a close before the next session is chosen, over all rollcalls of this user.',
    why: 'Stalls are averaged over ten seconds: earlier nobody can tell whether the last close was enough.',
  },
  {
    key: 'reaper.perHour',
    kind: 'count',
    default: 6,
    min: 1,
    max: 1000,
    projectMay: 'nothing',
    means: 'How many sessions may be closed within an hour, by all rollcalls of this user together.',
    why: 'Enough to bring a pile-up down, and few enough that a mistake is noticed before it is everywhere.',
  },
  {
    key: 'reaper.prefer',
    kind: 'way',
    default: REAP_WAYS.indexOf('hibernate'),
    min: 0,
    max: REAP_WAYS.length - 1,
    projectMay: 'nothing',
    means:
      'Whether an idle agent sleeps in its session, or its session is closed. What was declared complete is closed in any case, and so is what cannot sleep.',
    why: 'Both give the same memory back; what sleeps stands where it stood, and wakes on Enter.',
  },
] as const;

type ReaperValues = { readonly [S in (typeof REAPER_SETTINGS)[number] as S['key']]: number };

/** Gives each value its place and its unit in the name. */
export function toReaperPolicy(values: ReaperValues, freshMs: number): ReaperPolicy {
  return {
    longIdleFrom: PRESSING[values['reaper.longIdleFrom']] ?? 'critical',
    idleAfterMs: values['reaper.idleAfter'],
    confirmMs: values['reaper.confirm'],
    graceMs: values['reaper.grace'],
    settleMs: values['reaper.settle'],
    perHour: values['reaper.perHour'],
    prefer: REAP_WAYS[values['reaper.prefer']] ?? 'close',
    freshMs,
  };
}
