import { NOTIFY_EVENTS } from '../core/notify/rule.ts';
import type { ProjectMay } from './project-may.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How much is told at all. A project file says nothing about notifications: a cloned repository must run no command. */
export const NOTIFY_SETTINGS = [
  {
    key: 'notify.again',
    kind: 'duration',
    default: 10 * MINUTE,
    min: 0,
    max: 24 * HOUR,
    projectMay: 'nothing',
    means: 'Awake time within which the same about the same session is not told again.',
    why: 'A session that asks, is answered and asks again is told of while somebody still looks at it; whatever still waits after this is.',
  },
  {
    key: 'notify.perHour',
    kind: 'count',
    default: 60,
    min: 1,
    max: 600,
    projectMay: 'nothing',
    means: 'Notifications that each rule may send in an hour; the rest is summed up.',
    why: 'One a minute is as much as anybody reads; a fleet that falls over at once must not bury its reader.',
  },
] as const;

/** How a value of a rule is written. */
export type NotifyKind = 'words' | 'patterns' | 'command' | 'url' | 'file' | 'switch' | 'duration';

export type NotifyValue = readonly string[] | string | number;

interface NotifySettingShape {
  readonly key: string;
  readonly kind: NotifyKind;
  /** Null: none. */
  readonly default: NotifyValue | null;
  readonly min: number;
  readonly max: number;
  readonly words?: readonly string[];
  readonly projectMay: ProjectMay;
  readonly means: string;
  readonly why: string;
}

/** Every setting of a rule: `notify.rules.NAME.KEY`. */
export const NOTIFY_RULE_SETTINGS = Object.freeze([
  {
    key: 'on',
    kind: 'words',
    default: null,
    min: 1,
    max: NOTIFY_EVENTS.length,
    words: NOTIFY_EVENTS,
    projectMay: 'nothing',
    means: 'The events that this rule tells of.',
    why: 'None: which of them matter to whom has to be said.',
  },
  {
    key: 'only',
    kind: 'patterns',
    default: [],
    min: 0,
    max: 200,
    projectMay: 'nothing',
    means: 'Names of sessions that it tells of, as patterns with * ? [abc]; empty means all.',
    why: 'Empty: what concerns no session, such as memory pressure, is told in any case.',
  },
  {
    key: 'command',
    kind: 'command',
    default: null,
    min: 1,
    max: 100,
    projectMay: 'nothing',
    means: 'A command that is run without a shell, with the notification as JSON on its input.',
    why: 'None: a rule sends to a command, to a webhook or to the desktop.',
  },
  {
    key: 'webhook',
    kind: 'url',
    default: null,
    min: 1,
    max: 2048,
    projectMay: 'nothing',
    means: 'An http or https URL to which the notification is posted as JSON; redirects are not followed.',
    why: 'None: a rule sends to a command, to a webhook or to the desktop.',
  },
  {
    key: 'headerFile',
    kind: 'file',
    default: null,
    min: 1,
    max: 4096,
    projectMay: 'nothing',
    means:
      'A file of your own (mode 600) with headers for the webhook, one in a line: Authorization: Bearer …',
    why: 'None: a token belongs neither into a config file nor into a URL.',
  },
  {
    key: 'desktop',
    kind: 'switch',
    default: 0,
    min: 0,
    max: 1,
    projectMay: 'nothing',
    means: 'Shows the notification on the desktop (notify-send, or osascript on macOS).',
    why: 'Off: a rule sends to a command, to a webhook or to the desktop.',
  },
  {
    key: 'timeout',
    kind: 'duration',
    default: 10 * SECOND,
    min: 100,
    max: 5 * MINUTE,
    projectMay: 'nothing',
    means: 'Time that one notification has; a command is ended then, and it is tried again later.',
    why: 'A chat service answers within a second or two, and what hangs must not pile up.',
  },
] as const satisfies readonly NotifySettingShape[]);

export type NotifySetting = (typeof NOTIFY_RULE_SETTINGS)[number];
export type NotifyKey = NotifySetting['key'];

/** What files say about rules, by rule and key. */
export type NotifyValues = ReadonlyMap<string, ReadonlyMap<NotifyKey, NotifyValue>>;

const RULE_NAME = /^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$/;
const PREFIX = 'notify.rules.';

/** What a key such as `notify.rules.desk.on` names; null for one that is no setting of a rule. */
export function notifySettingIn(
  key: string,
): { readonly rule: string; readonly setting: NotifySetting } | null {
  if (!key.startsWith(PREFIX)) return null;
  const [rule = '', name, ...rest] = key.slice(PREFIX.length).split('.');
  const setting = NOTIFY_RULE_SETTINGS.find((candidate) => candidate.key === name);
  return setting && rest.length === 0 && RULE_NAME.test(rule) ? { rule, setting } : null;
}
