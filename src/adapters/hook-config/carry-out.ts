import { mkdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookApplied } from '../../ports/hook-config.ts';
import type { HookConfigOptions } from './options.ts';
import type { Prepared, Work } from './prepare.ts';
import { printRecords } from './records.ts';
import { readUserFile } from './user-file.ts';
import { backUp, removeEmptyFolders, writeUserFile } from './write-file.ts';

/**
 * Writes what was prepared. What is called is there before what calls it, and goes after it; what was done to a file is on
 * record before it is done.
 */
export function carryOut(prepared: Prepared, { spoolFolder, gate, now }: HookConfigOptions): HookApplied {
  const { plan, works, records } = prepared;
  const isInstall = plan.action === 'install';
  const backups: { file: string; backup: string }[] = [];
  const written: string[] = [];
  let current = spoolFolder;
  try {
    if (isInstall) mkdirSync(spoolFolder, { recursive: true, mode: 0o700 });
    current = gate.folder;
    if (isInstall) mkdirSync(join(gate.folder, 'stops'), { recursive: true, mode: 0o700 });
    if (isInstall && works.length > 0) keepRecords();
    for (const work of isInstall ? works.toReversed() : works) {
      current = work.file.path;
      // What vanishes had nothing of the user's in it.
      if (work.file.state === 'read' && !work.isOwn && work.after !== null) {
        backups.push({ file: current, backup: backUp(work.file, now()) });
      }
      write(work);
      written.push(current);
    }
    if (!isInstall) keepRecords();
    return { state: 'done', backups };
  } catch (error) {
    const text = `it could not be written: ${(error as Error).message}`;
    const problem = { file: current, line: null, text, hint: 'see to the cause, then try again' };
    return { state: 'failed', written, problem };
  }

  function keepRecords(): void {
    current = records.path;
    const file = readUserFile(records.path);
    if (file.state === 'wrong') throw new Error(file.problem.text);
    write({
      file,
      after: printRecords(records.after),
      newMode: 0o600,
      isOwn: true,
      folders: [dirname(current)],
    });
  }
}

function write({ file, after, newMode, folders }: Work): void {
  if (after !== null) {
    writeUserFile(file, after, newMode);
  } else if (file.state === 'read') {
    unlinkSync(file.path);
  }
  if (after === null) removeEmptyFolders(folders);
}
