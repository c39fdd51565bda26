import type { Git } from './open-git.ts';

/** What one `git status` tells. */
export interface Status {
  /** Commit that HEAD names; absent before the first commit. */
  readonly head?: string;
  /** Absent on a detached HEAD. */
  readonly branch?: string;
  /** At least this many, where the output had to be cut; an untracked folder counts once. */
  readonly dirtyFiles: number;
  /** Absent when there are none, and from git before 2.35. */
  readonly stashes?: number;
}

export type StatusAnswer =
  | { readonly state: 'read'; readonly status: Status }
  | { readonly state: 'failed'; readonly text: string };

// Everything that config could hide is asked for by name; renames and ahead/behind cost time and tell nothing here.
const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--show-stash', '--no-ahead-behind', '--no-renames'],
  ...['--untracked-files=normal', '--ignore-submodules=none'],
];

/** Runs `git status` without taking or refreshing the index. */
export async function readStatus(git: Git): Promise<StatusAnswer> {
  const answer = await git(STATUS, { maxBytes: 1024 * 1024 });
  if (answer.state === 'failed') return answer;
  return { state: 'read', status: parseStatus(answer.stdout.toString('utf8')) };
}

/** Reads porcelain v2 with NUL ends: headers first, then one record for each file. */
function parseStatus(output: string): Status {
  const records = output.split('\0').filter((record) => record !== '');
  const headers = new Map<string, string>();
  for (const record of records) {
    const match = /^# (\S+) (.*)$/s.exec(record);
    if (match?.[1] !== undefined) headers.set(match[1], match[2] ?? '');
  }
  const head = headers.get('branch.oid');
  const branch = headers.get('branch.head');
  const stashes = headers.get('stash');
  return {
    ...(head === undefined || head === '(initial)' ? {} : { head }),
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    dirtyFiles: records.filter((record) => /^[12u?] /.test(record)).length,
    ...(stashes === undefined ? {} : { stashes: Number(stashes) }),
  };
}
