import { endBody, endWords } from '../../core/ended.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { objectIn, textIn } from '../../core/ledger/json-values.ts';
import type { Roll } from '../../core/roll.ts';
import { visible } from '../../core/visible.ts';
import type { Hands } from './hands.ts';
import type { Recovery } from './recovery.ts';
import { receiveAsleep } from './reopen/asleep.ts';
import { layOutRest } from './reopen/lay-out-rest.ts';
import { birthBody, keyOf } from './run-birth.ts';
import { findRun } from './run-find.ts';

/** Whether a run that was stopped had started its session. */
export async function recoverRun(hands: Hands, intent: LedgerEntry, roll: Roll): Promise<Recovery | null> {
  const { host, bootId, body } = intent;
  const name = intent.session?.name ?? '';
  const word = textIn(body.run) ?? '';
  const failed = (text: string) => {
    hands.starts.drop(word);
    return { session: { key: null, name }, body: { result: 'failed', text } };
  };
  // A state folder may be shared; another machine's sessions are for that machine to find.
  if (host !== roll.host.machineId) return null;
  if (bootId !== roll.host.bootId) return failed('the machine was restarted before it was known to be there');
  const socketPath = textIn(objectIn(body.server)?.socketPath) ?? '';
  const found = await findRun(hands, roll, { word, socketPath });
  if (found.state === 'unknown') return null;
  if (found.state === 'moved') {
    // Its own session is gone, and nobody knows its key; by its pane it is known that it runs.
    const { server, paneId, pid } = { ...found.to.pane, ...found.to.pane.session };
    const to = visible(found.to.name, 80);
    const text = `its pane ${paneId} is in session '${to}', which it did not make: rollcall adopt takes that into care`;
    const pane = { run: word, server: { ...server }, paneId, pid };
    return {
      session: { key: null, name },
      body: { ...pane, ...successionIn(intent), result: 'moved', text },
    };
  }
  if (found.state === 'absent') {
    const end = hands.ends.of(word);
    if (end === null) return failed('it was stopped, and no session of it is there');
    hands.ends.drop(word);
    hands.starts.drop(word);
    const body = { result: 'died', text: `its program ${endWords(end)}`, end: endBody(end) };
    return { session: { key: null, name }, body };
  }
  const { birth } = found;
  if (body.remain !== true && body.isAsleep !== true) await hands.tmux.letGo(birth.pane);
  if (objectIn(body.held) !== null) await hands.tmux.markHeld(birth.pane.session, hands.now());
  const missing = intent.action === 'reopen' ? await layOutRest(hands, intent, birth, roll) : [];
  const session = { key: keyOf(roll.host, birth), name: birth.name };
  if (body.isAsleep === true) await receiveAsleep(hands, { cause: intent.sequence, body }, birth, session);
  return {
    session,
    body: {
      ...{ ...birthBody(birth, word), ...successionIn(intent), result: 'done' },
      ...(missing.length > 0 && { missing }),
    },
  };
}

/** From what it was reopened: whoever reopens that again has to find this one. */
function successionIn({ action, body }: LedgerEntry): JsonObject {
  return action === 'reopen' ? { reopens: body.reopens ?? null, receipt: body.receipt ?? null } : {};
}
