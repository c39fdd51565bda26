import { realpath } from 'node:fs/promises';
import type { BelowSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { changedAt } from './changed-at.ts';
import { belowIn, describe, placesIn } from './describe-work-tree.ts';
import { type Walk, walkBare, walkIn, walkPlain } from './find-repositories.ts';
import type { WorkTree } from './find-work-tree.ts';
import { type GitAccess, openGit } from './open-git.ts';
import { readBare } from './read-bare.ts';
import {
  type BelowRound,
  MAX_REPOSITORIES,
  type RepositoryLook,
  readBelow,
  type WorkTreeSighting,
} from './read-below.ts';
import { type Own, readOwn } from './read-own.ts';
import { hindranceTo, type RepositoryConfig, readRepositoryConfig } from './repository-config.ts';
import { withSeal } from './seal.ts';
import { justNow } from './small-file.ts';
import { markWorkTree, type WorkTreeMarks } from './work-tree-marks.ts';

/** What an earlier look found, with the marks under which it stays true. */
export interface Recall {
  readonly marks: WorkTreeMarks;
  readonly look: RepositoryLook;
  readonly config: RepositoryConfig;
  readonly own: Own;
  readonly historyUntil: number;
  readonly walk: Walk;
  readonly walkedAt: number;
}

/** git does not notice when files change: so the count of dirty files is only believed this long. */
const FILES_FRESH_MS = 2000;
/** A question that took too long is not asked again at once. */
const UNDECIDED_FRESH_MS = 60_000;
/** New repositories in ignored folders are looked for this often; the known ones are looked at every time. */
const WALK_FRESH_MS = 60_000;
const MAX_RECALLS = 1024;

/** Makes the functions that tell the facts of a work tree or a plain folder; they repeat only what may have changed. */
export function createWorkTreeReader(access: GitAccess, now: () => number, cache: Map<string, Recall>) {
  const look = async (workTree: WorkTree, round: BelowRound): Promise<RepositoryLook> => {
    const observedAt = now();
    const key = `${workTree.root}\0${workTree.gitDir}`;
    const marks = await markWorkTree(workTree);
    const recall = marks === null ? undefined : cache.get(key);
    const isSame = (part: keyof WorkTreeMarks) =>
      recall !== undefined && recall.marks[part] === marks?.[part];
    if (!round.isFresh && recall && isSame('refs') && isSame('checkout') && isSame('branches')) {
      const ageMs = observedAt - recall.look.sighting.observedAt;
      if (ageMs >= 0 && ageMs < FILES_FRESH_MS) return recall.look;
    }
    const unseen = (text: string) => ({ sighting: { ...failed(text), observedAt }, changedAt: observedAt });

    const config =
      recall && isSame('refs')
        ? recall.config
        : await readRepositoryConfig(workTree, openGit(access, workTree.root));
    if (config.state === 'failed') return unseen(config.text);
    const hindrance = await hindranceTo(workTree, config);
    if (hindrance?.state === 'none') {
      const bare = await readBare(access, workTree, config, observedAt);
      const sighting = await within(workTree.root, await walkBare(workTree), round, bare);
      return { sighting: { ...sighting, observedAt }, changedAt: observedAt };
    }
    if (hindrance) return unseen(hindrance.text);

    const isBelow = round.depth > 0;
    const isHistoryFresh = recall !== undefined && isSame('refs') && observedAt < recall.historyUntil;
    const holding = recall && {
      ...(recall.own.status.head !== undefined && { head: recall.own.status.head }),
      ...(isHistoryFresh && { history: recall.own.history }),
      ...(isHistoryFresh && isSame('branches') && { branches: recall.own.branches }),
      ...(isSame('checkout') && { submodules: recall.own.submodules }),
    };
    const asked = { workTree, config, holding: holding ?? {}, now: observedAt };
    const own = await withSeal(workTree, config, (seal) => {
      const open = () => openGit(access, workTree.root, seal);
      return readOwn({ ...asked, open, untracked: isBelow ? 'all' : 'normal' });
    });
    if (own.state === 'failed') return unseen(own.text);

    const isWalkFresh =
      !round.isFresh && recall !== undefined && Math.abs(observedAt - recall.walkedAt) < WALK_FRESH_MS;
    const walk = isWalkFresh ? recall.walk : await walkIn(workTree.root, own.status);
    const below = await readBelow(workTree.root, placesIn(workTree.root, own.submodules, walk), round, look);
    if (below.state === 'failed') return unseen(below.text);

    const seen = {
      sighting: describe(workTree, { observedAt, config, own, below, walk }),
      changedAt: isBelow ? await lastDoneIn(workTree, own, observedAt) : observedAt,
    };
    if (marks !== null) {
      const undecidedUntil = isHistoryFresh ? recall.historyUntil : observedAt + UNDECIDED_FRESH_MS;
      const historyUntil = own.isDecided ? Number.POSITIVE_INFINITY : undecidedUntil;
      const walkedAt = isWalkFresh ? recall.walkedAt : observedAt;
      remember(cache, key, { marks, look: seen, config, own, walk, historyUntil, walkedAt });
    }
    return seen;
  };

  /** What lies in a folder that is no work tree itself. */
  const within = async (top: string, walk: Walk, round: BelowRound, own: readonly BelowSighting[] = []) => {
    const below = await readBelow(top, placesIn(top, [], walk), round, look);
    if (below.state === 'failed') return below;
    const unsaved = [...own, ...below.facts.unsaved];
    return { state: 'none', ...belowIn({ ...below, facts: { ...below.facts, unsaved } }, walk) } as const;
  };

  const begin = (isFresh: boolean): BelowRound => {
    const deadline = performance.now() + 2 * access.timeoutMs;
    return { now: now(), deadline, allowance: { left: MAX_REPOSITORIES }, depth: 0, isFresh };
  };
  return {
    workTree: async (workTree: WorkTree, isFresh: boolean): Promise<WorkTreeSighting> => {
      try {
        return (await look(workTree, begin(isFresh))).sighting;
      } catch (error) {
        return { ...failed(`git cannot be asked: ${(error as Error).message}`), observedAt: now() };
      }
    },
    /** A folder in no repository: only what lies below it. */
    folder: async (folder: string, isFresh: boolean): Promise<WorkTreeSighting> => {
      const observedAt = now();
      try {
        const top = await realpath(folder);
        return { ...(await within(top, await walkPlain(top), begin(isFresh))), observedAt };
      } catch (error) {
        return { ...failed(`${folder} cannot be looked into: ${(error as Error).message}`), observedAt };
      }
    },
  };
}

/** An operation can begin without a change to HEAD or to a file. Files whose names cannot be told have changed just now. */
async function lastDoneIn(workTree: WorkTree, { status, underway }: Own, now: number): Promise<number> {
  if (!status.isExact) return justNow(now);
  return Math.max(await changedAt(workTree, status, now), underway?.changedAt ?? 0);
}

function remember(cache: Map<string, Recall>, key: string, recall: Recall): void {
  cache.delete(key);
  cache.set(key, recall);
  const oldest = cache.keys().next();
  if (cache.size > MAX_RECALLS && !oldest.done) cache.delete(oldest.value);
}

function failed(text: string) {
  return { state: 'failed', text: visible(text, 400) } as const;
}
