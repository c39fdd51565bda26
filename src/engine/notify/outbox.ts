import type { Notification } from '../../core/notify/notification.ts';
import type { NotifyRule } from '../../core/notify/rule.ts';
import type { SendNotification } from '../../ports/notify.ts';

/** How long a sink that failed is left alone, growing; the last holds for all later times. */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000] as const;

/** What has failed this often is given up; the next one is tried then. */
const MOST_TRIES = 5;

/** More than this waits for no sink: the oldest are dropped first. */
const MOST_WAITING = 100;

/** What became of everything that was to be sent. */
export interface NotifyCounts {
  readonly sent: number;
  /** Tries that failed. */
  readonly failed: number;
  /** Given up, pushed out by later ones, or left when it was stopped. */
  readonly dropped: number;
}

export interface OutboxParts {
  readonly send: SendNotification;
  readonly log: (text: string) => void;
  /** Pauses between two tries, shortened by tests. */
  readonly pausesMs?: readonly number[];
}

/** What one rule still has to send, one after the other. Nobody waits for it. */
export class Outbox {
  readonly #rule: NotifyRule;
  readonly #parts: OutboxParts;
  readonly #waiting: Notification[] = [];
  readonly #counts = { sent: 0, failed: 0, dropped: 0 };
  #failuresInARow = 0;
  #tries = 0;
  #work: Promise<void> | null = null;
  #isStopped = false;
  readonly #ending = new AbortController();
  #wake: (() => void) | null = null;

  constructor(rule: NotifyRule, parts: OutboxParts) {
    this.#rule = rule;
    this.#parts = parts;
  }

  get counts(): NotifyCounts {
    return { ...this.#counts };
  }

  put(notification: Notification): void {
    if (this.#isStopped) return;
    this.#waiting.push(notification);
    if (this.#waiting.length > MOST_WAITING) {
      // The first may be under way; what it tells is known by its end.
      this.#waiting.splice(1, 1);
      this.#counts.dropped += 1;
    }
    this.#work ??= this.#empty().finally(() => {
      this.#work = null;
    });
  }

  /** Sends what waits for no pause, for `graceMs` at most, and drops what is left. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    await this.#work;
    clearTimeout(timer);
    const left = this.#waiting.splice(0).length;
    this.#counts.dropped += left;
    if (left > 0) this.#log(`was not sent before the end: ${left} left`);
  }

  async #empty(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#ending.signal.aborted) return;
      if (await this.#try(next)) continue;
      if (this.#isStopped) return;
      await this.#pause();
      if (this.#isStopped) return;
    }
  }

  async #try(notification: Notification): Promise<boolean> {
    const delivery = await this.#parts.send(this.#rule, notification, this.#ending.signal);
    this.#tries += 1;
    const isSent = delivery.state === 'sent';
    if (isSent) this.#sent();
    else this.#failed(delivery.text);
    if (isSent || this.#tries >= MOST_TRIES) {
      this.#waiting.shift();
      this.#tries = 0;
    }
    return isSent;
  }

  #sent(): void {
    this.#counts.sent += 1;
    if (this.#failuresInARow > 0) this.#log(`is sent again, after ${this.#failuresInARow} failures`);
    this.#failuresInARow = 0;
  }

  #failed(text: string): void {
    this.#counts.failed += 1;
    this.#failuresInARow += 1;
    if (this.#tries >= MOST_TRIES) this.#counts.dropped += 1;
    const given = this.#tries >= MOST_TRIES ? `; given up after ${MOST_TRIES} tries` : '';
    this.#log(`failed: ${text}${given}`);
  }

  #log(text: string): void {
    this.#parts.log(`notification by rule ${this.#rule.name} ${text}`);
  }

  #pause(): Promise<void> {
    const pauses = this.#parts.pausesMs ?? PAUSES_MS;
    const ms = pauses[Math.min(this.#failuresInARow, pauses.length) - 1] ?? 0;
    return new Promise((resolve) => {
      // A daemon that wants to end is not kept by it.
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
