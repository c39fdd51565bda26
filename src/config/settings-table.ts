import * as v from 'valibot';
import { MACHINE_SETTINGS } from './machine-settings.ts';
import { bytes, count, duration, percent } from './measure-kinds.ts';
import { NOTIFY_SETTINGS } from './notify-settings.ts';
import { PRESSURE_SETTINGS } from './pressure-settings.ts';
import { setting, type Value, type ValuesOf } from './setting.ts';
import { patterns } from './word-kinds.ts';

/** Every setting there is. Keys are stable once released; a dot is a level in the file. */
export const SETTINGS = Object.freeze({
  freshFor: setting(duration('1s', '5m'), {
    default: '15s',
    projectMay: 'lower',
    means: 'Evidence older than this says nothing about now.',
    why: 'Several ticks fit into it, so one missed look does not make everything unknown, and an agent that starts a turn is never judged by what was true long before.',
  }),
  idleAfter: setting(duration('1m', '30d'), {
    default: '45m',
    projectMay: 'raise',
    means: 'Rest after which an idle agent is no longer recent.',
    why: 'Longer than a meal or a meeting: whoever comes back from one finds the session standing.',
  }),
  exitedAfter: setting(duration('1s', '30d'), {
    default: '1m',
    projectMay: 'raise',
    means: 'Rest after which what an exited agent left behind is no longer recent.',
    why: 'Launchers restart a crashed agent within seconds; a minute outlasts them, and what is left then is a leftover.',
  }),
  confirmFor: setting(duration('1s', '1h'), {
    default: '10s',
    projectMay: 'raise',
    means: 'Awake time over which a live agent must be seen quiet before its idleness counts.',
    why: 'Agents fall silent for seconds between two tool calls; one quiet look proves nothing.',
  }),
  hungAfter: setting(duration('1m', '30d'), {
    default: '6h',
    projectMay: 'raise',
    means: 'A running command without any progress for this long is called stale.',
    why: 'Long downloads and model calls show no progress for hours, hardly any for six.',
  }),
  startingFor: setting(duration('0s', '5m'), {
    default: '5s',
    projectMay: 'raise',
    means: 'A process younger than this is starting.',
    why: 'Agents need two to four seconds to their first prompt; before it their screen means nothing.',
  }),
  recentInput: setting(duration('10s', '7d'), {
    default: '2m',
    projectMay: 'raise',
    means: "A person's input counts as recent for this long, and protects the session.",
    why: 'Who typed a moment ago is likely to be reading the answer and about to type again.',
  }),
  workingCpuPercent: setting(percent(1, 100), {
    default: 25,
    projectMay: 'lower',
    means: 'Use of one core that counts as work.',
    why: 'Idle language servers, watchers and clocks in a status line stay well below, builds and tests well above.',
  }),
  workingIoPerSecond: setting(bytes('1KiB', '1GiB'), {
    default: '256KiB',
    projectMay: 'lower',
    means: 'Storage traffic per second that counts as work.',
    why: 'Logs and transcripts trickle; a checkout, an install or a copy moves far more.',
  }),
  protect: setting(patterns(200), {
    default: [],
    projectMay: 'add',
    means:
      'Names of sessions that people manage, as patterns with * ? [abc]; these are never closed automatically.',
    why: 'Empty: which names people keep for themselves differs from team to team.',
  }),
  'tmux.timeout': setting(duration('100ms', '30s'), {
    default: '2s',
    means:
      'Time a tmux server, or the terminal of a pane, has for one answer; after it, what it holds is unknown.',
    why: 'A healthy server with a thousand panes answers within a tenth of that, and nobody waits longer for a hung one.',
  }),
  'git.timeout': setting(duration('100ms', '1m'), {
    default: '3s',
    means: 'Time one git call has; after it, the state of that folder is unknown.',
    why: 'A status of a large repository on a cold disk takes about a second.',
  }),
  'git.parallel': setting(count(1, 32), {
    default: 4,
    means: 'git calls that run at the same time.',
    why: 'More gain nothing on a usual disk and take cores from the agents.',
  }),
  'watch.every': setting(duration('500ms', '1h'), {
    default: '2s',
    means: 'Time between two looks of `rollcall watch`.',
    why: 'Feels live, and one look costs well under a tenth of it.',
  }),
  ...PRESSURE_SETTINGS,
  ...MACHINE_SETTINGS,
  ...NOTIFY_SETTINGS,
});

/** One value for every key. */
export type SettingValues = ValuesOf<typeof SETTINGS>;

const schema = v.object(SETTINGS);

/** What holds where files say this, and the defaults where they say nothing. */
export function settingValues(said: Readonly<Record<string, Value>>): SettingValues {
  // Each file was read before. What two of them say together may be more than one of them may say.
  return Object.freeze({ ...v.parse(schema, {}), ...said });
}
