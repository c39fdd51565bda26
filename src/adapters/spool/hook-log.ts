import { existsSync } from 'node:fs';
import type { HookMemory } from '../../core/agent/hook-memory.ts';
import { visible } from '../../core/text/visible.ts';
import type { HookLog, UnheardHooks } from '../../ports/hook-log.ts';
import { takeLockFile } from '../files/lock-file.ts';
import type { Dropped, EventTakerOptions } from './event-taker.ts';
import { createIntake } from './intake.ts';
import { isForgotten } from './memories.ts';
import { createSpoolFolder } from './spool-folder.ts';

/** What was taken in is kept beside the spool, in `<folder>.json` and under the lock `<folder>.lock`. */
export interface HookLogOptions extends Pick<EventTakerOptions, 'folder' | 'translate' | 'now'> {
  readonly uid?: number;
  /** With fewer files than this nothing is saved or removed: reading them again costs a command less than saving. */
  readonly leastToSave?: number;
  readonly lock?: typeof takeLockFile;
}

/** A hook log that also tells how many events it dropped since it was made. */
export interface SpoolHookLog extends HookLog {
  dropped(): Dropped;
}

const NO_MEMORIES: readonly HookMemory[] = [];
const MAX_PROBLEM_LENGTH = 600;

/**
 * The hook log of a spool folder. Every process reads what is there; the one that gets the lock also saves it and
 * removes the files. Nobody waits for anybody.
 */
export function createHookLog(options: HookLogOptions): SpoolHookLog {
  const { folder, translate, now, uid = process.getuid?.() ?? 0 } = options;
  const { leastToSave = 1, lock = takeLockFile } = options;
  const problems = new Set<string>();
  const report = (text: string) => problems.add(visible(text, MAX_PROBLEM_LENGTH));
  const spool = createSpoolFolder(folder, uid);
  const tryLock = () => {
    try {
      return lock(`${folder}.lock`);
    } catch (error) {
      const [line] = (error as Error).message.split('\n', 1);
      report(`what hooks told is not saved: no lock: ${line}`);
      return null;
    }
  };
  const intake = createIntake({ folder, spool, translate, now, uid, leastToSave, lock: tryLock, report });
  /** Why the spool cannot be read at all. */
  let blindness: UnheardHooks['text'] | null = null;
  const answers = new Map<string, readonly HookMemory[]>();

  return {
    about(agentKind) {
      if (!isReadable()) return NO_MEMORIES;
      const answer =
        answers.get(agentKind) ?? intake.memories().filter((each) => each.agentKind === agentKind);
      const fresh = withoutForgotten(answer, now());
      answers.set(agentKind, fresh);
      return fresh;
    },
    unheard: () => (blindness === null ? intake.unheard() : [{ text: blindness, of: 'anyone' }]),
    problem() {
      const text = [...problems].join('; ');
      problems.clear();
      return text === '' ? null : visible(text, MAX_PROBLEM_LENGTH);
    },
    dropped: intake.dropped,
  };

  // Without a spool nothing new is heard, and what was heard before proves nothing any more.
  function isReadable(): boolean {
    blindness = null;
    try {
      const found = spool.look();
      if (found.state === 'refused') blindness = `the hooks' spool is not read: ${found.text}`;
      // Hooks that were heard before leave nothing where there is no folder.
      if (found.state === 'absent' && existsSync(`${folder}.json`))
        blindness = `the hooks' spool is gone: ${folder}`;
      if (found.state === 'ready' && intake.takeIn(found.isChanged)) answers.clear();
      if (blindness !== null) report(blindness);
      return found.state === 'ready';
    } catch (error) {
      blindness = visible(`the hooks' spool was not read: ${(error as Error).message}`, MAX_PROBLEM_LENGTH);
      report(blindness);
      return false;
    }
  }
}

/** The oldest come last, but what tells of work is kept for longer. */
function withoutForgotten(newestFirst: readonly HookMemory[], now: number): readonly HookMemory[] {
  const left = newestFirst.filter((memory) => !isForgotten(memory, now));
  return left.length === newestFirst.length ? newestFirst : left;
}
