import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type BudgetEntry, freeAtOf, inForce, isBudgetBook, isSettling } from '../../core/reaper/budget.ts';
import type { ReapBudget } from '../../core/reaper/standing.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { Moment } from '../../core/text/moment.ts';
import { visible } from '../../core/text/visible.ts';
import { succeeds, tryOr } from '../../core/try-or.ts';
import type { ReapBudgets, ReapSlot } from '../../ports/reaper.ts';
import { underLock } from '../files/lock-file.ts';
import { readOwnText } from '../files/own-file.ts';
import { makeFolderIfMissing, objectionToEntry, objectionToFolder } from '../files/own-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { isRunning } from '../programs/end-group.ts';

export interface BudgetFileOptions {
  readonly folder: string;
  readonly uid: number;
  readonly perHour: number;
  readonly settleMs: number;
  host(): Pick<HostIdentity, 'bootId' | 'pidNamespace'>;
  now(): Moment;
}

const MOST_BYTES = 1024 * 1024;

/**
 * The closes of the last hour in one file, under a kernel lock. An unreadable file, however old, is no fresh budget:
 * nothing is closed automatically until somebody has moved it away.
 */
export function createBudgetFile(options: BudgetFileOptions): ReapBudgets {
  const { folder, uid, perHour, settleMs } = options;
  const path = join(folder, 'reaps.json');
  const locked = <T>(work: (entries: BudgetEntry[]) => T): T => {
    openBudgetFolder(folder, uid);
    return underLock(join(folder, 'reaps.lock'), () => work(load()), { refuse: notOurs });
  };
  const load = (): BudgetEntry[] => {
    const text = readOwnText(path, MOST_BYTES);
    if (text === null) return [];
    const book = parsed(text);
    if (book === null)
      throw new Error(`${path}: its content is not as expected; look at it, then move it away`);
    return inForce(book, here());
  };
  // A close whose process is gone is no longer under way; the next close settles what became of it. A process of another
  // pid namespace cannot be checked.
  const asLeft = (entry: BudgetEntry): BudgetEntry =>
    entry.isOver || !isOfHere(entry) || isRunning(entry.pid) ? entry : { ...entry, isOver: true };
  const isOfHere = ({ bootId, pidNamespace }: BudgetEntry) =>
    bootId === options.host().bootId && pidNamespace === options.host().pidNamespace;
  const here = () => ({ now: options.now(), bootId: options.host().bootId });
  const save = (entries: readonly BudgetEntry[]) => replaceFile(path, `${JSON.stringify(entries)}\n`);
  // What is taken and never settled counts as used, and is waited for; nobody gets more by that. Where the file cannot be
  // written, whoever reads it next says what is wrong with it.
  const settle = (id: string, isUsed: boolean) =>
    succeeds(() =>
      locked((entries) => {
        const { at, awakeMs } = options.now();
        const over = { isOver: true, at, awakeMs };
        const left = isUsed ? entries : entries.filter((entry) => entry.id !== id);
        save(left.map((entry) => (entry.id === id ? { ...entry, ...over } : entry)));
      }),
    );

  return {
    read(): ReapBudget {
      try {
        // A file that is only ever replaced is read whole, without a lock.
        openBudgetFolder(folder, uid);
        const entries = load();
        const freeAt = entries.length < perHour ? null : freeAtOf(entries, perHour, here());
        return { perHour, used: entries.length, freeAt, problem: null };
      } catch (error) {
        return { perHour, used: 0, freeAt: null, problem: wordsOf(error) };
      }
    },
    take(key): ReapSlot {
      try {
        return locked((entries) => {
          if (entries.length >= perHour) {
            return { state: 'used-up', text: `${entries.length} of ${perHour} closes of this hour are used` };
          }
          if (isSettling(entries.map(asLeft), settleMs, here())) return { state: 'settling' };
          const { at, awakeMs } = options.now();
          const id = randomBytes(8).toString('hex');
          const { bootId, pidNamespace } = options.host();
          const own = { id, at, awakeMs, bootId, pid: process.pid, key, isOver: false };
          save([...entries, { ...own, ...(pidNamespace !== undefined && { pidNamespace }) }]);
          return { state: 'taken', settle: (isUsed) => settle(id, isUsed) };
        });
      } catch (error) {
        return { state: 'refused', text: wordsOf(error) };
      }
    },
  };
}

function notOurs(path: string): Error {
  return new Error(`${path}: it is not a file of this user's own`);
}

function parsed(text: string): readonly BudgetEntry[] | null {
  return tryOr(null, () => {
    const value: unknown = JSON.parse(text);
    return isBudgetBook(value) ? value : null;
  });
}

function wordsOf(error: unknown): string {
  return visible(`the budget of closes cannot be told: ${(error as Error).message}`, 600);
}

/**
 * Where the closes of the hour are counted: in the state folder, and also in the user's runtime folder if there is one,
 * because supervisors with several state folders share one machine. A runtime folder that others own or can write to is
 * ignored.
 */
export function budgetFolders(stateFolder: string, env: NodeJS.ProcessEnv, uid: number): readonly string[] {
  const { XDG_RUNTIME_DIR: runtime = '' } = env;
  return isAbsolute(runtime) && isPrivate(runtime, uid)
    ? [stateFolder, join(runtime, 'rollcall')]
    : [stateFolder];
}

function isPrivate(path: string, uid: number): boolean {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return entry !== undefined && objectionToEntry(entry, uid) === null;
}

/** Makes the folder where it is missing; throws where it is not this user's alone. */
function openBudgetFolder(path: string, uid: number): void {
  makeFolderIfMissing(path);
  const objection = objectionToFolder(path, { uid });
  if (objection === null) return;
  const hint = objection.fault === 'mode' ? ` (chmod 700 ${path})` : '';
  throw new Error(`${path}: ${objection.text}${hint}`);
}
