import type { HookMemory } from '../../core/agent/hook-memory.ts';
import { createEventTaker, type Dropped } from './event-taker.ts';
import type { FileLock } from './lock-file.ts';
import { createMemories } from './memories.ts';
import { createMemoryFile } from './memory-file.ts';
import type { ListedFile } from './read-event.ts';
import type { SpoolFolder } from './spool-folder.ts';
import type { Translate } from './understand.ts';

export interface IntakeOptions {
  readonly folder: string;
  readonly spool: SpoolFolder;
  translate(agentKind: string): Translate | undefined;
  now(): number;
  readonly uid: number;
  readonly leastToSave: number;
  readonly lock: (path: string) => FileLock;
  report(text: string): void;
}

/** Takes events from the spool into memory, each exactly once. */
export interface Intake {
  /** True when what is remembered has changed. */
  takeIn(isChanged: boolean): boolean;
  /** Newest first. */
  memories(): readonly HookMemory[];
  dropped(): Dropped;
}

/** Of one call, for each of listing, reading and removing: a spool that nobody read for weeks must not stop a look. */
const MAX_MS = 500;
const MAX_EVENTS = 20_000;
/** However slow the machine is. */
const MIN_EVENTS = 100;
/** So long a file is asked whether its hook has finished it; then only when others come. */
const FINISHED_WITHIN_MS = 60_000;
const LEFT_BEHIND_MS = 60 * 60 * 1000;
/** After a save that failed, or was another's turn. */
const SAVE_AGAIN_MS = 5_000;
/** How often another's save, or a file that changed, may come between before an older answer has to do. */
const MAX_TRIES = 3;

