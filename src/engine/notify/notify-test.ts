import { testOf } from '../../core/notify/notification.ts';
import type { NotifyRule } from '../../core/notify/rule.ts';
import type { Delivery, SendNotification } from '../../ports/notify.ts';

/** What became of the test of one rule. */
export interface TestedRule {
  readonly rule: NotifyRule;
  readonly delivery: Delivery;
  readonly tookMs: number;
}

/** Sends a test through each of these rules, all at once. */
export type NotifyTest = (rules: readonly NotifyRule[]) => Promise<readonly TestedRule[]>;

export function createNotifyTest(send: SendNotification, host: string, now: () => number): NotifyTest {
  return (rules) =>
    Promise.all(
      rules.map(async (rule) => {
        const began = performance.now();
        const delivery = await send(rule, testOf(rule.name, now(), host));
        return { rule, delivery, tookMs: Math.round(performance.now() - began) };
      }),
    );
}
