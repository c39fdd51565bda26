import type { PressurePolicy } from '../core/pressure/policy.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** When the machine counts as short of memory. It concerns the machine, so a project has no say. */
export const PRESSURE_SETTINGS = [
  {
    key: 'pressure.moderate.stallSome',
    kind: 'percent',
    default: 10,
    min: 0.1,
    max: 100,
    projectMay: 'nothing',
    means:
      'Share of the last ten seconds in which some process waited for memory, from which pressure is moderate.',
    why: 'A calm machine stays below one percent; at ten, whoever works there feels it.',
  },
  {
    key: 'pressure.moderate.stallFull',
    kind: 'percent',
    default: 3,
    min: 0.1,
    max: 100,
    projectMay: 'nothing',
    means:
      'Share of the last ten seconds in which every process waited for memory, from which pressure is moderate.',
    why: 'Time in which nothing at all gets done is worth less patience than time in which something waits.',
  },
  {
    key: 'pressure.moderate.available',
    kind: 'percent',
    default: 15,
    min: 0.1,
    max: 40,
    projectMay: 'nothing',
    means:
      'Share of memory that must be available; below it, and below `pressure.moderate.availableBytes`, pressure is moderate.',
    why: 'A machine of 16 GiB has two agents’ worth of room left there: early enough to make more.',
  },
  {
    key: 'pressure.moderate.availableBytes',
    kind: 'bytes',
    default: 4 * GIB,
    min: MIB,
    max: 1024 * GIB,
    projectMay: 'nothing',
    means:
      'Size that is plenty whatever share of the memory it is: with more available, pressure is not moderate.',
    why: 'Room for several agents to start; without this, a machine of 256 GiB would be called short with 38 GiB to spare.',
  },
  {
    key: 'pressure.moderate.after',
    kind: 'duration',
    default: 30 * SECOND,
    min: 0,
    max: HOUR,
    projectMay: 'nothing',
    means: 'How long a value must hold before pressure is called moderate.',
    why: 'A build or an install takes much memory for seconds and gives it back.',
  },
  {
    key: 'pressure.critical.stallSome',
    kind: 'percent',
    default: 40,
    min: 0.1,
    max: 100,
    projectMay: 'nothing',
    means:
      'Share of the last ten seconds in which some process waited for memory, from which pressure is critical.',
    why: 'Close to half the time lost: agents time out, and a kill by the kernel is near.',
  },
  {
    key: 'pressure.critical.stallFull',
    kind: 'percent',
    default: 15,
    min: 0.1,
    max: 100,
    projectMay: 'nothing',
    means:
      'Share of the last ten seconds in which every process waited for memory, from which pressure is critical.',
    why: 'Thrashing: the whole machine stands still for every seventh second.',
  },
  {
    key: 'pressure.critical.available',
    kind: 'percent',
    default: 6,
    min: 0.1,
    max: 40,
    projectMay: 'nothing',
    means:
      'Share of memory that must be available; below it, and below `pressure.critical.availableBytes`, pressure is critical.',
    why: 'Less than one agent with its tools takes on a machine of 16 GiB: the next one to start may be the last.',
  },
  {
    key: 'pressure.critical.availableBytes',
    kind: 'bytes',
    default: GIB,
    min: MIB,
    max: 1024 * GIB,
    projectMay: 'nothing',
    means: 'Size with which pressure is not critical whatever share of the memory it is.',
    why: 'One more agent with its tools fits into it.',
  },
  {
    key: 'pressure.critical.after',
    kind: 'duration',
    default: 10 * SECOND,
    min: 0,
    max: HOUR,
    projectMay: 'nothing',
    means: 'How long a value must hold before pressure is called critical.',
    why: 'Quicker than moderate, since little time is left; long enough that one bad moment does not count.',
  },
  {
    key: 'pressure.fallAfter',
    kind: 'duration',
    default: 90 * SECOND,
    min: SECOND,
    max: HOUR,
    projectMay: 'nothing',
    means: 'How long every value must be gone before pressure is called one step less.',
    why: 'Longer than it takes to rise, so that a lull between two builds is not taken for the end.',
  },
  {
    key: 'pressure.release',
    kind: 'percent',
    default: 70,
    min: 50,
    max: 100,
    projectMay: 'nothing',
    means: 'A value is gone once it is under this share of its threshold, or as far on the calm side of it.',
    why: 'A value that hovers at its threshold would switch the tier to and fro.',
  },
  {
    key: 'pressure.transition',
    kind: 'duration',
    default: 3 * MINUTE,
    min: 0,
    max: HOUR,
    projectMay: 'nothing',
    means: 'After a change, pressure is called less no sooner than this; it may rise at any time.',
    why: 'What was done about it needs time to show, and whoever reads of it needs time to look.',
  },
  {
    key: 'pressure.rememberFor',
    kind: 'duration',
    default: 2 * MINUTE,
    min: 10 * SECOND,
    max: 30 * MINUTE,
    projectMay: 'nothing',
    means:
      'What was last known counts for this long where a sensor fails; looks further apart than this start afresh.',
    why: 'A file that cannot be read once is no sign of relief, and what was true minutes ago is none of now.',
  },
] as const;

type PressureValues = { readonly [S in (typeof PRESSURE_SETTINGS)[number] as S['key']]: number };

/** Gives each value its place and its unit in the name. */
export function toPressurePolicy(values: PressureValues, freshMs: number): PressurePolicy {
  return {
    stallSomePercent: {
      moderate: values['pressure.moderate.stallSome'],
      critical: values['pressure.critical.stallSome'],
    },
    stallFullPercent: {
      moderate: values['pressure.moderate.stallFull'],
      critical: values['pressure.critical.stallFull'],
    },
    availablePercent: {
      moderate: values['pressure.moderate.available'],
      critical: values['pressure.critical.available'],
    },
    availableBytes: {
      moderate: values['pressure.moderate.availableBytes'],
      critical: values['pressure.critical.availableBytes'],
    },
    riseAfterMs: { moderate: values['pressure.moderate.after'], critical: values['pressure.critical.after'] },
    fallAfterMs: values['pressure.fallAfter'],
    releasePercent: values['pressure.release'],
    transitionMs: values['pressure.transition'],
    rememberMs: values['pressure.rememberFor'],
    freshMs,
  };
}
