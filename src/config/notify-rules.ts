import { isAbsolute } from 'node:path';
import type { NotifyEvent, NotifyRule, NotifySink } from '../core/notify/rule.ts';
import { nearest } from './nearest.ts';
import type { NotifyKey, NotifySetting, NotifyValue, NotifyValues } from './notify-settings.ts';
import { NOTIFY_RULE_SETTINGS } from './notify-settings.ts';
import { isCommand } from './parse-role-value.ts';
import { formatValue, parseValue } from './parse-value.ts';

/** A value of a rule, or why it is none and what would be one. */
export type ParsedNotify =
  | { readonly isValid: true; readonly value: NotifyValue }
  | { readonly isValid: false; readonly text: string; readonly hint: string };

/** Reads one value of a rule as a file has it. */
export function parseNotifyValue(setting: NotifySetting, written: unknown): ParsedNotify {
  switch (setting.kind) {
    case 'duration':
    case 'switch':
    case 'patterns':
      return parseValue(setting, written);
    case 'words':
      return parseEvents(setting.words, written);
    case 'command':
      return isCommand(written)
        ? taken(Object.freeze([...written]))
        : refuse(
            'is not a command line',
            'write it as a list of words: ["/usr/local/bin/tell", "--loud"]; no shell is involved',
          );
    case 'url':
      return parseUrl(setting.max, written);
    case 'file':
      return typeof written === 'string' && isAbsolute(written) && !written.includes('\0')
        ? taken(written)
        : refuse('is not an absolute path', 'write the whole path of a file, from / on');
  }
}

/** A value as `config explain` may show it: of a URL no part that may be a secret. */
export function formatNotifyValue({ kind }: NotifySetting, value: NotifyValue): NotifyValue {
  if (kind === 'url') return `${new URL(value as string).origin}/…`;
  return kind === 'duration' || kind === 'switch' ? formatValue(kind, value as number) : value;
}

/** What is wrong with a rule as a whole. */
export interface NotifyFault {
  readonly rule: string;
  readonly text: string;
  readonly hint: string;
}

const SINKS = ['command', 'webhook', 'desktop'] as const;

/** The rules that files describe; a rule that does not say what or where to is a fault. */
export function toNotifyRules(values: NotifyValues): {
  readonly rules: readonly NotifyRule[];
  readonly faults: readonly NotifyFault[];
} {
  const rules: NotifyRule[] = [];
  const faults: NotifyFault[] = [];
  for (const [name, own] of values) {
    const fault = faultIn(own);
    if (fault === null) rules.push(ruleOf(name, own));
    else faults.push({ rule: name, ...fault });
  }
  return { rules, faults };
}

type Own = ReadonlyMap<NotifyKey, NotifyValue>;

function faultIn(own: Own): Omit<NotifyFault, 'rule'> | null {
  const sinks = SINKS.filter((key) => own.has(key) && own.get(key) !== 0);
  const hint =
    'write for example { "on": ["waiting", "lost"], "desktop": "on" }; instead of desktop a "command" or a "webhook"';
  if (!own.has('on')) return { text: 'does not say on which events', hint };
  if (sinks.length === 0) return { text: 'does not say where to', hint };
  if (sinks.length > 1)
    return { text: `has ${sinks.join(' and ')}`, hint: 'write one rule for each of them' };
  if (own.has('headerFile') && sinks[0] !== 'webhook') {
    return { text: 'has headerFile without webhook', hint: 'headers are sent to a webhook only' };
  }
  return null;
}

function ruleOf(name: string, own: Own): NotifyRule {
  const value = (key: NotifyKey) => own.get(key) ?? settingOf(key).default;
  return Object.freeze({
    name,
    on: value('on') as readonly NotifyEvent[],
    only: value('only') as readonly string[],
    sink: sinkOf(value),
    timeoutMs: value('timeout') as number,
  });
}

function sinkOf(value: (key: NotifyKey) => NotifyValue | null): NotifySink {
  const [argv, url] = [value('command'), value('webhook')];
  if (argv !== null) return { kind: 'command', argv: argv as readonly string[] };
  if (url === null) return { kind: 'desktop' };
  return { kind: 'webhook', url: url as string, headerFile: value('headerFile') as string | null };
}

function parseEvents(events: readonly string[], written: unknown): ParsedNotify {
  const hint = `write a list with any of ${events.map((event) => `"${event}"`).join(', ')}`;
  if (!Array.isArray(written) || written.length === 0) return refuse('is not a list of events', hint);
  const strange = written.find((one) => !events.includes(one));
  if (strange === undefined) return taken(Object.freeze([...new Set<string>(written)]));
  const [near] = typeof strange === 'string' ? nearest(strange, events) : [];
  return refuse('holds an event that there is not', near === undefined ? hint : `did you mean "${near}"?`);
}

function parseUrl(longest: number, written: unknown): ParsedNotify {
  const hint = 'write a URL such as "https://chat.example.org/hooks/rollcall"';
  if (typeof written !== 'string' || written.length > longest || !URL.canParse(written)) {
    return refuse('is not a URL', hint);
  }
  const { protocol } = new URL(written);
  return protocol === 'http:' || protocol === 'https:'
    ? taken(written)
    : refuse('is neither http nor https', hint);
}

function settingOf(key: NotifyKey): NotifySetting {
  return NOTIFY_RULE_SETTINGS.find((setting) => setting.key === key) as NotifySetting;
}

function taken(value: NotifyValue): ParsedNotify {
  return { isValid: true, value };
}

function refuse(text: string, hint: string): ParsedNotify {
  return { isValid: false, text, hint };
}
