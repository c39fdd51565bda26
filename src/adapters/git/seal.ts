import { mkdtemp, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkTree } from './find-work-tree.ts';
import { type RepositoryConfig, writeConfig } from './repository-config.ts';

/** What of a repository its work trees share and a look needs. Neither its config nor its hooks are among it. */
const SHARED = [
  ...['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'logs', 'info', 'shallow', 'worktrees'],
];

/**
 * Works with a folder that replaces the repository's shared part: links to its objects and refs, and a config with only
 * harmless settings. git never reads the repository's own config, so it can run nothing that this names.
 */
export async function withSeal<T>(
  { commonDir }: WorkTree,
  { settings }: RepositoryConfig,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-git-'));
  try {
    await Promise.all([
      writeFile(join(folder, 'config'), writeConfig(settings)),
      ...SHARED.map((name) => symlink(join(commonDir, name), join(folder, name))),
    ]);
    return await work(folder);
  } finally {
    await remove(folder);
  }
}

/** By name, never recursively: behind the links lies somebody's work. */
async function remove(folder: string): Promise<void> {
  await Promise.all(['config', ...SHARED].map((name) => unlink(join(folder, name)).catch(() => {})));
  await rmdir(folder).catch(() => {});
}
