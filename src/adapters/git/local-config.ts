import { join } from 'node:path';
import type { WorkTree } from './find-work-tree.ts';
import type { Git } from './open-git.ts';
import { readSmallFile } from './small-file.ts';

/** What the repository's own config (not the user's) says that matters here. */
export type LocalConfig =
  | { readonly state: 'read'; readonly remotes: readonly string[]; readonly filters: readonly string[] }
  | { readonly state: 'failed'; readonly text: string };

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Reads it without a fork where it is plain; git is asked once where filters, includes or old spellings occur. */
export async function readLocalConfig(workTree: WorkTree, git: Git): Promise<LocalConfig> {
  try {
    const shared = await readSmallFile(join(workTree.commonDir, 'config'), MAX_CONFIG_BYTES);
    const own = await readSmallFile(join(workTree.gitDir, 'config.worktree'), MAX_CONFIG_BYTES);
    const remotes = plainRemotes(`${shared ?? ''}\n${own ?? ''}`);
    return remotes === null ? await askGit(git) : { state: 'read', remotes, filters: [] };
  } catch (error) {
    return { state: 'failed', text: `the config cannot be read: ${(error as Error).message}` };
  }
}

/** Null when the text needs git's own parser. */
function plainRemotes(text: string): string[] | null {
  if (/filter|include/i.test(text)) return null;
  const remotes = [...text.matchAll(/^[ \t]*\[remote "([^"\\\n]*)"\]/gim)].map((match) => match[1] ?? '');
  const mentions = text.match(/\[\s*remote[\s.]/gi)?.length ?? 0;
  return mentions === remotes.length ? [...new Set(remotes)] : null;
}

async function askGit(git: Git): Promise<LocalConfig> {
  const answer = await git([
    ...['config', '--null', '--show-scope', '--name-only', '--get-regexp'],
    '^(filter|remote)\\..*\\.',
  ]);
  // 1 is git's way of saying that nothing matched.
  if (answer.state === 'failed' && answer.exitCode !== 1) return answer;
  const words = answer.state === 'answered' ? answer.stdout.toString('utf8').split('\0') : [];
  const names = { remote: new Set<string>(), filter: new Set<string>() };
  for (let index = 0; index + 1 < words.length; index += 2) {
    if (words[index] !== 'local' && words[index] !== 'worktree') continue;
    const match = /^(filter|remote)\.(.*)\.[^.]*$/s.exec(words[index + 1] ?? '');
    if (match?.[1] !== undefined) names[match[1] as 'filter' | 'remote'].add(match[2] ?? '');
  }
  const unnameable = [...names.filter].find((name) => name.includes('='));
  // `-c` cuts a name at its first `=`, so such a filter could not be switched off and would run.
  if (unnameable !== undefined) {
    return { state: 'failed', text: `the content filter "${unnameable}" cannot be switched off` };
  }
  return { state: 'read', remotes: [...names.remote], filters: [...names.filter] };
}
