import type { NotifyMemory } from '../core/notify/memory.ts';
import type { Notification } from '../core/notify/notification.ts';
import type { NotifyRule } from '../core/notify/rule.ts';

/** What became of one notification. Texts are safe to print and name no secret. */
export type Delivery =
  | { readonly state: 'sent'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string; readonly hint?: string };

/**
 * Sends one notification the way a rule says. Never throws, and never takes much longer than the rule's time; what the
 * signal ends has failed.
 */
export type SendNotification = (
  rule: NotifyRule,
  notification: Notification,
  signal?: AbortSignal,
) => Promise<Delivery>;

/** Keeps what was told. Losing it costs a notification that comes twice. */
export interface NotifyStore {
  load(): { readonly value: NotifyMemory | null; readonly problem?: string };
  /** Returns a problem in words, or null. */
  save(value: NotifyMemory): string | null;
}
