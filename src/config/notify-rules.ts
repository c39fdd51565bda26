import * as v from 'valibot';
import type { NotifyRule, NotifySink } from '../core/notify/rule.ts';
import { NOTIFY_RULE_SETTINGS, type NotifyValues } from './notify-settings.ts';
import type { ValuesOf } from './setting.ts';

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
