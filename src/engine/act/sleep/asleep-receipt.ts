import { type Receipt, receiptBody } from '../../../core/close/receipt.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { Belongings } from '../close/belongings.ts';
import type { Subject } from '../close/look-at.ts';
import type { Ready } from '../close/make-ready.ts';
import type { CloseOrder } from '../close/order.ts';
import { partsOf } from '../close/parts-of.ts';
import type { Rungs } from '../close/rungs.ts';
import type { CloseStep } from '../close/steps.ts';
import { type Seen, sweep } from '../close/sweep.ts';
import type { ConversationsKept } from '../conversations/keep.ts';
import type { Deed } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { awaitPeople } from './await-people.ts';

interface FellAsleep {
  readonly hands: Hands;
  readonly order: CloseOrder;
  readonly subject: Subject;
  readonly ready: Ready;
  readonly deed: Deed<CloseStep>;
  readonly rungs: Rungs;
  readonly notes: readonly string[];
  readonly sleeper: Sleeper;
  keepTalk(): Promise<ConversationsKept>;
}

/** Ends what the agent left running, keeps its conversation, and says from what it is woken. */
export async function asleepReceipt(fell: FellAsleep): Promise<Receipt> {
  const { hands, order, subject, ready, deed, rungs, notes, sleeper, keepTalk } = fell;
  const { sight, decision, belongings, id, archive, sleep } = ready;
  const over = rungs.begin('sweep');
  const swept = await sweep({
    ...{ hands, subject, timings: order.timings, belongings, step: deed.step, isForced: false },
    paneIds: new Set([sleeper.paneId]),
    roll: withoutOwn(
      await hands.look({ servers: [subject.target.server.socketPath], withoutGit: true }),
      belongings,
    ),
  });
  over(swept.result, swept.text);
  const unawaited = await awaitPeople(hands, subject.target, sleeper);
  const kept = await keepTalk();
  return receiptBody({
    ...partsOf(hands, order, sight),
    ...{ id, result: 'asleep', waived: decision.waived, archive },
    ...{ conversations: kept.conversations, notes: [...notes, ...unawaited, ...kept.notes] },
    digests: Object.fromEntries(ready.digests),
    ...{ rungs: rungs.reports, survivors: swept.survivors },
    sleeper: { ...sleeper, freedBytes: sleep?.bytes ?? null, isPaneKept: sleep?.isPaneKept ?? false },
  });
}

// Its pane is still there, and shows what the agent left running: only that is swept, and nothing else of the session.
function withoutOwn({ sessions }: Roll, belongings: Belongings): Seen {
  return {
    sessions: sessions.map(({ evidence }) => ({
      evidence: evidence.map((piece) =>
        piece.kind === 'processes'
          ? { ...piece, processes: piece.processes.filter((note) => !belongings.mayEnd(note)) }
          : piece,
      ),
    })),
  };
}
