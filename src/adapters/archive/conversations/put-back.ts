import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, link, lstat, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { CopiedFile } from '../../../core/conversation/copy-index.ts';
import { syncFolder } from '../../files/replace-file.ts';
import { ArchiveError } from '../archive-folder.ts';
import { through } from './copy-file.ts';

/**
 * Puts one file back, synced to the disk; false if there is one. It gets its name by a link, which never replaces
 * anything. Throws an ArchiveError if the copy is damaged. Its times are now, because agents delete what is old. The
 * caller must be the only one on the conversation.
 */
export async function putFileBack(copy: string, file: CopiedFile): Promise<boolean> {
  const { path } = file;
  if (await isThere(path)) return false;
  await makeFolders(dirname(path), file.folders);
  // One name for all tries, so that nothing piles up after a kill; no agent takes it for a conversation.
  const temporary = join(dirname(path), `.${basename(path)}.rollcall`);
  await rm(temporary, { force: true });
  try {
    await expand(copy, temporary, file);
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  syncFolder(dirname(path));
  return true;
}

async function expand(copy: string, target: string, { path, mode, bytes, digest }: CopiedFile) {
  const hash = createHash('sha256');
  let count = 0;
  const compared = through((chunk) => {
    hash.update(chunk);
    count += chunk.length;
    if (count > bytes) throw notAsKept(path);
  });
  const written = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  await pipeline(createReadStream(copy), createGunzip(), compared, written).catch((error: unknown) => {
    const { code, path: where } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') || where === copy ? notAsKept(path) : error;
  });
  if (count !== bytes || hash.digest('hex') !== digest) throw notAsKept(path);
  const file = await open(target, 'r+');
  try {
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

function notAsKept(path: string): ArchiveError {
  return new ArchiveError(`the copy of ${path} is not as it was kept`, 'nothing of it was put back');
}

/** Makes the folders that are missing, with the rights that they had. */
async function makeFolders(folder: string, modes: readonly number[]): Promise<void> {
  if (await isThere(folder)) return;
  const [mode = 0o700, ...above] = modes;
  await makeFolders(dirname(folder), above);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  await chmod(folder, mode);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
