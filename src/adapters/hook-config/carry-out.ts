import { mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookApplied, HookBackup } from '../../ports/hook-config.ts';
import { ChangedMeanwhile, removeUserFile, replaceUserFile } from '../files/replace-user-file.ts';
import { backUp, pruneBackups } from './backups.ts';
import type { HookConfigOptions } from './options.ts';
import type { Prepared, Work } from './prepare.ts';
import { printRecords } from './records.ts';

/**
 * Writes what was prepared. What is called is there before what calls it, and goes after it; what was done to a file is on
 * record before it is done.
 */
export function carryOut(prepared: Prepared, { spoolFolder, gate, now }: HookConfigOptions): HookApplied {
  const { plan, works, records } = prepared;
  const isInstall = plan.action === 'install';
  const backups: HookBackup[] = [];
  const written: string[] = [];
  let current = spoolFolder;
  try {
    if (isInstall) mkdirSync(spoolFolder, { recursive: true, mode: 0o700 });
    current = gate.folder;
    if (isInstall) mkdirSync(join(gate.folder, 'stops'), { recursive: true, mode: 0o700 });
    if (isInstall && works.length > 0) keepRecords();
    for (const work of isInstall ? works.toReversed() : works) {
      current = work.file.path;
      const backup = change(work, now);
      if (backup !== null) backups.push({ file: current, backup });
      written.push(current);
    }
    if (!isInstall) keepRecords();
    return { state: 'done', backups };
  } catch (error) {
    return { state: 'failed', written, backups, problem: problemWith(current, error) };
  }

  function keepRecords(): void {
    const { path, file, after } = records;
    current = path;
    if (file.state === 'wrong') throw new Error(file.problem.text);
    const text = printRecords(after);
    write({ file, after: text, newMode: 0o600, isOwn: true, folders: [dirname(path)] }, null);
  }
}

function problemWith(file: string, error: unknown) {
  const { message } = error as Error;
  const isChanged = error instanceof ChangedMeanwhile;
  return {
    ...{ file, line: null },
    text: isChanged ? message : `it could not be written: ${message}`,
    hint: isChanged ? 'try again' : 'see to the cause, then try again',
  };
}

/** Changes one file. Answers where the file as it was is kept; null where nothing of the user's was in it. */
function change(work: Work, now: () => number): string | null {
  const { file, isOwn, after } = work;
  // What vanishes had nothing of the user's in it.
  if (file.state !== 'read' || isOwn || after === null) {
    write(work, null);
    return null;
  }
  const backup = backUp(file, now());
  try {
    write(work, backup);
  } catch (error) {
    // Nothing of it was replaced: the file is what it was, or what somebody else has made of it.
    unlinkSync(backup);
    throw error;
  }
  pruneBackups(file.path);
  return backup;
}

function write({ file, after, newMode, folders }: Work, backup: string | null): void {
  if (after !== null) replaceUserFile(file, after, newMode, backup);
  else if (file.state === 'read') removeUserFile(file);
  if (after === null) removeEmptyFolders(folders);
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
