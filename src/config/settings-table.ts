import { ARCHIVE_SETTINGS } from './archive-settings.ts';
import { DAEMON_SETTINGS } from './daemon-settings.ts';
import { DOCTOR_SETTINGS } from './doctor-settings.ts';
import { HISTORY_SETTINGS } from './history-settings.ts';
import { NOTIFY_SETTINGS } from './notify-settings.ts';
import { PRESSURE_SETTINGS } from './pressure-settings.ts';
import type { ProjectMay } from './project-may.ts';
import { REAPER_SETTINGS } from './reaper-settings.ts';
import { RESTORE_SETTINGS } from './restore-settings.ts';
import { WAKE_SETTINGS } from './wake-settings.ts';

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How a value is written in a file and what it is inside: ms, a whole number, percent, bytes, 0 or 1, a place among the
 * kinds of pressure, the modes of settling and restoring or the ways of reaping, name patterns.
 */
export type Kind =
  | 'duration'
  | 'count'
  | 'percent'
  | 'bytes'
  | 'switch'
  | 'tier'
  | 'settle'
  | 'way'
  | 'restore'
  | 'patterns';

interface SettingShape {
  readonly key: string;
  readonly kind: Kind;
  readonly default: number | readonly string[];
  /** Of a number its least value, of a list its least length. */
  readonly min: number;
  readonly max: number;
  readonly projectMay: ProjectMay;
  readonly means: string;
  /** Why this default and not another. */
  readonly why: string;
}

/** Every setting there is. Keys are stable once released; a dot is a level in the file. */
export const SETTINGS = freezeAll([
  {
    key: 'freshFor',
    kind: 'duration',
    default: 15 * SECOND,
    min: SECOND,
    max: 5 * MINUTE,
    projectMay: 'lower',
    means: 'Evidence older than this says nothing about now.',
    why: 'Several ticks fit into it, so one missed look does not make everything unknown, and an agent that starts a turn is never judged by what was true long before.',
  },
  {
    key: 'idleAfter',
    kind: 'duration',
    default: 45 * MINUTE,
    min: MINUTE,
    max: 30 * DAY,
    projectMay: 'raise',
    means: 'Rest after which an idle agent is no longer recent.',
    why: 'Longer than a meal or a meeting: whoever comes back from one finds the session standing.',
  },
  {
    key: 'exitedAfter',
    kind: 'duration',
    default: 60 * SECOND,
    min: SECOND,
    max: 30 * DAY,
    projectMay: 'raise',
    means: 'Rest after which what an exited agent left behind is no longer recent.',
    why: 'Launchers restart a crashed agent within seconds; a minute outlasts them, and what is left then is a leftover.',
  },
  {
    key: 'confirmFor',
    kind: 'duration',
    default: 10 * SECOND,
    min: SECOND,
    max: HOUR,
    projectMay: 'raise',
    means: 'Awake time over which a live agent must be seen quiet before its idleness counts.',
    why: 'Agents fall silent for seconds between two tool calls; one quiet look proves nothing.',
  },
  {
    key: 'hungAfter',
    kind: 'duration',
    default: 6 * HOUR,
    min: MINUTE,
    max: 30 * DAY,
    projectMay: 'raise',
    means: 'A running command without any progress for this long is called stale.',
    why: 'Long downloads and model calls show no progress for hours, hardly any for six.',
  },
  {
    key: 'startingFor',
    kind: 'duration',
    default: 5 * SECOND,
    min: 0,
    max: 5 * MINUTE,
    projectMay: 'raise',
    means: 'A process younger than this is starting.',
    why: 'Agents need two to four seconds to their first prompt; before it their screen means nothing.',
  },
  {
    key: 'recentInput',
    kind: 'duration',
    default: 2 * MINUTE,
    min: 10 * SECOND,
    max: 7 * DAY,
    projectMay: 'raise',
    means: "A person's input counts as recent for this long, and protects the session.",
    why: 'Who typed a moment ago is likely to be reading the answer and about to type again.',
  },
  {
    key: 'workingCpuPercent',
    kind: 'percent',
    default: 25,
    min: 1,
    max: 100,
    projectMay: 'lower',
    means: 'Use of one core that counts as work.',
    why: 'Idle language servers, watchers and clocks in a status line stay well below, builds and tests well above.',
  },
  {
    key: 'workingIoPerSecond',
    kind: 'bytes',
    default: 256 * KIB,
    min: KIB,
    max: KIB ** 3,
    projectMay: 'lower',
    means: 'Storage traffic per second that counts as work.',
    why: 'Logs and transcripts trickle; a checkout, an install or a copy moves far more.',
  },
  {
    key: 'protect',
    kind: 'patterns',
    default: [],
    min: 0,
    max: 200,
    projectMay: 'add',
    means:
      'Names of sessions that people manage, as patterns with * ? [abc]; these are never closed automatically.',
    why: 'Empty: which names people keep for themselves differs from team to team.',
  },
  {
    key: 'tmux.timeout',
    kind: 'duration',
    default: 2 * SECOND,
    min: 100,
    max: 30 * SECOND,
    projectMay: 'nothing',
    means:
      'Time a tmux server, or the terminal of a pane, has for one answer; after it, what it holds is unknown.',
    why: 'A healthy server with a thousand panes answers within a tenth of that, and nobody waits longer for a hung one.',
  },
  {
    key: 'git.timeout',
    kind: 'duration',
    default: 3 * SECOND,
    min: 100,
    max: 60 * SECOND,
    projectMay: 'nothing',
    means: 'Time one git call has; after it, the state of that folder is unknown.',
    why: 'A status of a large repository on a cold disk takes about a second.',
  },
  {
    key: 'git.parallel',
    kind: 'count',
    default: 4,
    min: 1,
    max: 32,
    projectMay: 'nothing',
    means: 'git calls that run at the same time.',
    why: 'More gain nothing on a usual disk and take cores from the agents.',
  },
  {
    key: 'watch.every',
    kind: 'duration',
    default: 2 * SECOND,
    min: 500,
    max: HOUR,
    projectMay: 'nothing',
    means: 'Time between two looks of `rollcall watch`.',
    why: 'Feels live, and one look costs well under a tenth of it.',
  },
  ...PRESSURE_SETTINGS,
  ...HISTORY_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...REAPER_SETTINGS,
  ...WAKE_SETTINGS,
  ...DAEMON_SETTINGS,
  ...RESTORE_SETTINGS,
  ...DOCTOR_SETTINGS,
  ...NOTIFY_SETTINGS,
] as const);

export type Setting = (typeof SETTINGS)[number];
export type SettingKey = Setting['key'];

function freezeAll<const T extends readonly SettingShape[]>(settings: T): T {
  for (const setting of settings) {
    Object.freeze(setting.default);
    Object.freeze(setting);
  }
  return Object.freeze(settings);
}
