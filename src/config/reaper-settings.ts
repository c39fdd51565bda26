import { PRESSING } from '../core/pressure/tier.ts';
import type { ReaperPolicy } from '../core/reaper/policy.ts';
import { REAP_WAYS } from '../core/reaper/way.ts';
import { count, duration } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';
import { oneOf } from './word-kinds.ts';

/** When memory is given back, and how slowly. It concerns the machine, so a project has no say. */
export const REAPER_SETTINGS = {
  'reaper.longIdleFrom': setting(oneOf('tier', PRESSING, '"moderate" or "critical"'), {
    default: 'critical',
    means: 'The pressure from which an idle agent may go although it has not rested for `idleAfter`.',
    why: 'Whoever comes back to it has to resume it: worth that only where something would be killed otherwise.',
  }),
  'reaper.idleAfter': setting(duration('1s', '30d'), {
    default: '15m',
    means: 'Rest that an idle agent must have before pressure may take it.',
    why: 'Whoever reads a long answer or fetches a coffee is back by then.',
  }),
  'reaper.confirm': setting(duration('1s', '1h'), {
    default: '2m',
    means:
      'Awake time over which nothing at all may change in a session, its screen byte for byte, before it is chosen.',
    why: 'Timers, retries and slow models show themselves within it; after a restart it begins afresh.',
  }),
  'reaper.grace': setting(duration('1s', '1h'), {
    default: '1m',
    means: 'Awake time between the choice and the close; whatever happens in it spares the session.',
    why: 'Time for whoever hears of it to attach or to hold it, and short enough to help before the kernel does.',
  }),
  'reaper.settle': setting(duration('1s', '1h'), {
    default: '20s',
    means: 'Awake time after a close before the next session is chosen, over all rollcalls of this user.',
    why: 'Stalls are averaged over ten seconds: earlier nobody can tell whether the last close was enough.',
  }),
  'reaper.perHour': setting(count(1, 1000), {
    default: 6,
    means: 'How many sessions may be closed within an hour, by all rollcalls of this user together.',
    why: 'Enough to bring a pile-up down, and few enough that a mistake is noticed before it is everywhere.',
  }),
  'reaper.prefer': setting(oneOf('way', REAP_WAYS, '"close" or "hibernate"'), {
    default: 'hibernate',
    means:
      'Whether an idle agent sleeps in its session, or its session is closed. What was declared complete is closed in any case, and so is what cannot sleep.',
    why: 'Both give the same memory back; what sleeps stands where it stood, and wakes on Enter.',
  }),
};

/** Gives each value its place and its unit in the name. */
export function toReaperPolicy(values: ValuesOf<typeof REAPER_SETTINGS>, freshMs: number): ReaperPolicy {
  return {
    longIdleFrom: values['reaper.longIdleFrom'],
    idleAfterMs: values['reaper.idleAfter'],
    confirmMs: values['reaper.confirm'],
    graceMs: values['reaper.grace'],
    settleMs: values['reaper.settle'],
    perHour: values['reaper.perHour'],
    prefer: values['reaper.prefer'],
    freshMs,
  };
}
