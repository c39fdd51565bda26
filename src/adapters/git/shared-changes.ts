import { sha256 } from '../files/digest.ts';
import type { Git } from './open-git.ts';

export interface Commit {
  readonly oid: string;
  readonly parents: readonly string[];
}

interface Side {
  readonly head: string;
  /** Commits of HEAD that no main branch has. */
  readonly branch: readonly Commit[];
  readonly mains: readonly string[];
}

/** More commits than this on a branch are not compared: such a branch is no piece of work that was squashed. */
export const MAX_BRANCH_COMMITS = 500;
const MAX_MAIN_COMMITS = 500;
const MAX_PATCHES = 100;

/**
 * Whether the branch's changes are in a main branch under other commit ids, by one of three proofs: every file it
 * changed stood on main with exactly its content since they parted; one commit on main is its whole patch; or each of
 * its commits has a twin there. Undefined when git could not tell. Writes nothing, not even an object.
 */
export async function sharesAllChanges(git: Git, side: Side): Promise<boolean | undefined> {
  if (side.branch.length > MAX_BRANCH_COMMITS) return false;
  const landed = await linesOf(git, [
    ...['rev-list', '--no-merges', `--max-count=${MAX_MAIN_COMMITS}`, '--ignore-missing'],
    ...[...side.mains, '--not', side.head],
  ]);
  if (landed === undefined) return undefined;
  if (landed.length === 0) return false;
  const base = await partingPoint(git, side.branch);
  if (base === undefined) return undefined;
  if (base === null) return false;

  const isLinear = side.branch.every((commit) => commit.parents.length < 2);
  const single = isLinear ? side.branch.map((commit) => commit.oid) : [];
  // A second id on a line stands in for the parent, which makes the branch one change. git keeps that parent for the
  // rest of the run, so the line comes last.
  const whole = `${side.head} ${base}`;
  const changes = await changesOf(git, [...landed, ...single, whole]);
  if (changes === undefined) return undefined;
  const onMain = changes.slice(0, landed.length);
  const onBranch = changes.slice(landed.length, -1);
  const net = changes.at(-1) ?? new Map<string, string>();

  if (net.size === 0) return false;
  if (eachFileStood(net, onMain)) return true;
  return await hasTwins(git, { landed, onMain, single, onBranch, whole, net });
}

function eachFileStood(net: Changes, onMain: readonly Changes[]): boolean {
  return [...net].every(([path, result]) => onMain.some((changes) => changes.get(path) === result));
}

interface Compared {
  readonly landed: readonly string[];
  readonly onMain: readonly Changes[];
  readonly single: readonly string[];
  readonly onBranch: readonly Changes[];
  readonly whole: string;
  readonly net: Changes;
}

/** Patches are costly, so only commits that touch exactly the same files are compared. */
async function hasTwins(git: Git, compared: Compared): Promise<boolean | undefined> {
  const { landed, onMain, single, onBranch, whole, net } = compared;
  const wanted = new Set([pathsOf(net), ...onBranch.map(pathsOf)]);
  const candidates = landed.filter((_, index) => wanted.has(pathsOf(onMain[index] ?? new Map())));
  if (candidates.length === 0) return false;
  const filled = single.filter((_, index) => (onBranch[index]?.size ?? 0) > 0);
  const asked = [...candidates, ...filled, whole];
  if (asked.length > MAX_PATCHES) return undefined;
  const answer = await git([...DIFF_TREE, '-p', '--unified=3', '--full-index'], { stdin: stdin(asked) });
  if (answer.state === 'failed' || answer.isTruncated) return undefined;
  const patches = patchDigests(answer.stdout);
  if (patches.length !== asked.length) return undefined;
  const there = patches.slice(0, candidates.length);
  if (there.includes(patches.at(-1) ?? '')) return true;
  const own = patches.slice(candidates.length, -1);
  return own.length > 0 && own.every((patch) => takeOut(there, patch));
}

/** A commit on main is the twin of one commit only: the same line added twice must have landed twice. */
function takeOut(patches: string[], patch: string): boolean {
  const index = patches.indexOf(patch);
  if (index >= 0) patches.splice(index, 1);
  return index >= 0;
}

/** The one commit where branch and main parted; null when there is none, or more than one. */
async function partingPoint(git: Git, branch: readonly Commit[]): Promise<string | null | undefined> {
  const own = new Set(branch.map((commit) => commit.oid));
  const edges = [...new Set(branch.flatMap((commit) => commit.parents))].filter((oid) => !own.has(oid));
  if (edges.length < 2) return edges[0] ?? null;
  if (edges.length > 32) return null;
  const best = await linesOf(git, ['merge-base', '--independent', ...edges]);
  return best === undefined ? undefined : best.length === 1 ? (best[0] ?? null) : null;
}

/** Path → mode and content after the change. */
type Changes = ReadonlyMap<string, string>;

const DIFF_TREE = [
  ...['diff-tree', '--stdin', '--always', '-r', '--root', '--no-renames', '--no-color'],
  ...['--no-ext-diff', '--no-textconv', '--submodule=short', '--ignore-submodules=none'],
];

async function changesOf(git: Git, asked: readonly string[]): Promise<Changes[] | undefined> {
  const lines = await linesOf(git, [...DIFF_TREE, '--raw'], stdin(asked));
  if (lines === undefined) return undefined;
  const changes: Map<string, string>[] = [];
  for (const line of lines) {
    const match = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) \w\t(.*)$/.exec(line);
    if (match?.[3] === undefined) changes.push(new Map());
    else changes.at(-1)?.set(match[3], `${match[1]} ${match[2]}`);
  }
  return changes.length === asked.length ? changes : undefined;
}

/** The lines that git prints; undefined where it gives no whole answer. */
export async function linesOf(git: Git, args: readonly string[], text?: string) {
  const answer = await git(args, text === undefined ? {} : { stdin: text });
  if (answer.state === 'failed' || answer.isTruncated) return undefined;
  return answer.stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

function stdin(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function pathsOf(changes: Changes): string {
  return [...changes.keys()].sort().join('\n');
}

/**
 * One digest for each patch in the output of `diff-tree --stdin -p --full-index`, equal for the same change at another
 * place of the same files. Unlike `git patch-id` it minds white space and the content of binary files: a wrong "same"
 * would call work merged that is not.
 */
function patchDigests(output: Buffer): string[] {
  const patches: string[][] = [];
  let index = '';
  // One character for each byte: decoded as UTF-8, different bytes of another encoding would look the same.
  for (const line of output.toString('latin1').split('\n')) {
    if (/^[0-9a-f]{40,64}$/.test(line)) {
      patches.push([]);
    } else if (line.startsWith('index ')) {
      index = line;
    } else {
      // Contents of text files are in the patch itself; of binary files only these ids are.
      if (line.startsWith('Binary files ')) patches.at(-1)?.push(index);
      if (line !== '') patches.at(-1)?.push(line.startsWith('@@ ') ? '@@' : line);
    }
  }
  return patches.map((lines) => sha256(lines.join('\n')));
}
