import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { CopiedFile } from '../../../core/conversation/copy-index.ts';
import { markOf } from '../../files/file-mark.ts';
import { objectionTo, PLAIN } from '../../files/own-file.ts';
import { ArchiveError } from '../archive-folder.ts';

/** A file that changes under the copy is tried again; one that changes all the time belongs to somebody at work. */
const TRIES = 3;
/** Whoever puts a file back makes no more folders than these anew. */
const MAX_FOLDERS = 8;
const PART_BYTES = 256 * 1024;

/**
 * Copies a file, compressed, and syncs it to the disk. Makes sure that nobody wrote to the file while it was read, and
 * that the copy can be read back unchanged. Throws why there is no copy.
 */
export async function copyFile(
  path: string,
  target: string,
  maxBytes: number,
): Promise<{ readonly file: CopiedFile; readonly bytes: number }> {
  for (let left = TRIES; ; left -= 1) {
    const copied = await copyOnce(path, target, maxBytes);
    if (copied !== null) return copied;
    await rm(target, { force: true });
    if (left === 1) throw new ArchiveError(`${path} is being written`, 'somebody may be at work in it');
  }
}

async function copyOnce(path: string, target: string, maxBytes: number) {
  const source = await open(path, constants.O_RDONLY | PLAIN);
  try {
    const before = await source.stat({ bigint: true });
    const objection = objectionTo(before, {});
    if (objection !== null)
      throw new ArchiveError(`${path} ${objection.text.slice('it '.length)}`, 'look at it');
    const { digest, count } = await compress(source, Number(before.size), target, maxBytes);
    const after = await source.stat({ bigint: true });
    const named = await lstat(path, { bigint: true });
    if (markOf(before) !== markOf(after) || markOf(named) !== markOf(after)) return null;
    if (BigInt(count) !== before.size) return null;
    const back = await contentOf(target);
    if (back.digest !== digest || back.bytes !== count) {
      throw new ArchiveError(`the copy of ${path} is not what was read`, 'look after the disk');
    }
    const { size } = await lstat(target);
    const mode = Number(before.mode & 0o777n);
    const file = { path, mode, folders: await foldersAbove(path), bytes: count, digest };
    return { file, bytes: size };
  } finally {
    await source.close();
  }
}

async function compress(source: FileHandle, size: number, target: string, maxBytes: number) {
  const hash = createHash('sha256');
  let [count, written] = [0, 0];
  const read = through((chunk) => {
    hash.update(chunk);
    count += chunk.length;
  });
  const bounded = through((chunk) => {
    written += chunk.length;
    if (written > maxBytes) throw new ArchiveError(`it takes more than ${maxBytes} bytes`, TOO_LARGE);
  });
  const copy = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  await pipeline(bytesOf(source, size), read, createGzip(), bounded, copy);
  const file = await open(target, 'r+');
  await file.sync().finally(() => file.close());
  return { digest: hash.digest('hex'), count };
}

// Not one byte more than it had: whoever appends meanwhile is noticed by the times of the file. No stream of its own: that
// would close the file when the disk is full, before it was looked at again.
async function* bytesOf(source: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const room = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at));
    const { bytesRead } = await source.read({ buffer: room, position: at });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield room.subarray(0, bytesRead);
  }
}

const TOO_LARGE = 'raise archive.keepConversations';

/** What a compressed file holds. */
async function contentOf(path: string): Promise<{ readonly digest: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path).pipe(createGunzip())) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { digest: hash.digest('hex'), bytes };
}

/** Looks at every chunk that passes; what it throws ends the stream. */
export function through(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        look(chunk);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

async function foldersAbove(path: string): Promise<number[]> {
  const modes: number[] = [];
  for (let folder = dirname(path); modes.length < MAX_FOLDERS && folder !== '/'; folder = dirname(folder)) {
    modes.push((await stat(folder)).mode & 0o777);
  }
  return modes;
}
