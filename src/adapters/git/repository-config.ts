import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WorkTree } from './find-work-tree.ts';
import type { Git } from './open-git.ts';
import { exists, readSmallFile } from './small-file.ts';

/** What the repository's own config (not the user's) says that matters here; nothing in it can name a program. */
export interface RepositoryConfig {
  readonly state: 'read';
  readonly remotes: readonly string[];
  /** Settings that only say how files and objects are kept. */
  readonly settings: readonly ConfigEntry[];
  readonly isBare: boolean;
  /** Where it says its files are, if it does. */
  readonly workTree?: string;
}

export type ConfigAnswer = RepositoryConfig | { readonly state: 'failed'; readonly text: string };

const MAX_CONFIG_BYTES = 1024 * 1024;

/** A list of what may pass, not of what may not: the next git may run programs from settings that nobody knows yet. */
const HARMLESS = new Set([
  ...['core.repositoryformatversion', 'core.filemode', 'core.symlinks', 'core.ignorecase', 'core.autocrlf'],
  ...['core.precomposeunicode', 'core.eol', 'core.safecrlf', 'core.trustctime', 'core.checkstat'],
  ...['core.sparsecheckout', 'core.sparsecheckoutcone', 'core.excludesfile', 'core.protecthfs'],
  ...['core.protectntfs', 'extensions.objectformat', 'extensions.refstorage'],
  'extensions.compatobjectformat',
]);

/** Left out on purpose: they name a place to fetch from, or only matter for writing. */
const NEEDLESS = new Set([
  ...['extensions.noop', 'extensions.noop-v1', 'extensions.partialclone', 'extensions.preciousobjects'],
  ...['extensions.worktreeconfig', 'extensions.relativeworktrees'],
]);

/** Reads it without a fork where it is plain; git is asked once where includes, quotes or old spellings occur. */
export async function readRepositoryConfig(workTree: WorkTree, git: Git): Promise<ConfigAnswer> {
  try {
    const entries = (await plainEntries(workTree)) ?? (await askGit(git));
    return 'state' in entries ? entries : sifted(entries);
  } catch (error) {
    return failed(`the config cannot be read: ${(error as Error).message}`);
  }
}

async function plainEntries({ commonDir, gitDir }: WorkTree): Promise<readonly ConfigEntry[] | null> {
  const shared = parsePlainConfig((await readSmallFile(join(commonDir, 'config'), MAX_CONFIG_BYTES)) ?? '');
  if (shared === null || !isTrue(lastOf(shared, 'extensions.worktreeconfig'))) return shared;
  const own = parsePlainConfig(
    (await readSmallFile(join(gitDir, 'config.worktree'), MAX_CONFIG_BYTES)) ?? '',
  );
  return own === null ? null : [...shared, ...own];
}

/** git only reads here, also what is included: nothing of it is run by `git config`. */
async function askGit(git: Git): Promise<readonly ConfigEntry[] | (ConfigAnswer & { state: 'failed' })> {
  const answer = await git([
    ...['config', '--null', '--show-scope', '--get-regexp', '^(core|extensions|remote)\\.'],
  ]);
  // 1 is git's way of saying that nothing matched.
  if (answer.state === 'failed') return answer.exitCode === 1 ? [] : failed(answer.text);
  if (answer.isTruncated) return failed('the config is too long');
  const words = answer.stdout.toString('utf8').split('\0');
  const entries: ConfigEntry[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    if (words[index] !== 'local' && words[index] !== 'worktree') continue;
    const [key = '', ...value] = (words[index + 1] ?? '').split('\n');
    entries.push({ key, value: value.length === 0 ? 'true' : value.join('\n') });
  }
  return entries;
}

