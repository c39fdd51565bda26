import { closeSync } from 'node:fs';
import type { HookMemory } from '../../core/agent/hook-memory.ts';
import { elapsedMs } from '../files/elapsed.ts';
import { pause } from '../files/lock-file.ts';
import { createEventTaker, type EventTakerOptions, type Taking } from './event-taker.ts';
import { createMemories } from './memories.ts';
import { createMemoryFile, NOTHING_SAVED } from './memory-file.ts';
import type { ListedFile, UnfinishedOf } from './read-event.ts';
import type { SpoolFolder } from './spool-folder.ts';
import {
  isBeginning,
  isGivenUp,
  isLeftBehind,
  isSame,
  isStillAsked,
  type Unfinished,
  unheardIn,
  waitingText,
} from './unfinished.ts';

export interface IntakeOptions extends EventTakerOptions {
  readonly spool: SpoolFolder;
  readonly leastToSave: number;
  /** Asks for the lock and never waits for it; null where another has it, or nobody can. */
  lock(): number | null;
}

/** The time that one call may read, and again remove: a spool that nobody read for weeks must not stop a look. */
const MAX_MS = 500;
/** Nothing is read before all are listed: the most that are listed (200,000) took 0.5 s. */
const MAX_LISTING_MS = 3000;
const MAX_EVENTS = 20_000;
/** So many are read in each call, however slow the machine is. */
const MIN_EVENTS = 100;
/** A hook that has just made its file has written its header by then. */
const BEGINNING_MS = 2;
/** After a save that failed, or was another's turn. */
const SAVE_AGAIN_MS = 5_000;
/** How often another's save, or a file that changed, may come between before an older answer has to do. */
const MAX_TRIES = 3;

