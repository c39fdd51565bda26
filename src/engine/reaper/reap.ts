import type { Tier } from '../../core/pressure/tier.ts';
import type { ReapOutcome } from '../../core/reaper/after-close.ts';
import type { ReapAction } from '../../core/reaper/conclude.ts';
import { isToSleep } from '../../core/reaper/way.ts';
import { closeByItself, outcomeOfError } from './close-by-itself.ts';
import type { ReaperParts } from './parts.ts';

/** Closes one session, if the budget that all rollcalls share has a close left. */
export async function reap(
  parts: ReaperParts,
  { entry, relief }: Extract<ReapAction, { kind: 'close' }>,
  tier: Tier,
): Promise<ReapOutcome> {
  const wish = {
    ...{ isForced: false, despite: [], isAutomatic: true },
    isUnderPressure: relief === 'long-idle',
    isToSleep: isToSleep(entry, relief, parts.policy.prefer),
  };
  const reason = `memory pressure is ${tier}: ${relief}`;
  const slot = parts.budgets.take(entry.key);
  if (slot.state === 'settling') return { result: 'waits' };
  if (slot.state !== 'taken') {
    const code = slot.state === 'used-up' ? 'budget-used' : 'budget-unknown';
    return { result: 'no-slot', guard: { code, text: slot.text } };
  }
  const outcome = await closeByItself(parts, { entry, wish, reason }).catch(outcomeOfError);
  slot.settle(outcome.result !== 'skipped');
  return outcome;
}
