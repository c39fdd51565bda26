import type { EntryDraft } from '../../core/ledger/entry.ts';
import { type Due, duesIn } from '../../core/settle/due.ts';
import { type Setbacks, stillSetBack, withSetback, withTries } from '../../core/settle/setbacks.ts';
import type { SettleEvent, SettleMode } from '../../core/settle/standing.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { RolePolicies } from '../../core/verdict/policy.ts';
import type { CloseTurn } from '../daemon/close-turn.ts';
import type { Settler } from '../daemon/parts.ts';
import {
  type CloseOutcome,
  type CloserParts,
  closeByItself,
  followClose,
  type RunningClose,
} from '../reaper/close-by-itself.ts';

/** What a settler is made of; src/compose/ supplies the real ones. */
export interface SettlerParts extends CloserParts {
  readonly mode: SettleMode;
  readonly roles: RolePolicies;
  /** Shared with whoever else closes by itself. */
  readonly turn: CloseTurn;
}

const ACTIONS: Readonly<Record<SettleEvent['kind'], string | null>> = {
  'would-close': 'settle-would-close',
  failed: 'settle-failed',
  // The close itself has recorded it, with its receipt.
  closed: null,
  // Nothing was done, and it may happen often.
  skipped: null,
};

/** What the ledger is told of the settler. */
function settleNotes(events: readonly SettleEvent[]): EntryDraft[] {
  return events.flatMap(({ kind, session, code, text, nextAt }): EntryDraft[] => {
    const action = ACTIONS[kind];
    return action === null ? [] : [{ kind: 'note', action, session, body: { code, text, nextAt } }];
  });
}

type Seen = Parameters<Settler['round']>[0];

interface Settling extends RunningClose<CloseOutcome> {
  readonly session: SettleEvent['session'];
}

/** A settler that remembers from round to round, and nothing beyond its own life. */
export function createSettler(parts: SettlerParts): Settler {
  const { mode, roles, turn } = parts;
  let setbacks: Setbacks = new Map();
  let named: ReadonlySet<string> = new Set();
  let closing: Settling | null = null;
  let isStopped = false;

  // Takes note of a close that has ended.
  const ended = (now: Moment): SettleEvent[] => {
    const outcome = closing?.outcome() ?? null;
    if (closing === null || outcome === null) return [];
    const { session } = closing;
    closing = null;
    const hasFailed = outcome.result === 'failed';
    if (outcome.result !== 'closed')
      setbacks = withSetback(setbacks, session.key, { ...outcome, hasFailed }, now);
    const againMs = setbacks.get(session.key)?.againMs;
    const nextAt =
      outcome.result === 'closed' || againMs === undefined ? null : now.at + againMs - now.awakeMs;
    return [eventOf(session, outcome, now, nextAt)];
  };

  const begin = (dues: readonly Due[], { roll }: Seen): void => {
    const next = dues.find(({ state }) => state === 'due');
    const entry = roll.sessions.find(({ key }) => key === next?.key);
    if (mode !== 'on' || isStopped || closing !== null || entry === undefined) return;
    const release = turn.take();
    if (release === null) return;
    const wish = { isForced: false, despite: [], isAutomatic: true, isByCompletion: true };
    const close = closeByItself(parts, { entry, wish, reason: entry.reasons[0]?.text ?? null });
    closing = { ...followClose(close, release), session: { key: entry.key, name: entry.name } };
  };

  // Shadow names each once, for as long as it stays due.
  const naming = (dues: readonly Due[], { at }: Moment): SettleEvent[] => {
    if (mode !== 'shadow') return [];
    const due = dues.filter(({ state }) => state === 'due');
    const fresh = due.filter(({ key }) => !named.has(key));
    named = new Set(due.map(({ key }) => key));
    return fresh.map(({ key, name, why }) => ({
      ...{ kind: 'would-close', at, session: { key, name }, code: 'completed', text: why },
      ...{ receipt: null, nextAt: null },
    }));
  };

  const tell = async (events: readonly SettleEvent[]): Promise<void> => {
    const notes = settleNotes(events);
    if (notes.length > 0) await parts.record(notes).catch(() => {});
  };

  return {
    async round(seen) {
      const { roll, now } = seen;
      const over = ended(now);
      const found = duesIn(roll.sessions, now.at, roles);
      setbacks = stillSetBack(setbacks, found);
      const dues = withTries(found, setbacks, now);
      const events = [...over, ...naming(dues, now)];
      begin(dues, seen);
      await tell(events);
      const key = closing?.session.key;
      const due = dues.map((one): Due => (one.key === key ? { ...one, state: 'closing', dueAt: null } : one));
      return { standing: { mode, due }, events };
    },
    async stop() {
      isStopped = true;
      await closing?.over;
      await tell(ended(parts.now()));
    },
  };
}

function eventOf(
  session: Settling['session'],
  outcome: CloseOutcome,
  { at }: Moment,
  nextAt: number | null,
): SettleEvent {
  const { text } = outcome;
  const receipt = outcome.result === 'closed' ? outcome.receipt : null;
  const code = outcome.result === 'closed' ? 'completed' : outcome.code;
  return { kind: outcome.result, at, session, code, text, receipt, nextAt };
}