/** Takes events from the spool into memory, each exactly once. */
export function createIntake(options: IntakeOptions) {
  const { folder, spool, now, uid, leastToSave, lock, report } = options;
  const file = createMemoryFile(`${folder}.json`, uid);
  const memories = createMemories();
  const taker = createEventTaker(options, memories);
  /** Files that `memories` holds and that are still there, with their mtimes. */
  let folded = new Map<string, bigint>();
  let listed: ReadonlyMap<string, ListedFile> = new Map();
  /** Files that cannot be taken, as they were then. */
  const unfinished = new Map<string, Unfinished>();
  const foreign = new Map<string, ListedFile>();
  /** The save that `memories` is built on, empty for none; null as long as it could not be read. */
  let basis: string | null = null;
  /** That save holds everything in `folded`. */
  let isSaved = false;
  let answer: readonly HookMemory[] = [];
  /** The next call has work even when the folder has not changed. */
  let hasMore = false;
  /** Events that are there and not in `memories`. */
  let waiting = 0;
  /** Why `memories` is not what it should be. */
  let doubt: string | null = null;
  let triedToSaveAt = Number.NEGATIVE_INFINITY;

  return {
    /** True when what is remembered has changed. */
    takeIn(isChanged: boolean): boolean {
      const mustSave = folded.size >= leastToSave && elapsedMs() - triedToSaveAt > SAVE_AGAIN_MS;
      const isUnsettled = hasMore || doubt !== null || (folded.size > 0 && mustSave);
      if (!isChanged && !isUnsettled) return false;
      doubt = null;
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        if (!takeInOnce()) continue;
        const before = answer;
        answer = memories.all();
        return answer !== before;
      }
      doubt = 'other commands kept saving what hooks told: this answer is an older one';
      putOff(doubt);
      return false;
    },
    /** Newest first. */
    memories: () => answer,
    /** What is not in them. */
    unheard: () =>
      unheardIn({ doubt, waiting, unfinished: [...unfinished.values()], lostAt: memories.lostAt() }),
    dropped: taker.dropped,
  };

  /** False when another command saved meanwhile: what it took in may be in `memories` twice, or not at all. */
  function takeInOnce(): boolean {
    let held = spool.hasAtLeast(Math.max(1, leastToSave)) ? tryLock() : null;
    try {
      // Listed after the save is known: what that holds is then there unchanged, or gone for good.
      if (!loadBasis(held !== null)) {
        held ??= tryLock();
        loadBasis(held !== null);
      }
      const temporary = foldAll();
      memories.forget(now());
      if (held === null) return basis === null || basis === file.id();
      for (const each of temporary.filter(isLeftBehind)) if (remove(each.name)) taker.giveUp(each, 'nobody');
      if (basis !== null && (folded.size > 0 || !isSaved)) save();
      return true;
    } finally {
      if (held !== null) closeSync(held);
    }
  }

  function foldAll(): readonly ListedFile[] {
    for (let tries = 1; ; tries += 1) {
      for (const name of unfinished.keys()) spool.lookAgainAt(name);
      const { files, temporary, total, isComplete } = spool.list(elapsedMs() + MAX_LISTING_MS);
      if (!isComplete) {
        wait(Math.max(1, total - folded.size - foreign.size));
        return temporary;
      }
      const isInOrder = fold(files, total, elapsedMs() + MAX_MS);
      if (!isInOrder) wait(Math.max(1, waiting));
      const isSettled = isInOrder && ![...unfinished.values()].some(isBeginning);
      if (isSettled || tries === MAX_TRIES) return temporary;
      if (isInOrder) pause(BEGINNING_MS);
    }
  }

  function tryLock(): number | null {
    triedToSaveAt = elapsedMs();
    return lock();
  }

  /** Starts again from the last save, unless `memories` is built on it. False: there is no readable save. */
  function loadBasis(isLocked: boolean): boolean {
    if (basis !== null && basis === file.id()) return true;
    const loaded = file.load();
    const saved = loaded.state === 'loaded' ? loaded : NOTHING_SAVED;
    folded = new Map(saved.taken);
    memories.replaceAll(saved.memories, saved.lostAt);
    basis = saved.id;
    isSaved = true;
    doubt = null;
    if (loaded.state === 'loaded' || loaded.state === 'absent') return true;
    report(`${folder}.json: ${loaded.text}`);
    if (loaded.state === 'damaged' && isLocked && tried('', file.putAside)) {
      memories.lose(now(), null);
      isSaved = false;
      return true;
    }
    basis = null;
    doubt = 'what hooks told before cannot be read';
    return false;
  }

  /** Takes in what is new, in order, as far as the time allows. False when the order turned out to be another one. */
  function fold(files: readonly ListedFile[], total: number, deadline: number): boolean {
    listed = new Map(files.map((each) => [each.name, each]));
    for (const name of folded.keys()) if (!listed.has(name)) folded.delete(name);
    for (const not of [unfinished, foreign]) {
      for (const [name, then] of not) if (!isSame(listed.get(name), then)) not.delete(name);
    }
    for (const each of unfinished.values()) waitFor(each);
    const fresh = files.filter(
      ({ name, modifiedNs }) =>
        folded.get(name) !== modifiedNs && !unfinished.has(name) && !foreign.has(name),
    );
    let [count, unread, isInOrder] = [0, 0, true];
    while (isInOrder && count - unread < MAX_EVENTS && count < fresh.length) {
      if (count >= MIN_EVENTS && elapsedMs() > deadline) break;
      const state = take(fresh[count] as ListedFile);
      isInOrder = state !== 'changed';
      if (state === 'later') unread += 1;
      count += 1;
    }
    hasMore = [...unfinished.values()].some(isStillAsked);
    wait(total - files.length + fresh.length - count + unread);
    return isInOrder;
  }

  function wait(count: number): void {
    waiting = count;
    if (count > 0) putOff(waitingText(count));
  }

  function putOff(text: string): void {
    hasMore = true;
    report(text);
  }

  function take(each: ListedFile): Taking['state'] {
    const taking = taker.take(each);
    const { state } = taking;
    if (state === 'taken') note(each);
    if (taking.state === 'unfinished') waitFor({ ...each, of: taking.of });
    if (state === 'foreign') foreign.set(each.name, each);
    if (state === 'changed') spool.lookAgainAt(each.name);
    if (state !== 'later' || !isLeftBehind(each)) return state;
    giveUp(each, 'somebody');
    return 'taken';
  }

  function waitFor(each: Unfinished): void {
    if (isGivenUp(each)) giveUp(each, each.of);
    else unfinished.set(each.name, each);
  }

  function giveUp(each: ListedFile, of: UnfinishedOf): void {
    taker.giveUp(each, of);
    unfinished.delete(each.name);
    note(each);
  }

  function note({ name, modifiedNs }: ListedFile): void {
    folded.set(name, modifiedNs);
    isSaved = false;
  }

  // Saved first, removed afterwards: who dies in between leaves files that the save is known to hold.
  function save(): void {
    const write = () => {
      basis = file.save(folded, memories.all(), memories.lostAt());
    };
    isSaved ||= tried('what hooks told is not saved: ', write);
    if (!isSaved) return;
    const deadline = elapsedMs() + MAX_MS;
    for (const [name, at] of folded) {
      hasMore ||= elapsedMs() > deadline;
      if (elapsedMs() > deadline) break;
      // Under the same name there may be another one by now.
      if (listed.get(name)?.modifiedNs === at && remove(name)) folded.delete(name);
    }
  }

  function remove(name: string): boolean {
    return tried("a file of the hooks' spool was not removed: ", () => spool.remove(name));
  }

  /** False where it failed, which is reported. */
  function tried(what: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      report(`${what}${(error as Error).message}`);
      return false;
    }
  }
}
