import { chmodSync, lstatSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from './digest.ts';
import { writeNew } from './new-user-file.ts';

/** Longer than most paths, and with what follows it within the 255 bytes of a name. */
const MAX_LABEL = 150;

/** What a file is called in a folder that is not its own: its path, as in the folders of editors. A long one loses its beginning. */
export function labelOf(path: string): string {
  const label = path.replaceAll('%', '%%').replaceAll('/', '%');
  const bytes = Buffer.from(label);
  if (bytes.length <= MAX_LABEL) return label;
  const end = bytes
    .subarray(bytes.length - MAX_LABEL + 20)
    .toString('utf8')
    .replace(/^\ufffd+/, '');
  return `${digestOf(path)}…${end}`;
}

/** Where a new text for a file may wait for its place: in rollcall's own folder, or beside the file where that is on another disk. */
export function waitingRooms(target: string, folder: string | null): string[] {
  const beside = dirname(target);
  return folder !== null && deviceOf(folder) === deviceOf(beside) ? [folder, beside] : [beside];
}

/** A new name in one of these rooms. It says what is in it, so that the next call can tell whether it is rollcall's own text. */
export function waitingName(path: string, text: string, room: string, folder: string | null): string {
  const mark = `new-${process.pid}-${process.hrtime.bigint().toString(16)}-${digestOf(text)}`;
  return join(room, room === folder ? `${labelOf(path)}.${mark}` : `.${basename(path)}.rollcall-${mark}`);
}

/** Moves a file of the user's out of the way for good, for nobody else to read. What is on another disk, or has another name, is copied. */
export function moveAside(from: string, to: string): void {
  const { nlink, uid, gid } = lstatSync(from);
  if (nlink === 1 && deviceOf(dirname(from)) === deviceOf(dirname(to))) {
    renameSync(from, to);
    chmodSync(to, 0o600);
    return;
  }
  writeNew(to, readFileSync(from), { mode: 0o600, uid, gid });
  unlinkSync(from);
}

/** So much of it that two texts never share one by accident. */
export function digestOf(text: string | Buffer): string {
  return sha256(text).slice(0, 16);
}

function deviceOf(folder: string): number | null {
  return statSync(folder, { throwIfNoEntry: false })?.dev ?? null;
}
