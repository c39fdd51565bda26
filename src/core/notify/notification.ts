import type { Tier } from '../pressure/tier.ts';
import type { ChangedSession } from '../supervision/round.ts';
import { visible } from '../text/visible.ts';
import type { WaitingFor } from '../verdict/verdict.ts';
import type { NotifyEvent } from './rule.ts';

/** The session that a notification is about. */
export interface NotifiedSession extends Omit<ChangedSession, 'server'> {
  /** Label of its server; null where it is not on the roll any more. */
  readonly server: string | null;
}

/** What is told. Every text is safe to print. `summary`: of notifications that were withheld. `test`: nothing happened. */
export interface Notification {
  readonly event: NotifyEvent | 'summary' | 'test';
  /** Epoch ms. */
  readonly at: number;
  /** Name of the machine. */
  readonly host: string;
  /** One short line. */
  readonly title: string;
  readonly text: string;
  /** Since when it is so; epoch ms. */
  readonly since: number | null;
  readonly session: NotifiedSession | null;
  readonly waitingFor: WaitingFor | null;
  readonly tier: Tier | null;
  /** How many others are not told with it, by event. */
  readonly withheld: WithheldCounts;
}

/** How many were not told, by event. */
export type WithheldCounts = { readonly [E in NotifyEvent]?: number };

const LONGEST_NAME = 120;
const LONGEST_TEXT = 600;

/** Text of a session or of its reason, short and safe. */
export function shortText(text: string): string {
  return visible(text, LONGEST_TEXT);
}

/** A name, short and safe. */
export function shortName(name: string): string {
  return visible(name, LONGEST_NAME);
}

/** The notification that says what was not told one by one. */
export function summaryOf(withheld: WithheldCounts, at: number, host: string): Notification {
  const count = countOf(withheld);
  return {
    ...NOTHING,
    ...{ event: 'summary', at, host: shortName(host) },
    title: `${count} ${count === 1 ? 'notification was' : 'notifications were'} withheld`,
    text: `there were more than notify.perHour allows: ${listed(withheld)}`,
  };
}

/** The notification by which a rule is tried. */
export function testOf(rule: string, at: number, host: string): Notification {
  return {
    ...NOTHING,
    ...{ event: 'test', at, host: shortName(host) },
    title: 'a test of rollcall’s notifications',
    text: `rule ${shortName(rule)} reaches you; nothing has happened`,
  };
}

/** Adds to the text of a notification how many others are not told. */
export function withWithheld(notification: Notification, withheld: WithheldCounts): Notification {
  const more = `${listed(withheld)} more ${countOf(withheld) === 1 ? 'is' : 'are'} withheld`;
  const text = notification.text === '' ? more : `${notification.text}; ${more}`;
  return { ...notification, text, withheld };
}

/** How many that are in all. */
export function countOf(withheld: WithheldCounts): number {
  return Object.values(withheld).reduce((sum, count) => sum + count, 0);
}

/** What most notifications do not tell. */
export const NOTHING = { since: null, session: null, waitingFor: null, tier: null, withheld: {} } as const;

function listed(withheld: WithheldCounts): string {
  const parts = Object.entries(withheld).map(([event, count]) => `${count} ${event}`);
  return parts.join(', ');
}
