/** What a person may want to hear of. */
export const NOTIFY_EVENTS = [
  'waiting',
  'lost',
  'completed',
  'stale',
  'breaker-tripped',
  'pressure',
  'reaped',
  'close-failed',
  'servers-lost',
] as const;

export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

/** Where notifications go. */
export type NotifySink =
  /** Run without a shell; what is told stands on its input. */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** `headerFile` holds headers that are sent along, such as a token; null for none. */
  | { readonly kind: 'webhook'; readonly url: string; readonly headerFile: string | null }
  | { readonly kind: 'desktop' };

/** Which events are told, where to, and of which sessions. */
export interface NotifyRule {
  readonly name: string;
  readonly on: readonly NotifyEvent[];
  /** Patterns of session names; empty: all. What concerns no session is told whatever stands here. */
  readonly only: readonly string[];
  readonly sink: NotifySink;
  /** Time that one notification has; after it, it has failed. */
  readonly timeoutMs: number;
}

/** How often the same is told, and how much at all. */
export interface NotifyPolicy {
  readonly rules: readonly NotifyRule[];
  /** A state that comes back within this awake time is not told again before it is over. */
  readonly againMs: number;
  /** Notifications of one rule in an hour of awake time. */
  readonly perHour: number;
}

/** Whether a word matches a pattern; patterns are not the core's business. */
export type Matches = (pattern: string, name: string) => boolean;
