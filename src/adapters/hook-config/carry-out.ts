import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { succeeds } from '../../core/try-or.ts';
import type { HookBackup, HookProblem } from '../../ports/hook-config.ts';
import { ChangedMeanwhile, type HiddenText } from '../files/exchange.ts';
import { pause as standStill } from '../files/lock-file.ts';
import { removeQuietly } from '../files/replace-file.ts';
import { takeAway, takePlace } from '../files/replace-user-file.ts';
import { holdsChange, settle, type TakenFile } from '../files/taken-file.ts';
import { readUserFile } from '../files/user-file.ts';
import { writerOf } from '../files/writers.ts';
import { keepBackup, keepText } from './backups.ts';
import { printRecords } from './edit-record.ts';
import type { HookConfigOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import { textIn, type Work } from './work.ts';

/** What has been done so far, over all attempts. */
export interface Done {
  readonly written: Set<string>;
  readonly backups: HookBackup[];
  readonly kept: HookBackup[];
}

/** What was in the way. After a change by somebody else it is worth another look. */
export interface Hindrance {
  readonly problem: HookProblem;
  readonly isChange: boolean;
}

/** How long a replaced file is watched before it goes: far longer than any program takes to read and write settings. */
const SETTLE_MS = 150;

/**
 * Writes what was prepared. The script is installed before the settings that call it, and removed after them. Each
 * change is on record before it is made, and as long as it may have to be undone. After a failure nothing new is begun,
 * but what was begun is finished.
 */
export function carryOut(prepared: Prepared, options: HookConfigOptions, done: Done): Hindrance | null {
  const { spoolFolder, gate, backups, now, pause = standStill } = options;
  const taken: Taken[] = [];
  const hidden: HiddenText[] = [];
  let hindrance: Hindrance | null = null;

  if (prepared.plan.action === 'install') {
    begin(spoolFolder, () => mkdirSync(spoolFolder, PRIVATE));
    begin(gate.folder, () => mkdirSync(join(gate.folder, 'stops'), PRIVATE));
    if (prepared.works.length > 0) keepRecords();
    for (const work of prepared.works.toReversed()) change(work);
    end();
  } else {
    for (const work of prepared.works) change(work);
    end();
    keepRecords();
  }
  return hindrance;

  function keepRecords(): void {
    begin(prepared.records.path, () => writeRecords(prepared, options));
  }

  function begin(path: string, work: () => void): void {
    if (hindrance === null) attempt(path, work);
  }

  function change(work: Work): void {
    const { path } = work.file;
    begin(path, () => {
      const file = changed(work, options);
      if (file !== null) taken.push({ work, file, changedAt: work.folders.map(changeTimeOf) });
      done.written.add(path);
    });
  }

  /** Looks once more at what was taken out, after a while, and lets it go. */
  function end(): void {
    if (taken.some(({ work }) => isWatched(work)) || hidden.length > 0) pause(SETTLE_MS);
    for (const each of taken) attempt(each.work.file.path, () => letGo(each));
    for (const text of hidden) keepIfLost(text);
  }

  function attempt(path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      hindrance ??= hindranceOf(path, error);
      if (!(error instanceof ChangedMeanwhile)) return;
      done.kept.push(...error.keptAs.map((backup) => ({ file: path, backup })));
      if (error.hidden !== null) hidden.push(error.hidden);
    }
  }

  function letGo({ work, file, changedAt }: Taken): void {
    const { path } = work.file;
    if (isWatched(work)) settle(file, pause);
    // Somebody who has used a folder since may be about to write to it again: also where it is empty, it is theirs now.
    const isUnused = work.folders.every((folder, index) => changeTimeOf(folder) === changedAt[index]);
    if (!work.isKept) removeQuietly(file.path);
    else done.backups.push({ file: path, backup: keepBackup(backups, path, file.path, now()) });
    if (work.after === null && isUnused) removeEmptyFolders(work.folders);
  }

  /** Somebody may have read the file while a text was out of its place, and written it back without that. */
  function keepIfLost({ path, before, after }: HiddenText): void {
    const text = textIn(readUserFile(path)) ?? '';
    if (text === after || holdsChange(before, after, text)) return;
    done.kept.push({ file: path, backup: keepText(backups.folder, path, after) });
  }
}

const PRIVATE = { recursive: true, mode: 0o700 } as const;

/** A file that was taken out, and when each folder around it was last changed, directly after that. */
interface Taken {
  readonly work: Work;
  readonly file: TakenFile;
  readonly changedAt: readonly (bigint | null)[];
}

function writeRecords({ records: { path, file, after } }: Prepared, options: HookConfigOptions): void {
  if (file.state === 'wrong') throw new Error(file.problem.text);
  const text = printRecords(after);
  if (text === textIn(file)) return;
  const how = { newMode: 0o600, isOwn: true, isKept: false, base: null, folders: [] };
  const old = changed({ file, after: text, ...how }, options);
  if (old !== null) removeQuietly(old.path);
  if (text === null) removeEmptyFolders([dirname(path)]);
}

function hindranceOf(file: string, error: unknown): Hindrance {
  const { message } = error as Error;
  const isChange = error instanceof ChangedMeanwhile;
  const text = isChange ? message : `it could not be written: ${message}`;
  const hint = isChange ? 'try again' : 'see to the cause, then try again';
  return { problem: { file, line: null, text, hint }, isChange };
}

/** Changes one file. Answers the one that was there before. */
function changed(work: Work, options: HookConfigOptions): TakenFile | null {
  const { file, after, newMode } = work;
  const findWriter = isWatched(work) ? (options.findWriter ?? writerOf) : () => null;
  const how = { folder: options.backups.folder, findWriter };
  if (after !== null) return takePlace(file, after, newMode, how);
  return file.state === 'read' ? takeAway(file, how) : null;
}

/** Somebody may write to a plugin of rollcall's as well as to settings. */
function isWatched({ base }: Work): boolean {
  return base !== null;
}

/** When something was last made or removed in a folder; null where there is none. */
function changeTimeOf(folder: string): bigint | null {
  return statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null;
}

/** Removes folders that are empty, the innermost first; what is in use stays. */
function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) succeeds(() => rmdirSync(folder));
}
