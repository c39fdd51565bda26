import type { HookMemory } from '../../core/agent/hook-memory.ts';
import { visible } from '../../core/visible.ts';
import type { HookLog } from '../../ports/hook-log.ts';
import type { Dropped } from './event-taker.ts';
import { createIntake } from './intake.ts';
import { type FileLock, tryLockFile } from './lock-file.ts';
import { KEPT_MS } from './memories.ts';
import { createSpoolFolder } from './spool-folder.ts';
import type { Translate } from './understand.ts';

export interface HookLogOptions {
  /** The spool; what was taken in is kept beside it, in `<folder>.json` and under the lock `<folder>.lock`. */
  readonly folder: string;
  /** The translation of one kind of agent; undefined for one that is not known. */
  translate(agentKind: string): Translate | undefined;
  now(): number;
  readonly uid?: number;
  /** With fewer files than this nothing is saved or removed: reading them again costs a command less than saving. */
  readonly leastToSave?: number;
  readonly lock?: (path: string) => FileLock;
}

/** A hook log that also tells how many events it dropped since it was made. */
export interface SpoolHookLog extends HookLog {
  dropped(): Dropped;
}

const NO_MEMORIES: readonly HookMemory[] = [];
const MAX_PROBLEM_LENGTH = 600;

/**
 * The hook log of a spool folder. Every process that looks takes in what it sees; the one that gets the lock also saves
 * it and removes the files, the others only answer. Nobody waits for anybody.
 */
export function createHookLog({
  folder,
  translate,
  now,
  uid = process.getuid?.() ?? 0,
  leastToSave = 1,
  lock = tryLockFile,
}: HookLogOptions): SpoolHookLog {
  const problems = new Set<string>();
  const report = (text: string) => problems.add(visible(text, MAX_PROBLEM_LENGTH));
  const spool = createSpoolFolder(folder, uid);
  const intake = createIntake({ folder, spool, translate, now, uid, leastToSave, lock, report });
  const answers = new Map<string, readonly HookMemory[]>();

  return {
    about(agentKind) {
      if (!isReadable()) return NO_MEMORIES;
      const answer =
        answers.get(agentKind) ?? intake.memories().filter((each) => each.agentKind === agentKind);
      const fresh = withoutForgotten(answer, now() - KEPT_MS);
      answers.set(agentKind, fresh);
      return fresh;
    },
    problem() {
      const text = [...problems].join('; ');
      problems.clear();
      return text === '' ? null : visible(text, MAX_PROBLEM_LENGTH);
    },
    dropped: intake.dropped,
  };

  // Without a spool nothing new is heard, and what was heard before proves nothing any more.
  function isReadable(): boolean {
    try {
      const found = spool.look();
      if (found.state === 'refused') report(`the hooks' spool is not read: ${found.text}`);
      if (found.state !== 'ready') return false;
      if (intake.takeIn(found.isChanged)) answers.clear();
      return true;
    } catch (error) {
      report(`the hooks' spool was not read: ${(error as Error).message}`);
      return false;
    }
  }
}

/** The oldest come last. */
function withoutForgotten(newestFirst: readonly HookMemory[], since: number): readonly HookMemory[] {
  let length = newestFirst.length;
  while (length > 0 && (newestFirst[length - 1]?.last.at ?? 0) < since) length -= 1;
  return length === newestFirst.length ? newestFirst : newestFirst.slice(0, length);
}
