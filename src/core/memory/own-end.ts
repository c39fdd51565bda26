import { type EndRecord, endOf, endWords, type ProgramEnd } from './ended.ts';
import type { Expected } from './lost.ts';
import { isLeftBehind, isOvertaken, type SeenLife } from './seen-life.ts';

/** How a session ended, by the record of its program; or what else the record tells of it. */
export type OwnEnd = { readonly end: ProgramEnd } | { readonly end: null; readonly text: string };

/** Records tell whole seconds, rounded down. */
const RECORD_GRAIN_MS = 1000;

/**
 * Whether the end of a program was that of its session: it is the process that the session was started with, in this very
 * session, without another pane; and nothing lived there, or was wanted of it, afterwards.
 */
export function ownEnd(record: EndRecord, facts: Expected, life: SeenLife | undefined): OwnEnd {
  const { origin, wantedAt = 0 } = facts;
  const program = `its program ${endWords(record)} before`;
  const panes = record.sessions.get(origin.place.sessionId);
  const own = origin.pane?.pid;
  if (own === undefined || record.pid !== own) {
    return { end: null, text: `another program in its pane ${endWords(record)} before` };
  }
  if (panes === undefined) return { end: null, text: `${program}, in another session` };
  if (panes > 1) return { end: null, text: `${program}, other panes ran on` };
  if (isOvertaken(life, facts)) return { end: null, text: `${program}, another one was seen in it since` };
  if (wantedAt > record.endedAt + RECORD_GRAIN_MS) {
    return { end: null, text: `${program}, and somebody counted on it since` };
  }
  return { end: { ...endOf(record), ...(isLeftBehind(life, facts) && { isOvertaken: true }) } };
}