function sifted(entries: readonly ConfigEntry[]): ConfigAnswer {
  const isVersioned = Number(lastOf(entries, 'core.repositoryformatversion') ?? 0) > 0;
  const strange = entries.find(
    ({ key }) => key.startsWith('extensions.') && !HARMLESS.has(key) && !NEEDLESS.has(key),
  );
  // git itself looks at no repository that is kept in a way it does not know.
  if (isVersioned && strange !== undefined)
    return failed(`the repository uses ${strange.key}, which is not known here`);
  const remotes = entries.flatMap(({ key }) => /^remote\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []);
  const workTree = lastOf(entries, 'core.worktree');
  return {
    state: 'read',
    remotes: [...new Set(remotes)],
    settings: entries.filter(({ key }) => HARMLESS.has(key)),
    isBare: isTrue(lastOf(entries, 'core.bare')),
    ...(workTree === undefined ? {} : { workTree }),
  };
}

function lastOf(entries: readonly ConfigEntry[], wanted: string): string | undefined {
  return entries.filter(({ key }) => key === wanted).at(-1)?.value;
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|[1-9]\d*)$/i.test(value);
}

function failed(text: string) {
  return { state: 'failed', text } as const;
}

/**
 * Why a repository cannot be looked at as the work tree of its folder; null where it can. A bare one named `.git` has no
 * files to lose; one that was checked out once may have been made bare by accident. One that keeps its files elsewhere
 * says nothing about this folder.
 */
export async function hindranceTo(
  { root, gitDir, isLinkedWorktree }: WorkTree,
  { isBare, workTree }: RepositoryConfig,
): Promise<{ readonly state: 'none' } | { readonly state: 'failed'; readonly text: string } | null> {
  // A linked work tree is one whatever the repository's config says.
  if (isLinkedWorktree) return null;
  if (isBare) {
    const mayHoldFiles = await exists(join(gitDir, 'index')).catch(() => true);
    return mayHoldFiles
      ? failed(`${root} must be a work tree, and its config calls it bare`)
      : { state: 'none' };
  }
  if (workTree === undefined) return null;
  const stated = resolve(gitDir, workTree);
  const real = await realpath(stated).catch(() => stated);
  return real === root ? null : failed(`the config of ${root} says that its files are in ${stated}`);
}

/** One setting: section and name in small letters, what stands between them as it is written. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}

// Each is tried on a line without the blanks around it, so that no run of blanks can be divided in several ways.
const NOTHING = /^(?:[#;].*)?$/;
const SECTION = /^\[([A-Za-z][\w-]*)(?:[ \t]+"([^"\\]*)")?\]$/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)(?:\s*=(.*))?$/;
const QUOTED = /^"([^"\\]*)"$/;
const PLAIN = /^[^"\\#;]*$/;

/** Reads a config of git that is written the way git writes most of them; null where only git's own parser will do. */
export function parsePlainConfig(text: string): ConfigEntry[] | null {
  if (/[\0\ufeff]/.test(text)) return null;
  const entries: ConfigEntry[] = [];
  let section: string | null = null;
  for (const written of text.split('\n')) {
    const line = written.trim();
    if (NOTHING.test(line)) continue;
    const header = SECTION.exec(line);
    const [, name, set] = SETTING.exec(line) ?? [];
    const value = set === undefined ? 'true' : valueIn(set.trim());
    if (header?.[1] !== undefined) {
      if (/^include/i.test(header[1])) return null;
      section = header[1].toLowerCase() + (header[2] === undefined ? '' : `.${header[2]}`);
    } else if (name !== undefined && section !== null && value !== null) {
      entries.push({ key: `${section}.${name.toLowerCase()}`, value });
    } else {
      return null;
    }
  }
  return entries;
}

function valueIn(text: string): string | null {
  return QUOTED.exec(text)?.[1] ?? (PLAIN.test(text) ? text : null);
}

/** The same settings as a config that git reads. */
export function writeConfig(entries: readonly ConfigEntry[]): string {
  return entries
    .map(({ key, value }) => {
      const [section, name] = key.split('.');
      const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
      return `[${section}]\n\t${name} = "${quoted}"\n`;
    })
    .join('');
}
