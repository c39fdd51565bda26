import type { PressurePolicy } from '../core/pressure/policy.ts';
import { bytes, duration, percent } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';

/** When the machine counts as short of memory. It concerns the machine, so a project has no say. */
export const PRESSURE_SETTINGS = {
  'pressure.moderate.stallSome': setting(percent(0.1, 100), {
    default: 10,
    means:
      'Share of the last ten seconds in which some process waited for memory, from which pressure is moderate.',
    why: 'A calm machine stays below one percent; at ten, whoever works there feels it.',
  }),
  'pressure.moderate.stallFull': setting(percent(0.1, 100), {
    default: 3,
    means:
      'Share of the last ten seconds in which every process waited for memory, from which pressure is moderate.',
    why: 'Time in which nothing at all gets done is worth less patience than time in which something waits.',
  }),
  'pressure.moderate.available': setting(percent(0.1, 40), {
    default: 15,
    means:
      'Share of memory that must be available; below it, and below `pressure.moderate.availableBytes`, pressure is moderate.',
    why: 'A machine of 16 GiB has two agents’ worth of room left there: early enough to make more.',
  }),
  'pressure.moderate.availableBytes': setting(bytes('1MiB', '1024GiB'), {
    default: '4GiB',
    means:
      'Size that is plenty whatever share of the memory it is: with more available, pressure is not moderate.',
    why: 'Room for several agents to start; without this, a machine of 256 GiB would be called short with 38 GiB to spare.',
  }),
  'pressure.moderate.after': setting(duration('0s', '1h'), {
    default: '30s',
    means: 'How long a value must hold before pressure is called moderate.',
    why: 'A build or an install takes much memory for seconds and gives it back.',
  }),
  'pressure.critical.stallSome': setting(percent(0.1, 100), {
    default: 40,
    means:
      'Share of the last ten seconds in which some process waited for memory, from which pressure is critical.',
    why: 'Close to half the time lost: agents time out, and a kill by the kernel is near.',
  }),
  'pressure.critical.stallFull': setting(percent(0.1, 100), {
    default: 15,
    means:
      'Share of the last ten seconds in which every process waited for memory, from which pressure is critical.',
    why: 'Thrashing: the whole machine stands still for every seventh second.',
  }),
  'pressure.critical.available': setting(percent(0.1, 40), {
    default: 6,
    means:
      'Share of memory that must be available; below it, and below `pressure.critical.availableBytes`, pressure is critical.',
    why: 'Less than one agent with its tools takes on a machine of 16 GiB: the next one to start may be the last.',
  }),
  'pressure.critical.availableBytes': setting(bytes('1MiB', '1024GiB'), {
    default: '1GiB',
    means: 'Size with which pressure is not critical whatever share of the memory it is.',
    why: 'One more agent with its tools fits into it.',
  }),
  'pressure.critical.after': setting(duration('0s', '1h'), {
    default: '10s',
    means: 'How long a value must hold before pressure is called critical.',
    why: 'Quicker than moderate, since little time is left; long enough that one bad moment does not count.',
  }),
  'pressure.fallAfter': setting(duration('1s', '1h'), {
    default: '90s',
    means: 'How long every value must be gone before pressure is called one step less.',
    why: 'Longer than it takes to rise, so that a lull between two builds is not taken for the end.',
  }),
  'pressure.release': setting(percent(50, 100), {
    default: 70,
    means: 'A value is gone once it is under this share of its threshold, or as far on the calm side of it.',
    why: 'A value that hovers at its threshold would switch the tier to and fro.',
  }),
  'pressure.transition': setting(duration('0s', '1h'), {
    default: '3m',
    means: 'After a change, pressure is called less no sooner than this; it may rise at any time.',
    why: 'What was done about it needs time to show, and whoever reads of it needs time to look.',
  }),
  'pressure.rememberFor': setting(duration('10s', '30m'), {
    default: '2m',
    means:
      'What was last known counts for this long where a sensor fails; looks further apart than this start afresh.',
    why: 'A file that cannot be read once is no sign of relief, and what was true minutes ago is none of now.',
  }),
};

/** Brings the values into the form that the rest takes, with their units in the names. */
export function toPressurePolicy(
  values: ValuesOf<typeof PRESSURE_SETTINGS>,
  freshMs: number,
): PressurePolicy {
  const both = (name: 'stallSome' | 'stallFull' | 'available' | 'availableBytes' | 'after') => ({
    moderate: values[`pressure.moderate.${name}`],
    critical: values[`pressure.critical.${name}`],
  });
  return {
    stallSomePercent: both('stallSome'),
    stallFullPercent: both('stallFull'),
    availablePercent: both('available'),
    availableBytes: both('availableBytes'),
    riseAfterMs: both('after'),
    fallAfterMs: values['pressure.fallAfter'],
    releasePercent: values['pressure.release'],
    transitionMs: values['pressure.transition'],
    rememberMs: values['pressure.rememberFor'],
    freshMs,
  };
}
