import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { HookApplied, HookPlan, HookProblem } from '../../ports/hook-config.ts';
import { ChangedMeanwhile } from '../files/exchange.ts';
import { leftoversOf } from '../files/leftovers.ts';
import { pause } from '../files/lock-file.ts';
import { removeQuietly } from '../files/replace-file.ts';
import { keepBackup } from './backups.ts';
import { carryOut, type Done } from './carry-out.ts';
import type { HookConfigOptions } from './options.ts';
import type { Places } from './places.ts';
import { type Prepared, prepare } from './prepare.ts';

/** An agent writes now and then; somebody who writes all the time is not waited for. */
const ATTEMPTS = 8;
/** Time for somebody to finish what they write. */
const BETWEEN_MS = 40;

/**
 * Carries out a plan. A file that somebody writes to meanwhile is read again and changed then, so that both changes are
 * in it. Ends when nothing is left to do.
 */
export function apply(places: Places | null, options: HookConfigOptions, plan: HookPlan): HookApplied {
  const agents = plan.agents.map(({ agent }) => agent);
  const look = () => prepare(places, options, { ...plan, agents });
  const done: Done = { written: new Set(), backups: [], kept: [] };
  let prepared = look();
  const [objection = changedSince(plan, prepared.plan)] = [...plan.problems, ...prepared.plan.problems];
  if (objection !== null) return failed(objection, done);
  const unmade = prepared.works.length === 0 ? null : madeFolder(options);
  if (unmade !== null) return failed(unmade, done);
  recover(prepared, options, done);
  for (let left = ATTEMPTS; ; left -= 1) {
    const hindrance = carryOut(prepared, options, done);
    if (hindrance !== null && !hindrance.isChange) return failed(hindrance.problem, done);
    prepared = look();
    const [problem = hindrance?.problem ?? changedSince({ files: [] }, prepared.plan)] =
      prepared.plan.problems;
    const isLeft = prepared.plan.files.length > 0 || prepared.plan.problems.length > 0;
    if (!isLeft || problem === null) return { state: 'done', backups: done.backups, kept: done.kept };
    if (left === 1) return failed(problem, done);
    (options.pause ?? pause)(BETWEEN_MS);
  }
}

function failed(problem: HookProblem, { written, backups, kept }: Done): HookApplied {
  return { state: 'failed', written: [...written], backups, kept, problem };
}

function madeFolder({ backups }: HookConfigOptions): HookProblem | null {
  try {
    mkdirSync(backups.folder, { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    const text = `the folder for backups cannot be made: ${(error as Error).message}`;
    return { file: backups.folder, line: null, text, hint: 'see to the cause, then try again' };
  }
}

/** What a killed call left: a text of rollcall's own goes, and a file of the user's becomes a backup. */
function recover({ plan, works, records }: Prepared, { backups, now }: HookConfigOptions, done: Done): void {
  const theirs = plan.agents.map(({ file }) => file);
  const paths = new Set([...theirs, ...works.map(({ file }) => file.path), records.path]);
  for (const path of paths) {
    for (const left of leftoversOf(path, backups.folder)) {
      if (left.isOwn || !theirs.includes(path)) removeQuietly(left.path);
      else done.backups.push({ file: path, backup: keepBackup(backups, path, left.path, now()) });
    }
  }
}

function changedSince(before: Pick<HookPlan, 'files'>, now: HookPlan): HookProblem | null {
  if (isDeepStrictEqual(before.files, now.files)) return null;
  const file =
    now.files.find((each, index) => !isDeepStrictEqual(each, before.files[index])) ?? before.files[0];
  const { message } = new ChangedMeanwhile();
  return { file: file?.path ?? '', line: null, text: message, hint: 'try again' };
}
