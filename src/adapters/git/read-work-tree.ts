import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitSighting } from '../../core/sighting.ts';
import { visible } from '../../core/visible.ts';
import type { WorkTree } from './find-work-tree.ts';
import { type LocalConfig, readLocalConfig } from './local-config.ts';
import { type GitAccess, openGit } from './open-git.ts';
import { type History, readHistory } from './read-history.ts';
import { readStatus, type Status } from './read-status.ts';
import { isAbsence, readSmallFile } from './small-file.ts';
import { markWorkTree, type WorkTreeMarks } from './work-tree-marks.ts';

type WithoutCwd<T> = T extends unknown ? Omit<T, 'cwd'> : never;
/** What holds for every folder of one work tree. */
export type WorkTreeSighting = WithoutCwd<GitSighting>;

/** What an earlier look found, with the marks under which it stays true. */
export interface Recall {
  readonly marks: WorkTreeMarks;
  readonly sighting: WorkTreeSighting;
  readonly config: LocalConfig & { state: 'read' };
  readonly head?: string;
  readonly history?: History & { state: 'read' };
  readonly historyUntil: number;
}

/** Files change without a trace in git's own, so the count of dirty ones is believed only this long. */
const FILES_FRESH_MS = 2000;
/** A question that took too long is not asked again at once. */
const UNDECIDED_FRESH_MS = 60_000;
const MAX_RECALLS = 512;

export interface WorkTreeReaderOptions {
  readonly access: GitAccess;
  readonly now: () => number;
  readonly cache: Map<string, Recall>;
}

/** Makes the function that tells the facts of one work tree; it repeats only what may have changed since last time. */
export function createWorkTreeReader({ access, now, cache }: WorkTreeReaderOptions) {
  return async (workTree: WorkTree): Promise<WorkTreeSighting> => {
    const observedAt = now();
    const marks = await markWorkTree(workTree);
    const recall = marks === null ? undefined : cache.get(workTree.gitDir);
    const areRefsSame = recall !== undefined && recall.marks.refs === marks?.refs;
    if (areRefsSame && recall.marks.checkout === marks?.checkout) {
      const ageMs = observedAt - recall.sighting.observedAt;
      if (ageMs >= 0 && ageMs < FILES_FRESH_MS) return recall.sighting;
    }

    const config = areRefsSame
      ? recall.config
      : await readLocalConfig(workTree, openGit(access, workTree.root));
    if (config.state === 'failed') return { ...failed(config.text), observedAt };
    const answer = await readStatus(openGit(access, workTree.root, config.filters));
    if (answer.state === 'failed') return { ...(await statusFailed(workTree, answer.text)), observedAt };
    const { head } = answer.status;
    const isHistoryKnown =
      areRefsSame && recall.head === head && recall.history !== undefined && observedAt < recall.historyUntil;
    const history = isHistoryKnown
      ? recall.history
      : await historyOf(head, config, () => openGit(access, workTree.root, config.filters));
    if (history.state === 'failed') return { ...failed(history.text), observedAt };

    const stashes = answer.status.stashes ?? (await countStashes(workTree));
    const sighting = describe(workTree, observedAt, { config, status: answer.status, history, stashes });
    if (marks !== null) {
      const undecidedUntil = isHistoryKnown ? recall.historyUntil : observedAt + UNDECIDED_FRESH_MS;
      const historyUntil = history.isDecided ? Number.POSITIVE_INFINITY : undecidedUntil;
      const known = { marks, sighting, config, history, historyUntil };
      remember(cache, workTree.gitDir, head === undefined ? known : { ...known, head });
    }
    return sighting;
  };
}

async function historyOf(
  head: string | undefined,
  config: LocalConfig & { state: 'read' },
  open: () => ReturnType<typeof openGit>,
): Promise<History> {
  if (head !== undefined) return await readHistory(open(), head, config.remotes);
  // Before the first commit nothing is unpushed, and nothing is merged either.
  const count = config.remotes.length > 0 ? { unpushedCommits: 0 } : {};
  return { state: 'read', ...count, isMerged: false, isDecided: true };
}

interface Facts {
  readonly config: LocalConfig & { state: 'read' };
  readonly status: Status;
  readonly history: History & { state: 'read' };
  readonly stashes: number;
}

function describe(workTree: WorkTree, observedAt: number, facts: Facts): WorkTreeSighting {
  const { config, status, history, stashes } = facts;
  const { unpushedCommits } = history;
  return {
    state: 'repository',
    observedAt,
    root: workTree.root,
    isLinkedWorktree: workTree.isLinkedWorktree,
    ...(status.branch === undefined ? {} : { branch: visible(status.branch, 256) }),
    dirtyFiles: status.dirtyFiles,
    ...(unpushedCommits === undefined ? {} : { unpushedCommits }),
    hasRemote: config.remotes.length > 0,
    stashes,
    isMerged: history.isMerged,
  };
}

/** A bare repository named `.git` has no files to lose; one that was checked out once may have been made bare by accident. */
async function statusFailed(workTree: WorkTree, text: string) {
  if (!text.includes('must be run in a work tree')) return failed(text);
  try {
    await lstat(join(workTree.gitDir, 'index'));
    return failed(text);
  } catch (error) {
    return isAbsence(error) ? ({ state: 'none' } as const) : failed(text);
  }
}

/** git before 2.35 leaves the count out of its status; its log has one line for each stash. */
async function countStashes({ commonDir }: WorkTree): Promise<number> {
  try {
    const log = await readSmallFile(join(commonDir, 'logs/refs/stash'), 1024 * 1024);
    return log === null ? 0 : log.split('\n').length - 1;
  } catch {
    return 1;
  }
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
