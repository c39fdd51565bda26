import { type ClosingBody, readClosing } from '../../../core/close/bodies.ts';
import { plainly } from '../../../core/close/ended.ts';
import type { RungReport, Survivor } from '../../../core/close/receipt.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import { processKey, type ServerIdentity } from '../../../core/sight/identity.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import { named } from '../../../core/verdict/evidence.ts';
import { type LeftIntent, type Recovery, stepsOf } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { nobodysAmong } from './nobodys.ts';
import { CLOSE_TIMINGS } from './order.ts';
import { livingOf, terminateAll, untilGone } from './processes.ts';
import { record, serverIn, tellEnded } from './recover-receipt.ts';
import { inPanes, markedBy, movedPanes, seesPanes, unendedWords } from './sweep.ts';

/**
 * Finds out what became of a close whose process was killed. A session that is proven to be gone gets the missing receipt; one
 * that stands, or whose panes were moved, is left alone. What it left running is ended where the intent names it.
 */
export async function recoverClose(hands: Hands, intent: LeftIntent, roll: Roll): Promise<Recovery | null> {
  const { session, bootId, body } = intent;
  const { key } = session;
  if (key === null) return null;
  const done = { session, body: { result: 'done' } };
  const facts = factsOf(hands, { key });
  if (facts?.closed) return done;
  const closing = readClosing(body);
  const server = serverIn(closing);
  const interrupted = (text: string) => ({ session, body: { result: 'interrupted', text } });
  if (server === null) return interrupted('whoever closed it was stopped');
  let left: LeftBehind = { rungs: [], survivors: [] };
  // Processes of an earlier boot are gone, and their numbers may be others' by now.
  if (bootId === roll.host.bootId) {
    const where = whereaboutsOf({ key, server }, roll, hands.processes.sense());
    if (where.state === 'unknown') return null;
    const stays = where.state === 'there' ? 'it still stands' : movedTo({ key, server }, closing, roll);
    if (stays !== null) {
      const text = `whoever closed it was stopped; ${stays}`;
      await tellEnded(hands, intent, facts?.claims ?? null, { text });
      return interrupted(text);
    }
    left = await sweepAfterwards(hands, server, closing, roll);
  }
  const told = { ...RECOVERED, ...left, claims: facts?.claims ?? null };
  await record(hands, intent, told, { isOtherBoot: bootId !== roll.host.bootId });
  return done;
}

/**
 * In which session its panes go on; null where in none. A close stops where somebody has moved one, but for one that takes the
 * session without it: whatever became of the session after that, it was not closed.
 */
function movedTo(
  { key, server }: { readonly key: string; readonly server: ServerIdentity },
  { panes, waived, despite }: ClosingBody,
  roll: Roll,
): string | null {
  const isWaived = [...waived.map(({ code }) => code), ...(despite ?? [])].includes('windows-own');
  const [moved] = isWaived ? [] : movedPanes({ key, target: { server } }, panes, roll);
  return moved === undefined ? null : `its pane ${moved.paneId} was moved to session ${moved.session}`;
}

const RECOVERED = {
  result: 'recovered',
  notes: ['whoever closed it was stopped before it could say what it did; the session is gone'],
} as const;

/** Every command recovers first, and nobody wants to wait for long before what was asked for. */
const TIMINGS = { ...CLOSE_TIMINGS, terminateMs: 3000 };

/** What a session left running, and what became of it. */
export interface LeftBehind {
  readonly rungs: readonly RungReport[];
  readonly survivors: readonly Survivor[];
}

/**
 * Ends what a session left running whose close was cut short. Only processes that the intent names are ended, while they
 * are still the same and no pane of any session has them; whatever else bears the mark of its panes is only told. Time
 * has passed since it was decided, so nothing is ever killed.
 */
export async function sweepAfterwards(
  hands: Hands,
  server: ServerIdentity,
  { panes, processes }: ClosingBody,
  roll: Roll,
): Promise<LeftBehind> {
  const startedAt = hands.now();
  const inUse = inPanes(roll);
  const living = livingOf(hands, processes);
  const nobodys = nobodysAmong(hands, living);
  const isFree = (one: Survivor) => !inUse.has(processKey(one));
  const own = living.filter((one) => isFree(one) && !nobodys.has(processKey(one)));
  const isSeen = own.length === 0 || seesPanes(hands, roll);
  const ours = isSeen ? own : [];
  const unsure = isSeen ? [] : own;
  const strangers = markedBy(hands, server, new Set(panes), living).filter(isFree);
  if (own.length === 0 && strangers.length === 0) return { rungs: [], survivors: [] };
  const { refused, left } = await stepsOf(hands)('sweep', async () => {
    const refused = terminateAll(hands, ours);
    return { refused, left: await untilGone(hands, ours, TIMINGS.terminateMs, TIMINGS) };
  });
  const ended = ours.filter((one) => !left.includes(one)).map(named);
  const text = [
    ...(ended.length > 0 ? [`ended ${ended.join(', ')}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} still runs`] : []),
    ...unendedWords(unsure),
    ...(strangers.length > 0 ? [`not proven to be its own: ${strangers.map(named).join(', ')}`] : []),
    ...refused,
  ].join('; ');
  const survivors = [...left, ...unsure, ...strangers].map(plainly);
  const result = survivors.length === 0 ? 'done' : 'failed';
  return { rungs: [{ rung: 'sweep', startedAt, endedAt: hands.now(), result, text }], survivors };
}
