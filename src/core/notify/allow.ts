import type { RuleUse } from './memory.ts';
import { countOf, type Notification, summaryOf, type Withheld, withWithheld } from './notification.ts';

const HOUR_MS = 60 * 60_000;

/** More than this many at once nobody reads one by one. */
const AT_ONCE = 10;

/** What may be sent now, and what the rule has used then. */
export interface Allowed {
  readonly send: readonly Notification[];
  readonly use: RuleUse;
}

/**
 * Holds a rule to its hour. The last one that is allowed says how many are withheld with it; what is withheld later is
 * summed up as soon as the hour has room again.
 */
export function allow(
  use: RuleUse | undefined,
  wanted: readonly Notification[],
  now: { readonly awakeMs: number; readonly at: number; readonly host: string; readonly perHour: number },
): Allowed {
  const sentMs = (use?.sentMs ?? []).filter((ms) => now.awakeMs - ms < HOUR_MS);
  const before = use?.withheld ?? {};
  const room = Math.max(0, now.perHour - sentMs.length);
  const summary = countOf(before) > 0 && room > 0 ? [summaryOf(before, now.at, now.host)] : [];
  const most = Math.min(room - summary.length, AT_ONCE);
  const sent = wanted.slice(0, Math.max(0, most));
  const kept = wanted.slice(sent.length);
  const withheld = counted(summary.length > 0 ? {} : before, kept);
  const last = sent.at(-1);
  const isSaid = last !== undefined && kept.length > 0;
  const send = [...summary, ...(isSaid ? [...sent.slice(0, -1), withWithheld(last, withheld)] : sent)];
  return {
    send,
    use: {
      sentMs: [...sentMs, ...send.map(() => now.awakeMs)],
      withheld: isSaid ? {} : withheld,
    },
  };
}

function counted(before: Withheld, kept: readonly Notification[]): Withheld {
  const counts: Record<string, number> = { ...before };
  for (const { event } of kept) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}