export function createIntake({
  folder,
  spool,
  now,
  uid,
  leastToSave,
  lock,
  report,
  translate,
}: IntakeOptions): Intake {
  const file = createMemoryFile(`${folder}.json`, uid);
  const memories = createMemories();
  const taker = createEventTaker({ folder, uid, memories, translate, report });
  /** Files that `memories` holds and that are still there, with their mtimes. */
  let folded = new Map<string, bigint>();
  let listed: ReadonlyMap<string, ListedFile> = new Map();
  /** Files that cannot be taken, as they were then. */
  const unfinished = new Map<string, ListedFile>();
  const foreign = new Map<string, ListedFile>();
  /** The save that `memories` is built on, empty for none; null as long as it could not be read. */
  let basis: string | null = null;
  /** That save holds everything in `folded`. */
  let isSaved = false;
  let answer: readonly HookMemory[] = [];
  /** The next call has work even when the folder has not changed. */
  let hasMore = false;
  let triedToSaveAt = Number.NEGATIVE_INFINITY;

  return {
    takeIn(isChanged) {
      const mustSave = folded.size >= leastToSave && performance.now() - triedToSaveAt > SAVE_AGAIN_MS;
      if (!isChanged && !hasMore && !(folded.size > 0 && mustSave)) return false;
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        if (!takeInOnce()) continue;
        const before = answer;
        answer = memories.all();
        return answer !== before;
      }
      putOff('other commands kept saving what hooks told: this answer is an older one');
      return false;
    },
    memories: () => answer,
    dropped: taker.dropped,
  };

  /** False when another command saved meanwhile: what it took in may be in `memories` twice, or not at all. */
  function takeInOnce(): boolean {
    const held = spool.hasAtLeast(Math.max(1, leastToSave)) ? tryLock() : null;
    try {
      // Listed after the save is known: what that holds is then there unchanged, or gone for good.
      loadBasis(held !== null);
      const temporary = foldAll();
      memories.forget(now());
      if (held === null) return basis === null || basis === file.id();
      for (const each of [...temporary, ...unfinished.values()].filter(isLeftBehind)) {
        if (remove(each.name)) taker.giveUp();
      }
      if (basis !== null && folded.size > 0) save();
      return true;
    } finally {
      held?.release();
    }
  }

  function foldAll(): readonly ListedFile[] {
    for (let tries = 1; ; tries += 1) {
      for (const name of unfinished.keys()) spool.lookAgainAt(name);
      const { files, temporary, isComplete } = spool.list(performance.now() + MAX_MS);
      if (!isComplete) putOff('many hook events still wait to be read');
      if (!isComplete || fold(files, performance.now() + MAX_MS)) return temporary;
      hasMore = true;
      if (tries === MAX_TRIES) return temporary;
    }
  }

  function tryLock() {
    triedToSaveAt = performance.now();
    const asked = lock(`${folder}.lock`);
    if (asked.state === 'failed') report(`what hooks told is not saved: no lock: ${asked.text}`);
    return asked.state === 'held' ? asked : null;
  }

  /** Begins anew from the last save, unless it is the one that `memories` is built on. */
  function loadBasis(isLocked: boolean): void {
    if (basis !== null && basis === file.id()) return;
    const loaded = file.load();
    const isLoaded = loaded.state === 'loaded';
    folded = new Map(isLoaded ? loaded.taken : []);
    memories.replaceAll(isLoaded ? loaded.memories : []);
    basis = isLoaded ? loaded.id : '';
    isSaved = isLoaded;
    if (isLoaded || loaded.state === 'absent') return;
    report(`${folder}.json: ${loaded.text}`);
    if (loaded.state === 'failed' || !isLocked || !putAside()) basis = null;
  }

  function putAside(): boolean {
    try {
      file.putAside();
      return true;
    } catch (error) {
      report((error as Error).message);
      return false;
    }
  }

  /** Takes in what is new, in order, as far as the time allows. False when the order turned out to be another one. */
  function fold(files: readonly ListedFile[], deadline: number): boolean {
    listed = new Map(files.map((each) => [each.name, each]));
    for (const name of folded.keys()) if (!listed.has(name)) folded.delete(name);
    for (const not of [unfinished, foreign]) {
      for (const [name, then] of not) if (!isSame(listed.get(name), then)) not.delete(name);
    }
    const fresh = files.filter(
      ({ name, modifiedNs }) =>
        folded.get(name) !== modifiedNs && !unfinished.has(name) && !foreign.has(name),
    );
    let [count, isInOrder] = [0, true];
    while (isInOrder && count < Math.min(fresh.length, MAX_EVENTS)) {
      if (count >= MIN_EVENTS && performance.now() > deadline) break;
      isInOrder = take(fresh[count] as ListedFile);
      count += 1;
    }
    hasMore = [...unfinished.values()].some(isYoung);
    if (isInOrder && count < fresh.length) {
      putOff(`${fresh.length - count} hook events still wait to be read`);
    }
    return isInOrder;
  }

  function putOff(text: string): void {
    hasMore = true;
    report(text);
  }

  function take(each: ListedFile): boolean {
    const result = taker.take(each);
    if (result === 'taken') {
      folded.set(each.name, each.modifiedNs);
      isSaved = false;
    }
    if (result === 'unfinished') unfinished.set(each.name, each);
    if (result === 'foreign') foreign.set(each.name, each);
    if (result === 'changed') spool.lookAgainAt(each.name);
    return result !== 'changed';
  }

  // Saved first, removed afterwards: who dies in between leaves files that the save is known to hold.
  function save(): void {
    if (!isSaved) {
      try {
        basis = file.save(folded, memories.all());
        isSaved = true;
      } catch (error) {
        report(`what hooks told is not saved: ${(error as Error).message}`);
        return;
      }
    }
    const deadline = performance.now() + MAX_MS;
    for (const [name, at] of folded) {
      hasMore ||= performance.now() > deadline;
      if (performance.now() > deadline) break;
      // Under the same name there may be another one by now.
      if (listed.get(name)?.modifiedNs === at && remove(name)) folded.delete(name);
    }
  }

  function remove(name: string): boolean {
    try {
      spool.remove(name);
      return true;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') report(`a file of the hooks' spool was not removed: ${message}`);
      return code === 'ENOENT';
    }
  }
}

function isSame(a: ListedFile | undefined, b: ListedFile): boolean {
  return a?.modifiedNs === b.modifiedNs && a.size === b.size;
}

function ageMs({ modifiedNs }: ListedFile): number {
  return Date.now() - Number(modifiedNs / 1_000_000n);
}

const isYoung = (file: ListedFile) => ageMs(file) < FINISHED_WITHIN_MS;
const isLeftBehind = (file: ListedFile) => ageMs(file) > LEFT_BEHIND_MS;
