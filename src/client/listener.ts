import { readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DaemonUnreachable } from './errors.ts';

/** A port that is to be sent a secret. */
export interface Port {
  readonly url: string;
  readonly port: number;
  /** The state folder's token; null where the caller has a token of their own. */
  readonly tokenFile: string | null;
}

/** What a daemon wrote down about itself. */
interface Note {
  readonly pid: number;
  readonly startTicks: number;
  readonly url: string | null;
}

const LISTENING = '0A';
const SOCKET_ONLY = 'use its socket instead, which needs no token';

/**
 * The socket that listens on a port of 127.0.0.1, proven to be the daemon's: its own files name the address, and its process
 * has the socket open. Where only a token is given, the socket has to be this user's or root's. Anybody may listen on the port
 * of a daemon that has ended, and would be handed the token otherwise. Throws where it is not, or cannot be told.
 */
export async function listenerOf(place: Port): Promise<string> {
  const note = place.tokenFile === null ? null : await noteBeside(place.tokenFile, place);
  const { inode, uid } = await listening(place.port);
  if (note === null) {
    if (uid !== 0 && uid !== process.getuid?.()) throw notOurs(place, `user ${uid} listens there`);
  } else if (!(await has(note, inode))) {
    throw notOurs(place, `process ${note.pid}, the daemon, does not listen there`);
  }
  return inode;
}

async function noteBeside(tokenFile: string, place: Port): Promise<Note> {
  const file = join(dirname(tokenFile), 'daemon.json');
  const note = await readFile(file, 'utf8')
    .then((text) => JSON.parse(text) as Partial<Note>)
    .catch((cause: unknown) => {
      throw new DaemonUnreachable(`no daemon says where it listens: ${file} cannot be read`, { cause });
    });
  const { pid, startTicks, url } = note;
  if (typeof pid !== 'number' || typeof startTicks !== 'number' || typeof url !== 'string') {
    throw notOurs(place, `${file} names no port`);
  }
  if (Number(new URL(url).port) !== place.port) throw notOurs(place, `the daemon is at ${url}`);
  return { pid, startTicks, url };
}

async function listening(port: number): Promise<{ readonly inode: string; readonly uid: number }> {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const table = await readFile('/proc/net/tcp', 'latin1').catch((cause: unknown) => {
    throw new DaemonUnreachable(`who listens on a port cannot be told here; ${SOCKET_ONLY}`, { cause });
  });
  for (const line of table.split('\n').slice(1)) {
    const [, local, , state, , , , uid, , inode] = line.trim().split(/\s+/);
    if (local === address && state === LISTENING && inode !== undefined) return { inode, uid: Number(uid) };
  }
  throw new DaemonUnreachable(`no daemon answers: nobody listens on port ${port} of 127.0.0.1`, {
    code: 'ECONNREFUSED',
  });
}

async function has({ pid, startTicks }: Note, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may hold anything, it is the 20th word.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) !== startTicks) return false;
    for (const name of await readdir(folder)) {
      if ((await readlink(join(folder, name)).catch(() => '')) === `socket:[${inode}]`) return true;
    }
  } catch {
    // It is gone, or not this user's.
  }
  return false;
}

/** The token was not sent. */
export function notOurs({ url }: Pick<Port, 'url'>, why: string): DaemonUnreachable {
  return new DaemonUnreachable(`the token is not sent to ${url}: ${why}; ${SOCKET_ONLY}`);
}
