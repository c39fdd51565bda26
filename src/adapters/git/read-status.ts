import { type BytePath, textOf } from './byte-path.ts';
import type { Git } from './open-git.ts';

/** What one `git status` tells. */
export interface WorkTreeStatus {
  /** Commit that HEAD names; absent before the first commit. */
  readonly head?: string;
  /** Absent on a detached HEAD. */
  readonly branch?: string;
  /** Changed, staged, conflicted and untracked paths; an untracked folder is one path, unless every file was asked for. */
  readonly dirty: readonly string[];
  /** False where one of these names is not UTF-8, and so does not name the file. */
  readonly isExact: boolean;
  /** The index holds something that HEAD does not, or the other way round. */
  readonly hasStaged: boolean;
  /** Untracked and ignored folders, as paths that end with a slash. */
  readonly folders: readonly BytePath[];
  /** The output had to be cut: there is at least this much. */
  readonly isCut: boolean;
  /** Absent when there are none, and from git before 2.35. */
  readonly stashes?: number;
}

// Everything that config could hide is asked for by name; renames and ahead/behind cost time and tell nothing here. git
// must not go into submodules: it would run `git status` there, and with it what the submodule's config names.
const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--show-stash', '--no-ahead-behind', '--no-renames'],
  ...['--ignore-submodules=dirty', '--ignored=matching'],
];

/** Runs `git status` without taking or refreshing the index, and without a look into submodules. */
export async function readStatus(git: Git, untracked: 'normal' | 'all' = 'normal') {
  const answer = await git([...STATUS, `--untracked-files=${untracked}`], { maxBytes: 1024 * 1024 });
  if (answer.state === 'failed') return answer;
  const status = parseStatus(answer.stdout.toString('latin1'), answer.isTruncated);
  return status === null
    ? ({ state: 'failed', text: 'git tells the status in a way that is not understood' } as const)
    : ({ state: 'read', status } as const);
}

/**
 * Reads porcelain v2 with NUL ends, one character for each byte: headers first, then one record for each file. Null where a
 * record is of another kind: it may be the one that tells of work.
 */
function parseStatus(output: string, isCut: boolean): WorkTreeStatus | null {
  const records = output.split('\0').filter((record) => record !== '');
  // The last one of an output that was cut is there in part.
  const whole = isCut ? records.slice(0, -1) : records;
  if (!whole.every((record) => /^[#12u?!] ./s.test(record)) || !(isCut || output.endsWith('\0'))) return null;
  const headers = new Map<string, string>();
  for (const record of records) {
    const match = /^# (\S+) (.*)$/s.exec(record);
    if (match?.[1] !== undefined) headers.set(match[1], match[2] ?? '');
  }
  const head = headers.get('branch.oid');
  const branch = headers.get('branch.head');
  const stashes = headers.get('stash');
  // git always tells the first.
  if (head === undefined || (stashes !== undefined && !/^\d{1,9}$/.test(stashes))) return null;
  const changed = records.filter((record) => /^[12u?] /.test(record));
  const dirty = changed.map((record) => textOf(pathIn(record) ?? ''));
  return {
    ...(head === '(initial)' ? {} : { head }),
    ...(branch === undefined || branch === '(detached)' ? {} : { branch: textOf(branch).text }),
    dirty: dirty.map(({ text }) => text),
    isExact: dirty.every(({ isExact }) => isExact),
    hasStaged: records.some((record) => /^(?:u |[12] [^.])/.test(record)),
    folders: records.filter((record) => /^[?!] .*\/$/s.test(record)).map((record) => record.slice(2)),
    isCut,
    ...(stashes === undefined ? {} : { stashes: Number(stashes) }),
  };
}

/** The path of a record; null where it is none. Renames were asked not to be told. */
export function pathIn(record: string): string | null {
  // Fields before the path of what is changed, unmerged and untracked.
  const fields = { '1': 8, u: 10, '?': 1 }[record[0] ?? ''];
  if (fields === undefined) return null;
  let at = 0;
  for (let field = 0; field < fields; field += 1) {
    at = record.indexOf(' ', at) + 1;
    if (at === 0) return null;
  }
  return record.slice(at);
}
