import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Refused } from './refused.ts';

/** Longest path that every system takes for a socket (104 bytes on macOS, 108 on Linux, one of them for the end). */
const LONGEST_PATH = 103;

/**
 * Opens the Unix socket of a state folder. Its permissions are the check, so nobody may reach it before it has them: it is
 * bound in a new folder that only the owner can enter, and then put in its place in one step.
 */
export async function listenOnSocket(
  server: Server,
  folder: string,
  uid: number,
): Promise<{ readonly path: string; remove(): void }> {
  checkFolder(folder, uid);
  const path = join(folder, 'rollcall.sock');
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    throw new Refused(`${path} is too long for a socket`, 'point XDG_STATE_HOME to a shorter path');
  }
  await checkPlace(path, uid);
  // No longer than the name it gets.
  const draft = mkdtempSync(join(folder, '.s'));
  try {
    const bound = join(draft, 's');
    await listening(server, bound);
    chmodSync(bound, 0o600);
    const { ino } = lstatSync(bound);
    renameSync(bound, path);
    return { path, remove: () => removeOwn(path, ino) };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Settles once the server listens, or with what keeps it from it. */
export function listening(server: Server, ...where: [string] | [number, string]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const done = () => {
      server.off('error', reject);
      resolve();
    };
    if (where.length === 1) server.listen(where[0], done);
    else server.listen(where[0], where[1], done);
  });
}

function checkFolder(folder: string, uid: number): void {
  const there = lstatSync(folder);
  const hint = 'rollcall needs a folder of its own that only you can enter';
  if (!there.isDirectory()) throw new Refused(`${folder} is not a folder, or a symbolic link`, hint);
  if (there.uid !== uid) throw new Refused(`${folder} belongs to user ${there.uid}, not to ${uid}`, hint);
  if ((there.mode & 0o077) !== 0)
    throw new Refused(`other users can reach ${folder}`, `run: chmod 700 ${folder}`);
}

/** Only what a daemon of this user left there, and that nobody listens on, is replaced. */
async function checkPlace(path: string, uid: number): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  const hint = `look at it, then remove it: rm ${path}`;
  if (!there.isSocket()) throw new Refused(`${path} is not a socket`, hint);
  if (there.uid !== uid) throw new Refused(`${path} belongs to user ${there.uid}, not to ${uid}`, hint);
  if (await isAnswered(path)) throw new Refused(`somebody listens on ${path}`, 'rollcall status tells who');
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(path);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    // Refused: it is left over. Anything else, such as a queue that is full, means that somebody is there.
    connection.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

/** The name may be another daemon's by now. */
function removeOwn(path: string, inode: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
}
