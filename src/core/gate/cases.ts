import type { LedgerEntry } from '../ledger/entry.ts';
import { numberIn, textIn, textsIn } from '../ledger/json.ts';
import { visible } from '../text/visible.ts';
import { type GateStop, gateStopOf, isLetGo } from './recorded-stop.ts';

/** One piece of work whose owner was kept going, or would have been, and what became of it. */
export interface GateCase {
  readonly gate: string;
  readonly task: string | null;
  /** Name of its session; null where no entry told. */
  readonly session: string | null;
  readonly blocked: number;
  readonly wouldBlock: number;
  readonly firstAt: number;
  readonly ending: GateEnding;
  /** Null while it is open. */
  readonly endedAt: number | null;
  readonly text: string;
}

interface Story {
  task: string | null;
  session: string | null;
  expiresAt: number;
  blocked: number;
  wouldBlock: number;
  firstAt: number | null;
  end: { readonly ending: GateEnding; readonly at: number | null; readonly text: string };
}

const OPEN: Story['end'] = { ending: 'open', at: null, text: '' };

/** Follows every contract through the ledger. What was before `since` only tells how it began. */
export function gateCases(entries: readonly LedgerEntry[], since: number, now: number): GateCase[] {
  const stories = new Map<string, Story>();
  for (const entry of entries) {
    const id = entry.kind === 'declared' ? textIn(entry.body.gate) : null;
    if (id === null) continue;
    const story = stories.get(id) ?? untold();
    take(story, entry, since);
    stories.set(id, story);
  }
  return [...stories].flatMap(([id, { end, expiresAt, firstAt, ...story }]) => {
    if (firstAt === null) return [];
    // Time runs out without anybody recording it; what was let go before that stays so.
    const isOver = end.ending === 'open' && expiresAt <= now;
    const expired = { ending: 'expired', at: expiresAt, text: 'its time is over' } as const;
    const { ending, at: endedAt, text } = isOver ? expired : end;
    return [{ gate: visible(id, 40), ...story, firstAt, ending, endedAt, text }];
  });
}

function take(story: Story, entry: LedgerEntry, since: number): void {
  const { action, at, body, session } = entry;
  if (action === 'gate-start') {
    story.task = textIn(body.task) === null ? null : visible(String(body.task), 300);
    story.session = session === null ? null : visible(session.name, 300);
    story.expiresAt = numberIn(body.expiresAt) ?? Number.POSITIVE_INFINITY;
  } else if (action === 'gate-end') {
    story.end = { ending: endingIn(body), at, text: visible(textIn(body.text) ?? '', 600) };
  } else {
    const stop = gateStopOf(entry);
    if (stop !== null) takeStop(story, stop, since);
  }
}

function takeStop(story: Story, stop: GateStop, since: number): void {
  const { at, verdict, reason, text } = stop;
  if (verdict !== 'approved' && at >= since) {
    story.firstAt ??= at;
    if (verdict === 'blocked') story.blocked += 1;
    else story.wouldBlock += 1;
  }
  if (verdict === 'blocked') story.end = OPEN;
  if (isLetGo(stop)) story.end = { ending: 'let-go', at, text };
  if (reason === 'checks-met') story.end = { ending: 'met', at, text };
}

function untold(): Story {
  const none = { task: null, session: null, firstAt: null };
  return { ...none, expiresAt: Number.POSITIVE_INFINITY, blocked: 0, wouldBlock: 0, end: OPEN };
}

function endingIn({ phase, missing }: LedgerEntry['body']): GateEnding {
  if (phase === 'finished') return textsIn(missing).length > 0 ? 'forced' : 'met';
  return phase === 'abandoned' ? 'abandoned' : 'expired';
}

/** What became of a piece of work whose owner was kept going, or would have been. */
export const ENDINGS = [
  /** Everything that was asked for held later. */
  'met',
  /** Somebody finished it although something was missing. */
  'forced',
  /** The gate let the owner stop with something missing, and nothing came after. */
  'let-go',
  'abandoned',
  'expired',
  'open',
] as const;
export type GateEnding = (typeof ENDINGS)[number];
