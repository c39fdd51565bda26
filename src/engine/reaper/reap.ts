import type { Tier } from '../../core/pressure/tier.ts';
import type { ReapOutcome } from '../../core/reaper/after-close.ts';
import type { ReapAction } from '../../core/reaper/conclude.ts';
import type { Reaped } from '../../core/reaper/standing.ts';
import { isToSleep } from '../../core/reaper/way.ts';
import { closeSession } from '../act/close/close-session.ts';
import { recoverAll } from '../act/recover.ts';
import { outcomeOf, outcomeOfError } from './outcome.ts';
import type { ReaperParts } from './parts.ts';

type Close = Extract<ReapAction, { kind: 'close' }>;

/** The session that a close is about. */
export function reapedBy({ entry, relief }: Close): Reaped {
  const { key, name, memoryBytes } = entry;
  return { key, name, memoryBytes, relief };
}

/** Closes one session, if the budget that all rollcalls share has a close left. */
export async function reap(parts: ReaperParts, action: Close, tier: Tier): Promise<ReapOutcome> {
  const slot = parts.budgets.take(action.entry.key);
  if (slot.state === 'settling') return { result: 'waits' };
  if (slot.state !== 'taken') {
    const code = slot.state === 'used-up' ? 'budget-used' : 'budget-unknown';
    return { result: 'no-slot', guard: { code, text: slot.text } };
  }
  const outcome = await close(parts, action, tier).catch(outcomeOfError);
  slot.settle(outcome.result !== 'skipped');
  return outcome;
}

async function close(parts: ReaperParts, { entry, relief }: Close, tier: Tier): Promise<ReapOutcome> {
  const wish = {
    ...{ isForced: false, despite: [], isAutomatic: true },
    isUnderPressure: relief === 'long-idle',
    isToSleep: isToSleep(entry, relief, parts.policy.prefer),
  };
  const reason = `memory pressure is ${tier}: ${relief}`;
  return parts.withHands(async (hands) => {
    await recoverAll(hands);
    const { argv, timings } = parts;
    return outcomeOf(await closeSession(hands, { entry, wish, reason, argv, timings, onProgress: () => {} }));
  });
}
