import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { succeeds, tryOr } from '../../core/try-or.ts';
import { labelOf, moveAside } from './aside.ts';
import { ChangedMeanwhile, exchange, putNew } from './exchange.ts';
import { writeNew } from './new-user-file.ts';
import { removeQuietly } from './replace-file.ts';
import { type ReadFile, readUserFile, type UserFile } from './user-file.ts';
import type { FindWriter } from './writers.ts';

export interface TakeOptions {
  /** Rollcall's own: what waits for its place, or was taken out of it, lies there; null: beside the file. */
  readonly folder: string | null;
  readonly findWriter: FindWriter;
}

/** A file that was taken out of its place. Whoever opened it before may still write to it. */
export interface TakenFile extends TakeOptions {
  /** As it was read while it was in its place. */
  readonly was: UserFile;
  readonly path: string;
  /** Where it was: behind links, unless a link itself was taken away. */
  readonly place: string;
  /** What has its place now; null for nothing. */
  readonly instead: UserFile | null;
}

/** Whether a file still is what was read, wherever it lies, and nobody can write to it any more. A link is not looked behind. */
export function isUntouched(path: string, was: UserFile, findWriter: FindWriter, isLink = false): boolean {
  if (!isSame(was, readUserFile(path), isLink)) return false;
  if (isLink) return true;
  // Looking for writers takes a while. What is written meanwhile is put back at once, before anybody misses it.
  const isOver = () => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs !== was.modifiedAt;
  const writer = findWriter(was, [basename(path), basename(was.target)], isOver);
  return writer === null && isSame(was, readUserFile(path), false);
}

/** Whether both are one file with one text. */
export function isSame(file: UserFile, now: ReadFile, isLink: boolean): boolean {
  if (now.state !== 'read' || now.isLink !== isLink) return false;
  return (
    MARKS.every((mark) => now[mark] === file[mark]) && isDeepStrictEqual(now.attributes, file.attributes)
  );
}

const MARKS = ['text', 'device', 'inode', 'modifiedAt', 'mode', 'uid', 'gid'] as const;

/**
 * Checks a file that was taken out a while ago. Returns if nobody has written to it. Otherwise puts it back, or keeps a
 * copy if its place is taken by now, and throws ChangedMeanwhile.
 */
export function settle(taken: TakenFile, pause: (ms: number) => void): void {
  const { was, path, place, instead, findWriter } = taken;
  if (isUntouched(path, was, findWriter, was.isLink && instead === null)) return;
  const names = [basename(path), basename(was.target)];
  for (let left = 50; left > 0 && findWriter(was, names) !== null; left -= 1) pause(20);
  const now = readUserFile(place);
  if (instead === null ? now.state === 'absent' : isSame(instead, now, false)) putBack(taken);
  const late = readUserFile(path);
  if (late.state === 'read' && now.state === 'read' && holdsChange(was.text, late.text, now.text)) return;
  throw new ChangedMeanwhile({ keptAs: [keep(taken)] });
}

/** Puts back what somebody wrote, and takes out what was written over it. */
export function putBack(taken: TakenFile): never {
  const { was, path, place, instead, findWriter } = taken;
  const theirs = readUserFile(path);
  const isBack = succeeds(() => (instead === null ? putNew(path, place) : exchange(path, place)));
  if (!isBack) throw new ChangedMeanwhile({ keptAs: [keep(taken)] });
  if (instead === null || isUntouched(path, instead, findWriter)) {
    removeQuietly(path);
    const after = theirs.state === 'read' ? theirs.text : was.text;
    throw new ChangedMeanwhile({ hidden: { path: was.path, before: was.text, after } });
  }
  // Somebody wrote over ours in this moment, and may not have seen what was out of its place. Theirs is the newer one.
  // Where it is gone again, what is in hand is kept all the same.
  succeeds(() => exchange(path, place));
  const out = readUserFile(path);
  const now = readUserFile(place);
  const isAsPutBack = theirs.state === 'read' && isSame(theirs, out, false);
  if (isAsPutBack && now.state === 'read' && holdsChange(was.text, theirs.text, now.text)) {
    removeQuietly(path);
    throw new ChangedMeanwhile();
  }
  const more = theirs.state === 'read' && !isAsPutBack ? [keepText(taken, theirs)] : [];
  throw new ChangedMeanwhile({ keptAs: [keep(taken), ...more] });
}

/** Under a name that nothing of rollcall's ever removes. */
function keep(taken: TakenFile): string {
  const kept = keptName(taken);
  return tryOr(taken.path, () => {
    moveAside(taken.path, kept);
    return kept;
  });
}

function keepText(taken: TakenFile, { text, uid, gid }: UserFile): string {
  const kept = keptName(taken);
  writeNew(kept, text, { mode: 0o600, uid, gid });
  return kept;
}

function keptName({ was, place, folder }: TakenFile): string {
  const mark = `kept-${process.pid}-${process.hrtime.bigint().toString(16)}`;
  return folder === null ? `${place}.rollcall-${mark}` : join(folder, `${labelOf(was.path)}.${mark}`);
}

/**
 * Whether a text holds a change that somebody made: all that was added, and nothing that was removed. Made for settings:
 * names, values and lines are compared wherever they are. In doubt: no.
 */
export function holdsChange(before: string, after: string, now: string): boolean {
  const [old, changed, found] = [piecesOf(before), piecesOf(after), piecesOf(now)];
  return [...new Set([...old.keys(), ...changed.keys()])].every((piece) => {
    const [was, is, has] = [old, changed, found].map((pieces) => pieces.get(piece) ?? 0) as [
      number,
      number,
      number,
    ];
    if (is > was) return has >= is;
    return is === was || has <= is;
  });
}

function piecesOf(text: string): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const piece of text.split(/[,{}[\]\r\n]+/)) {
    const word = piece.trim();
    if (word !== '') pieces.set(word, (pieces.get(word) ?? 0) + 1);
  }
  return pieces;
}
