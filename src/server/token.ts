import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refused } from './refused.ts';

/** The secret that lets a program use the port. It is compared, and never given away again. */
export interface Token {
  readonly file: string;
  /** Takes as long for a wrong one as for the right one. */
  is(given: string): boolean;
  /** Whether it stands somewhere in a text. */
  isIn(text: string): boolean;
}

const TOKEN = /^[\w-]{43}$/;
const BYTES = 32;

/**
 * Makes the token of a state folder, a new one at every start: whoever got hold of an earlier one has nothing. A file that
 * others could have made or read is refused, and so is one that holds something else: it is not this program's to replace.
 */
export function openToken(folder: string, uid: number): Token {
  const file = join(folder, 'token');
  checkEarlier(file, uid);
  const secret = make(folder, file);
  const digest = digestOf(secret);
  return {
    file,
    is: (given) => timingSafeEqual(digestOf(given), digest),
    isIn: (text) => text.includes(secret),
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function checkEarlier(file: string, uid: number): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw refused(file, code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`);
  }
  try {
    const { uid: owner, mode, size } = fstatSync(descriptor);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw refused(file, 'it is not a file');
    if (owner !== uid) throw refused(file, `it belongs to user ${owner}, not to ${uid}`);
    if ((mode & 0o077) !== 0) throw refused(file, 'other users can reach it');
    const buffer = Buffer.alloc(Math.min(size, 100));
    const text = buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0)).trimEnd();
    if (!TOKEN.test(text)) throw refused(file, 'it holds no token');
  } finally {
    closeSync(descriptor);
  }
}

// Whole or not at all: it gets its name only when it is written.
function make(folder: string, file: string): string {
  const secret = randomBytes(BYTES).toString('base64url');
  const draft = join(folder, `.token-${randomBytes(6).toString('hex')}`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeSync(descriptor, `${secret}\n`);
    fsyncSync(descriptor);
    renameSync(draft, file);
    return secret;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function refused(file: string, text: string): Refused {
  return new Refused(`${file}: ${text}`, `look at it, then remove it: rm ${file}`);
}
