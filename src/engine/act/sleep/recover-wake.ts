import { readStarted } from '../../../core/close/bodies.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import { serverIn } from '../close/recover-receipt.ts';
import type { LeftIntent, Recovery } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { birthBody } from '../run-find.ts';
import { findSleeper } from './sleeper.ts';

/**
 * What became of a waking whose actor was stopped. What bears its word was woken, also where it has ended by now: somebody may have
 * worked with it, and read what it left. Otherwise the sleeper waits as before, or went with its session.
 */
export async function recoverWake(hands: Hands, intent: LeftIntent, roll: Roll): Promise<Recovery | null> {
  const { session, bootId } = intent;
  const { key } = session;
  if (key === null) return null;
  const started = readStarted(intent.body);
  const { sessionId, createdAtSeconds, paneId, receipt } = started;
  const run = started.run ?? '';
  const failed = (text: string, more: JsonObject = {}) => {
    hands.starts.drop(run);
    return { session, body: { result: 'failed', text, ...more } };
  };
  if (bootId !== roll.host.bootId) return failed('the machine was restarted before it was known to be awake');
  const server = serverIn(started);
  if (server === null || sessionId === null || createdAtSeconds === null || paneId === null) {
    return failed('whoever woke it was stopped');
  }
  const target = { server, sessionId, createdAtSeconds };
  const find = (receipt: string) => findSleeper(hands, { key, target }, { paneId, receipt });
  const found = await find(run);
  if (found.state === 'unknown') return null;
  if (found.state === 'absent') return failed('whoever woke it was stopped; its pane is gone');
  if (found.state === 'other') {
    const waiting = await find(receipt ?? '');
    if (waiting.state === 'unknown') return null;
    // Its program had ended, and another sleeper was put there: nobody knows that one yet.
    const isAnother = waiting.state === 'found' && waiting.sleeper.pid !== started.pid;
    if (!isAnother) return failed('whoever woke it was stopped before it was awake');
    hands.ends.drop(run);
    return failed('its program ended, and whoever woke it was stopped', { sleeper: { ...waiting.sleeper } });
  }
  const pane = { session: target, paneId, pid: found.sleeper.pid };
  const born = { ...birthBody({ name: session.name, pane }, run), receipt };
  if (!started.remain && !found.isDead) await hands.tmux.setEnd(pane, { run, isKept: false });
  await hands.tmux.enterOnAttach(pane, false);
  return { session, body: { ...born, result: 'done' } };
}
