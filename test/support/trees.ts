import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with its rights and what it holds. */
export function digestsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  const of = (path: string) =>
    `${statSync(path).mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  return Object.fromEntries(files.map((name) => [name, of(join(folder, name))]));
}

/** A repository with everything that git does not have: changed, ignored and untracked files. */
export function repositoryIn(folder: string): string {
  const main = cleanIn(folder);
  litter(main);
  return main;
}

/** The same in a worktree on a branch of its own. */
export function worktreeIn(folder: string): { readonly main: string; readonly worktree: string } {
  const [main, worktree] = [cleanIn(folder), join(folder, 'topic')];
  git(main, 'worktree', 'add', '-q', '-b', 'topic', worktree);
  litter(worktree);
  return { main, worktree };
}

function cleanIn(folder: string): string {
  const main = join(folder, 'main');
  mkdirSync(main);
  git(main, 'init', '-q', '-b', 'main');
  writeFileSync(join(main, 'file'), 'committed\n');
  writeFileSync(join(main, '.gitignore'), 'ignored\n');
  git(main, 'add', '.');
  git(main, 'commit', '-q', '-m', 'first');
  return main;
}

function litter(tree: string): void {
  writeFileSync(join(tree, 'file'), 'not committed\n');
  writeFileSync(join(tree, 'ignored'), 'ignored\n');
  writeFileSync(join(tree, 'untracked'), 'untracked\n', { mode: 0o755 });
}

function git(cwd: string, ...argv: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...argv], { cwd });
}
