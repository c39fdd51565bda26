import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_START_BYTES, parseStart, startText } from '../../core/sight/start.ts';
import type { Starts } from '../../ports/records.ts';
import { recordsIn, writtenAt } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';

/** The word of a run, which is the name of its file. */
const RUN = /^[\w-]{1,64}$/;

/** The folder of starts below a state folder that only its user can reach. It need not be there. */
export function createStartsFolder(folder: string): Starts {
  const pathOf = (run: string): string => join(folder, `${run}.json`);
  return {
    keep(start) {
      const text = startText({ paneId: null, start }, randomBytes(16).toString('hex'));
      if (!RUN.test(start.run)) throw new Error(`not the word of a run: ${start.run}`);
      if (Buffer.byteLength(text) > MAX_START_BYTES)
        throw new Error(`its arguments and variables are over ${MAX_START_BYTES} bytes`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(pathOf(start.run), text);
    },
    of(run) {
      const start = RUN.test(run) ? startIn(pathOf(run)) : null;
      return start?.run === run ? start : null;
    },
    all: () =>
      recordsIn(folder, RUN).flatMap((run) => {
        const keptAt = writtenAt(pathOf(run));
        return keptAt === null ? [] : [{ run, keptAt }];
      }),
    drop(run) {
      if (RUN.test(run)) rmSync(pathOf(run), { force: true });
    },
  };
}

function startIn(path: string) {
  try {
    return parseStart(readOwnText(path, MAX_START_BYTES) ?? '')?.start ?? null;
  } catch {
    return null;
  }
}
