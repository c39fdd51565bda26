import * as v from 'valibot';
import { NOTIFY_EVENTS, type NotifyRule, type NotifySink } from '../core/notify/rule.ts';
import { count, duration } from './measure-kinds.ts';
import { placeIn, type SettingPlace, setting, unset, type Value, type ValuesOf } from './setting.ts';
import { command, events, file, onOff, patterns, url } from './word-kinds.ts';

/** How much is told at all. A project file says nothing about notifications: a cloned repository must run no command. */
export const NOTIFY_SETTINGS = {
  'notify.again': setting(duration('0s', '1d'), {
    default: '10m',
    means: 'Awake time within which the same about the same session is not told again.',
    why: 'A session that asks, is answered and asks again is reported once while somebody still looks at it; whatever still waits after this time is reported again.',
  }),
  'notify.perHour': setting(count(1, 600), {
    default: 60,
    means: 'Notifications that each rule may send in an hour; the rest is summed up.',
    why: 'One a minute is as much as anybody reads; a fleet that falls over at once must not bury its reader.',
  }),
};

/** Every setting of a rule: `notify.rules.NAME.KEY`. */
export const NOTIFY_RULE_SETTINGS = Object.freeze({
  on: unset(events(NOTIFY_EVENTS), {
    means: 'The events that this rule tells of.',
    why: 'None: which of them matter to whom has to be said.',
  }),
  only: setting(patterns(200), {
    default: [],
    means: 'Names of sessions that it tells of, as patterns with * ? [abc]; empty means all.',
    why: 'Empty: what concerns no session, such as memory pressure, is told in any case.',
  }),
  command: unset(command, {
    means: 'A command that is run without a shell, with the notification as JSON on its input.',
    why: 'None: a rule sends to a command, to a webhook or to the desktop.',
  }),
  webhook: unset(url(2048), {
    means: 'An http or https URL to which the notification is posted as JSON; redirects are not followed.',
    why: 'None: a rule sends to a command, to a webhook or to the desktop.',
  }),
  headerFile: unset(file, {
    means:
      'A file of your own (mode 600) with headers for the webhook, one in a line: Authorization: Bearer …',
    why: 'None: a token belongs neither into a config file nor into a URL.',
  }),
  desktop: setting(onOff, {
    default: 'off',
    means: 'Shows the notification on the desktop (notify-send, or osascript on macOS).',
    why: 'Off: a rule sends to a command, to a webhook or to the desktop.',
  }),
  timeout: setting(duration('100ms', '5m'), {
    default: '10s',
    means: 'Time that one notification has; a command is ended then, and it is tried again later.',
    why: 'A chat service answers within a second or two, and what hangs must not pile up.',
  }),
});

/** What files say about rules, by rule and key. */
export type NotifyValues = ReadonlyMap<string, Readonly<Record<string, Value>>>;

const RULE_NAME = /^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$/;
const PREFIX = 'notify.rules.';

/** What a key such as `notify.rules.desk.on` names; null for one that is no setting of a rule. */
export function notifySettingIn(key: string): SettingPlace | null {
  if (!key.startsWith(PREFIX)) return null;
  const [owner = '', name = '', ...rest] = key.slice(PREFIX.length).split('.');
  return rest.length === 0 && RULE_NAME.test(owner) ? placeIn(NOTIFY_RULE_SETTINGS, name, owner) : null;
}

/** What is wrong with a rule as a whole. */
export interface NotifyFault {
  readonly rule: string;
  readonly text: string;
  readonly hint: string;
}

/** The rules that files describe; a rule that does not say what or where to is a fault. */
export function toNotifyRules(values: NotifyValues): {
  readonly rules: readonly NotifyRule[];
  readonly faults: readonly NotifyFault[];
} {
  const rules: NotifyRule[] = [];
  const faults: NotifyFault[] = [];
  for (const [name, own] of values) {
    const rule = ruleOf(name, v.parse(schema, own));
    if ('sink' in rule) rules.push(rule);
    else faults.push({ rule: name, ...rule });
  }
  return { rules, faults };
}

type Own = ValuesOf<typeof NOTIFY_RULE_SETTINGS>;

const schema = v.object(NOTIFY_RULE_SETTINGS);
const EXAMPLE =
  'write for example { "on": ["waiting", "lost"], "desktop": "on" }; instead of desktop a "command" or a "webhook"';

function ruleOf(name: string, own: Own): NotifyRule | Omit<NotifyFault, 'rule'> {
  const { on, only, timeout, headerFile } = own;
  const [sink, ...more] = sinksOf(own);
  if (on === undefined) return { text: 'does not say on which events', hint: EXAMPLE };
  if (sink === undefined) return { text: 'does not say where to', hint: EXAMPLE };
  if (more.length > 0) {
    const text = `has ${[sink, ...more].map(({ kind }) => kind).join(' and ')}`;
    return { text, hint: 'write one rule for each of them' };
  }
  if (headerFile !== undefined && sink.kind !== 'webhook') {
    return { text: 'has headerFile without webhook', hint: 'headers are sent to a webhook only' };
  }
  return Object.freeze({ name, on, only, sink, timeoutMs: timeout });
}

function sinksOf({ command, webhook, headerFile, desktop }: Own): NotifySink[] {
  return [
    ...(command === undefined ? [] : [{ kind: 'command', argv: command } as const]),
    ...(webhook === undefined
      ? []
      : [{ kind: 'webhook', url: webhook, headerFile: headerFile ?? null } as const]),
    ...(desktop ? [{ kind: 'desktop' } as const] : []),
  ];
}
