import type { LedgerEntry } from '../ledger/entry.ts';
import { numberIn, textIn, textsIn } from '../ledger/json-values.ts';
import { visible } from '../text/visible.ts';
import type { Ending } from './ending.ts';
import { gateStopOf, isLetGo } from './recorded-stop.ts';

/** One piece of work whose owner was kept going, or would have been, and what became of it. */
export interface GateCase {
  readonly gate: string;
  readonly task: string | null;
  /** Name of its session; null where no entry told. */
  readonly session: string | null;
  readonly blocked: number;
  readonly wouldBlock: number;
  readonly firstAt: number;
  readonly ending: Ending;
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
  end: { readonly ending: Ending; readonly at: number | null; readonly text: string };
}

const OPEN: Story['end'] = { ending: 'open', at: null, text: '' };

/** Follows every contract through the ledger. What was before `since` only tells how it began. */
export class GateCases {
  readonly #stories = new Map<string, Story>();
  readonly #since: number;
  readonly #now: number;

  constructor(entries: readonly LedgerEntry[], since: number, now: number) {
    this.#since = since;
    this.#now = now;
    for (const entry of entries) if (entry.kind === 'declared') this.#take(entry);
  }

  all(): GateCase[] {
    return [...this.#stories].flatMap(([gate, story]) => {
      const { task, session, blocked, wouldBlock, firstAt } = story;
      if (firstAt === null) return [];
      const { ending, at, text } = this.#endOf(story);
      return [
        { gate: visible(gate, 40), task, session, blocked, wouldBlock, firstAt, ending, endedAt: at, text },
      ];
    });
  }

  // Time runs out without anybody recording it; what was let go before that stays so.
  #endOf({ end, expiresAt }: Story): Story['end'] {
    const isOver = end.ending === 'open' && expiresAt <= this.#now;
    return isOver ? { ending: 'expired', at: expiresAt, text: 'its time is over' } : end;
  }

  #take(entry: LedgerEntry): void {
    const { action, at, body, session } = entry;
    const id = textIn(body.gate);
    if (id === null) return;
    const story = this.#stories.get(id) ?? untold();
    if (action === 'gate-start') {
      story.task = textIn(body.task) === null ? null : visible(String(body.task), 300);
      story.session = session === null ? null : visible(session.name, 300);
      story.expiresAt = numberIn(body.expiresAt) ?? Number.POSITIVE_INFINITY;
    } else if (action === 'gate-end') {
      story.end = { ending: endingIn(body), at, text: visible(textIn(body.text) ?? '', 600) };
    } else {
      this.#stop(story, entry);
    }
    this.#stories.set(id, story);
  }

  #stop(story: Story, entry: LedgerEntry): void {
    const stop = gateStopOf(entry);
    if (stop === null) return;
    const { at, verdict, reason, text } = stop;
    if (verdict !== 'approved' && at >= this.#since) {
      story.firstAt ??= at;
      if (verdict === 'blocked') story.blocked += 1;
      else story.wouldBlock += 1;
    }
    if (verdict === 'blocked') story.end = OPEN;
    if (isLetGo(stop)) story.end = { ending: 'let-go', at, text };
    if (reason === 'checks-met') story.end = { ending: 'met', at, text };
  }
}

function untold(): Story {
  const none = { task: null, session: null, firstAt: null };
  return { ...none, expiresAt: Number.POSITIVE_INFINITY, blocked: 0, wouldBlock: 0, end: OPEN };
}

function endingIn({ phase, missing }: LedgerEntry['body']): Ending {
  if (phase === 'finished') return textsIn(missing).length > 0 ? 'forced' : 'met';
  return phase === 'abandoned' ? 'abandoned' : 'expired';
}
