import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookBackup, HookProblem } from '../../ports/hook-config.ts';
import { ChangedMeanwhile, type HiddenText } from '../files/exchange.ts';
import { pause as standStill } from '../files/lock-file.ts';
import { takeAway, takePlace } from '../files/replace-user-file.ts';
import { holdsChange, removeOwn, settle, type TakenFile } from '../files/taken-file.ts';
import { readUserFile } from '../files/user-file.ts';
import { writerOf } from '../files/writers.ts';
import { keepBackup, keepText } from './backups.ts';
import { printRecords } from './edit-record.ts';
import type { HookConfigOptions } from './options.ts';
import type { Prepared } from './prepare.ts';
import type { Work } from './work.ts';

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

/**
 * So long a file that was taken out is looked at, before it goes: a program that opened it before has written by then. Far
 * longer than it takes to read settings and write them back.
 */
const SETTLE_MS = 150;

/**
 * Writes what was prepared. What is called is there before what calls it, and goes after it; what was done to a file is on
 * record before it is done, and as long as it may have to be undone.
 */
export function carryOut(prepared: Prepared, options: HookConfigOptions, done: Done): Hindrance | null {
  const { spoolFolder, gate } = options;
  const round = new Round(options, done);
  const keepRecords = () => round.begin(prepared.records.path, () => writeRecords(prepared, options));
  if (prepared.plan.action === 'install') {
    round.begin(spoolFolder, () => mkdirSync(spoolFolder, PRIVATE));
    round.begin(gate.folder, () => mkdirSync(join(gate.folder, 'stops'), PRIVATE));
    if (prepared.works.length > 0) keepRecords();
    for (const work of prepared.works.toReversed()) round.change(work);
    round.end();
  } else {
    for (const work of prepared.works) round.change(work);
    round.end();
    keepRecords();
  }
  return round.hindrance;
}

const PRIVATE = { recursive: true, mode: 0o700 } as const;

/** A file that was taken out, and when each folder around it was last changed, directly after that. */
interface Taken {
  readonly work: Work;
  readonly file: TakenFile;
  readonly changedAt: readonly (bigint | null)[];
}

/** One attempt at all files. Nothing further is begun once something was in the way, but what was begun is brought to its end. */
class Round {
  readonly #options: HookConfigOptions;
  readonly #done: Done;
  readonly #taken: Taken[] = [];
  readonly #hidden: HiddenText[] = [];
  hindrance: Hindrance | null = null;

  constructor(options: HookConfigOptions, done: Done) {
    this.#options = options;
    this.#done = done;
  }

  begin(path: string, work: () => void): void {
    if (this.hindrance === null) this.#try(path, work);
  }

  change(work: Work): void {
    const { path } = work.file;
    this.begin(path, () => {
      const file = changed(work, this.#options);
      if (file !== null) this.#taken.push({ work, file, changedAt: work.folders.map(changeTimeOf) });
      this.#done.written.add(path);
    });
  }

  /** Looks once more at what was taken out, after a while, and lets it go. */
  end(): void {
    const { pause = standStill } = this.#options;
    if (this.#taken.some(({ work }) => isWatched(work)) || this.#hidden.length > 0) pause(SETTLE_MS);
    for (const taken of this.#taken) this.#try(taken.work.file.path, () => this.#letGo(taken, pause));
    for (const text of this.#hidden) this.#keepIfLost(text);
  }

  #try(path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.hindrance ??= hindranceOf(path, error);
      if (!(error instanceof ChangedMeanwhile)) return;
      this.#done.kept.push(...error.keptAs.map((backup) => ({ file: path, backup })));
      if (error.hidden !== null) this.#hidden.push(error.hidden);
    }
  }

  #letGo({ work, file, changedAt }: Taken, pause: (ms: number) => void): void {
    const { backups, now } = this.#options;
    const { path } = work.file;
    if (isWatched(work)) settle(file, pause);
    // Somebody who has used a folder since may be about to write to it again: also where it is empty, it is theirs now.
    const isUnused = work.folders.every((folder, index) => changeTimeOf(folder) === changedAt[index]);
    if (!work.isKept) removeOwn(file.path);
    else this.#done.backups.push({ file: path, backup: keepBackup(backups, path, file.path, now()) });
    if (work.after === null && isUnused) removeEmptyFolders(work.folders);
  }

  /** Somebody may have read the file while a text was out of its place, and written it back without that. */
  #keepIfLost({ path, before, after }: HiddenText): void {
    const now = readUserFile(path);
    const text = now.state === 'read' ? now.text : '';
    if (text === after || holdsChange(before, after, text)) return;
    this.#done.kept.push({ file: path, backup: keepText(this.#options.backups.folder, path, after) });
  }
}

function writeRecords({ records: { path, file, after } }: Prepared, options: HookConfigOptions): void {
  if (file.state === 'wrong') throw new Error(file.problem.text);
  const text = printRecords(after);
  if (text === (file.state === 'read' ? file.text : null)) return;
  const how = { newMode: 0o600, isOwn: true, isKept: false, base: null, folders: [] };
  const old = changed({ file, after: text, ...how }, options);
  if (old !== null) removeOwn(old.path);
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

/** Removes folders that are empty, the innermost first; what is not empty stays. */
function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // In use, or gone already.
    }
  }
}
