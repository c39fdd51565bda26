import { type Life, markLife } from '../lock/life.ts';
import { movedTo } from '../memory/moved.ts';
import { bootOf, isSameProcess, whenceOf } from '../sight/identity.ts';
import type { ProcessTable } from '../sight/process.ts';
import { isGone, type Roll, type SessionEntry } from '../sight/roll.ts';
import type { DoctorFacts } from './facts.ts';
import type { CareSightings } from './sightings.ts';

/** A session that began so shortly before the look may be missing in a server's answer, ms. */
const SETTLED_MS = 60_000;

const KEY = /^[0-9a-zA-Z]{0,8}\.[0-9a-zA-Z]{0,8}\.(\d{1,10})\.(\d{1,15})\.s\d{1,10}\.(\d{1,12})$/;

/** Whether a word has the form of a session's key. */
export function isSessionKey(word: string): boolean {
  return KEY.test(word);
}

/**
 * Whether the session with this key lives. It is gone where it is lost, the machine has restarted, its server answers without
 * it, or its server has ended. Where its pane was moved into another session, it lives there. Unknown: its server was not
 * asked or did not answer, or it was recorded from another pid namespace.
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
  return sessions.filter(
    (entry) => !isGone(entry) && servers.some((one) => isSameProcess(one, entry.server)),
  );
}

const PID = /^pid:(\d{1,10})(?:\.(\d{1,15}))?$/;

/**
 * Whether the owner that a session names is still there. Only three kinds of owners can be looked for: a process
 * (`pid:PID.START`, START in clock ticks since boot), a session by its key, a folder by its absolute path. Anything else,
 * a person's name above all, is unknown and stays so.
 */
export function ownerLife(
  owner: string,
  facts: Pick<DoctorFacts, 'roll' | 'table' | 'care' | 'ledger'>,
): Life {
  const [, pid, startTicks = '0'] = PID.exec(owner) ?? [];
  if (pid !== undefined) return processLife(Number(pid), Number(startTicks), facts.table);
  if (isSessionKey(owner)) return sessionLife(owner, facts);
  if (!owner.startsWith('/')) return 'unknown';
  return facts.care.missingFolders.has(owner) ? 'gone' : 'alive';
}

/** Every folder or file that sessions name as theirs, for somebody to look whether it is still there. */
export function namedFolders(
  { sessions }: Pick<Roll, 'sessions'>,
  { orphanPattern }: Pick<CareSightings, 'orphanPattern'>,
): ReadonlySet<string> {
  const named = sessions.flatMap((entry) => [
    entry.owner,
    entry.task,
    worktreeOf(entry),
    orphanPattern(entry.name)?.owner ?? null,
    ...entry.panes.map(({ cwd }) => cwd),
  ]);
  return new Set(named.filter((path) => path?.startsWith('/') === true) as string[]);
}

/** The work tree that a session was claimed for. */
export function worktreeOf({ evidence }: SessionEntry): string | null {
  const standing = evidence.find((piece) => piece.kind === 'standing');
  return standing?.claims?.worktree ?? null;
}
