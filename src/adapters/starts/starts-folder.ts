import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_START_BYTES, parseStart, startText } from '../../core/sight/start.ts';
import type { Starts } from '../../ports/starts.ts';
import { readSmallFile, replaceSmallFile } from '../files/small-file.ts';

/** The word of a run, which is the name of its file. */
const RUN = /^[\w-]{1,64}$/;
const ENDING = '.json';

/** The folder of starts below a state folder that only its user can reach. It need not be there. */
export function createStartsFolder(folder: string): Starts {
  const pathOf = (run: string): string => join(folder, `${run}${ENDING}`);
  return {
    keep(start) {
      const text = startText({ paneId: null, start }, randomBytes(16).toString('hex'));
      if (!RUN.test(start.run)) throw new Error(`not the word of a run: ${start.run}`);
      if (Buffer.byteLength(text) > MAX_START_BYTES)
        throw new Error(`its arguments and variables are over ${MAX_START_BYTES} bytes`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceSmallFile(pathOf(start.run), text);
    },
    of(run) {
      const start = RUN.test(run) ? startIn(pathOf(run)) : null;
      return start?.run === run ? start : null;
    },
    all: () => namesIn(folder).flatMap((run) => sightOf(run, pathOf(run))),
    drop(run) {
      if (RUN.test(run)) rmSync(pathOf(run), { force: true });
    },
  };
}

function startIn(path: string) {
  try {
    return parseStart(readSmallFile(path, MAX_START_BYTES)?.text ?? '')?.start ?? null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
    return names.map((name) => name.slice(0, -ENDING.length)).filter((run) => RUN.test(run));
  } catch {
    return [];
  }
}

function sightOf(run: string, path: string): { run: string; keptAt: number }[] {
  const keptAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return keptAt === undefined ? [] : [{ run, keptAt }];
}
