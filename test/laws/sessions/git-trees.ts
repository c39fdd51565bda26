import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Makes one work tree of each kind below a folder, once for all batches: they copy it. */
export const MAKE_TREES = `
git() { command git -c user.name=t -c user.email=t@t -c init.templateDir= -c gc.auto=0 "$@"; }
git init -q --bare remote
for kind in clean changed untracked unpushed stashed; do
  git init -q -b main $kind; cd $kind
  echo one > file; echo ignored > .gitignore; git add .; git commit -q -m first
  git remote add origin ../remote; git push -q -u origin main:$kind
  echo kept > ignored
  cd ..
done
git -C clean worktree add -q -b topic ../worktree
git -C worktree push -q -u origin topic
echo more >> changed/file
echo new > untracked/new; chmod 755 untracked/new
echo two > unpushed/file; git -C unpushed commit -q -a -m second
echo three > stashed/file; git -C stashed stash -q
mkdir none; echo plain > none/file
`;

/**
 * All that is below a folder: files with what they hold, folders, links, each with its rights and its time. Whoever makes a
 * file and removes it, as git does with a lock, changes the time of the folder.
 */
export function fingerprint(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(['.', ...names].map((name) => [name, printOf(join(folder, name))]));
}

function printOf(path: string): string {
  const stat = lstatSync(path);
  const content = stat.isFile()
    ? createHash('sha256').update(readFileSync(path)).digest('hex')
    : stat.isSymbolicLink()
      ? readlinkSync(path)
      : 'folder';
  return `${stat.mode} ${stat.mtimeMs} ${content}`;
}

/** Names of what is not the same in both. */
export function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
