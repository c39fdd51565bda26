import { readStarted, type StartedBody } from '../../core/close/bodies.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import { type EndRecord, endBody, endWords } from '../../core/memory/ended.ts';
import { isExpected } from '../../core/memory/lost.ts';
import { sessionKey } from '../../core/sight/identity.ts';
import type { Roll } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import type { LeftIntent, Recovery } from './deed.ts';
import { factsOf, type Hands } from './hands.ts';
import { receiveAsleep } from './reopen/asleep.ts';
import { keptOf } from './reopen/kept.ts';
import { lostSessionOf } from './reopen/lost-session-of.ts';
import { withRest } from './reopen/may-start.ts';
import { type Birth, birthBody, findRun, keyOf } from './run-find.ts';

/** Whether a run that was stopped had started its session. */
export async function recoverRun(hands: Hands, intent: LeftIntent, roll: Roll): Promise<Recovery | null> {
  const started = readStarted(intent.body);
  const { name } = intent.session;
  const word = started.run ?? '';
  if (intent.bootId !== roll.host.bootId) {
    const text = 'the machine was restarted before it was known to be there';
    return goneRun(hands, intent, { text, isServerGone: true });
  }
  const socketPath = started.server?.socketPath ?? '';
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
      body: { ...pane, ...successionIn(intent, started), result: 'moved', text },
    };
  }
  if (found.state === 'absent') {
    const text = 'it was stopped, and no session of it is there';
    return goneRun(hands, intent, { text, isServerGone: isServerGone(hands, intent, roll, socketPath) });
  }
  const { birth } = found;
  if (!started.remain && !started.isAsleep) await hands.tmux.letGo(birth.pane);
  if (started.held !== null) await hands.tmux.markHeld(birth.pane.session, hands.now());
  const missing = intent.action === 'reopen' ? await layOutRest(hands, started, birth, roll) : [];
  const session = { key: keyOf(roll.host, birth), name: birth.name };
  if (started.isAsleep) await receiveAsleep(hands, { cause: intent.sequence, body: started }, birth, session);
  return {
    session,
    body: {
      ...birthBody(birth, word),
      ...successionIn(intent, started),
      result: 'done',
      ...(missing.length > 0 && { missing }),
    },
  };
}

/** What is known where no session of it is there. */
function goneRun(
  hands: Hands,
  intent: LeftIntent,
  { text, isServerGone }: { readonly text: string; readonly isServerGone: boolean },
): Recovery {
  const session = { key: null, name: intent.session.name };
  const word = readStarted(intent.body).run ?? '';
  const end = hands.ends.of(word);
  // What a reopen was made from is still lost; of a run nothing else tells.
  if (end === null && intent.action === 'run' && isServerGone && hands.starts.of(word) !== null)
    return unseenRun(intent);
  const isFinished = end !== null && finishReopened(hands, intent, end);
  hands.ends.drop(word);
  hands.starts.drop(word);
  if (end === null) return { session, body: { result: 'failed', text } };
  const result = isFinished ? 'finished' : 'died';
  return { session, body: { result, text: `its program ${endWords(end)}`, end: endBody(end) } };
}

/**
 * One that was brought back, and that ended well before that was recorded, has finished: that is recorded of the session that
 * it took the place of, which would be brought back once more.
 */
function finishReopened(hands: Hands, { session, body }: LeftIntent, end: EndRecord): boolean {
  const key = readStarted(body).reopens;
  const isAlone = [...end.sessions.values()].every((panes) => panes === 1);
  if (end.exitStatus !== 0 || !isAlone || key === null || key !== session.key) return false;
  if (!isExpected(hands.ledger.facts().folded.facts.get(key))) return false;
  const told = { run: end.run, text: endWords(end), ...endBody(end) };
  hands.ledger.append({ kind: 'declared', action: 'end', session, body: told });
  return true;
}

/** A server that starts so long after the intent was not started by the run. */
const OWN_SERVER_MS = 60_000;

function isServerGone(hands: Hands, { at }: LeftIntent, { servers }: Roll, socketPath: string): boolean {
  const { byPid } = hands.processes.sense();
  const there = servers.filter((one) => one.socketPath === socketPath);
  return there.every(({ pid = 0 }) => (byPid.get(pid)?.startedAt ?? 0) > at + OWN_SERVER_MS);
}

/**
 * It may have been started, and its server is gone: it is lost, and its start is kept. Nobody knows who it was, so it
 * gets a server that no process ever was.
 */
function unseenRun(intent: LeftIntent): Recovery {
  const { sequence, at, host: machineId, bootId, body } = intent;
  const { server: told, run } = readStarted(body);
  const socketPath = told?.socketPath ?? '';
  const server = { socketPath, pid: 0, startTicks: sequence };
  const place = { server, sessionId: '$0', createdAtSeconds: Math.floor(at / 1000) };
  const { name } = intent.session;
  const text = 'nobody saw its session, and its tmux server has ended since: rollcall restore';
  return {
    session: { key: sessionKey({ machineId, bootId, name: '' }, place), name },
    body: { ...place, run, isUnseen: true, result: 'done', text },
  };
}

/** From what it was reopened: whoever reopens that again has to find this one. */
function successionIn({ action }: LeftIntent, { reopens, receipt }: StartedBody): JsonObject {
  return action === 'reopen' ? { reopens, receipt } : {};
}

/**
 * Lays out a session whose reopening was stopped between its start and its outcome: windows that were not begun are made, and
 * what stands there is left. Gives what is not as it was.
 */
export async function layOutRest(
  hands: Hands,
  { reopens: key }: StartedBody,
  { pane }: Birth,
  { host }: Pick<Roll, 'host'>,
): Promise<string[]> {
  const facts = factsOf(hands, { key });
  if (facts === undefined) return [];
  const kept = keptOf(hands, { closed: lostSessionOf(hands, facts) });
  if ('state' in kept || kept.windows.flatMap(({ panes }) => panes).length <= 1) return [];
  const { windows, missing } = await withRest(hands, facts, kept, host);
  const told = missing.filter((text) => !kept.missing.includes(text));
  const laidOut = await hands.tmux.layOut(pane, windows);
  if (laidOut.state === 'done') return told;
  return [...told, `its windows are not laid out as they were: ${laidOut.text}`];
}
