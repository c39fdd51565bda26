import { type Life, markLife } from '../lock/life.ts';
import { movedTo } from '../memory/moved.ts';
import { bootOf, whenceOf } from '../sight/identity.ts';
import type { ProcessTable } from '../sight/process.ts';
import { isGone, type Roll, type SessionEntry } from '../sight/roll.ts';
import type { DoctorFacts } from './facts.ts';

/** A session that began so shortly before the look may be missing in a server's answer, ms. */
const SETTLED_MS = 60_000;

const KEY = /^[0-9a-zA-Z]{0,8}\.[0-9a-zA-Z]{0,8}\.(\d{1,10})\.(\d{1,15})\.s\d{1,10}\.(\d{1,12})$/;

/** Whether a word has the form of a session's key. */
export function isSessionKey(word: string): boolean {
  return KEY.test(word);
}

/**
 * Whether the session of a key lives. Gone: it is lost, the machine has restarted, its server answers without it, or the
 * process of its server has ended. One whose pane was moved into another session lives there. A server that was not asked or did not answer proves nothing, and nothing is known of
 * one that was recorded from another pid namespace.
 */
export function sessionLife(
  key: string,
  { roll, table, ledger }: Pick<DoctorFacts, 'roll' | 'table' | 'ledger'>,
): Life {
  const entry = roll.sessions.find((one) => one.key === key);
  if (entry !== undefined) return isGone(entry) ? 'gone' : 'alive';
  const [, pid, startTicks, created] = (KEY.exec(key) ?? []).map(Number);
  if (pid === undefined || startTicks === undefined || created === undefined) return 'unknown';
  const known = ledger.state === 'read' ? ledger.sessions.get(key) : undefined;
  // Of one that was never recorded nobody knows where it is; its server may still answer here.
  if (known !== undefined && movedTo(known, roll.sessions) !== null) return 'alive';
  const boot = known === undefined ? bootOf(key, roll.host) : whenceOf(known, roll.host);
  if (boot !== 'this') return boot === 'earlier' ? 'gone' : 'unknown';
  if (created * 1000 > roll.at - SETTLED_MS) return 'unknown';
  const hasAnswered = roll.servers.some((one) => one.pid === pid && one.startTicks === startTicks);
  if (hasAnswered) return 'gone';
  // A server whose process was never seen may be beyond what is seen from here.
  const isSeen = startTicks !== 0 && whenceOf(known ?? { key }, roll.host) === 'this';
  return isSeen && processLife(pid, startTicks, table) === 'gone' ? 'gone' : 'unknown';
}

/** Whether a process lives that may have been written down without its start mark. */
export function processLife(pid: number, startTicks: number, table: ProcessTable): Life {
  if (startTicks !== 0) return markLife({ pid, startTicks }, table);
  if (table.byPid.has(pid)) return 'unknown';
  return table.isComplete ? 'gone' : 'unknown';
}

/** Sessions that a server showed just now; of the others nothing is proven. */
export function shownSessions({ sessions, servers }: Roll): SessionEntry[] {
  const isAnswering = (entry: SessionEntry) =>
    !isGone(entry) &&
    servers.some(({ pid, startTicks }) => pid === entry.server.pid && startTicks === entry.server.startTicks);
  return sessions.filter(isAnswering);
}
