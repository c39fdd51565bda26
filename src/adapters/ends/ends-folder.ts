import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EndRecord } from '../../core/memory/ended.ts';
import { parseEnd } from '../../core/memory/ended.ts';
import type { Ends } from '../../ports/records.ts';
import { namesIn } from '../files/look.ts';
import { readOwnFile } from '../files/own-file.ts';

/** Names of runs only: what is still being written has a dot in its name. */
const RUN = /^[\w-]{1,64}$/;
/** A few hundred rows of a wide terminal. */
const MAX_BYTES = 1024 * 1024;

/**
 * The folder into which tmux writes how programs ended. It need not be there. `given` tells which values a run was given, and
 * nobody is to see.
 */
export function createEndsFolder(folder: string, given: (run: string) => readonly string[] = () => []): Ends {
  const of = (run: string): EndRecord | null => {
    const text = RUN.test(run) ? textOf(join(folder, run)) : null;
    return text === null ? null : parseEnd(run, text, given(run));
  };
  return {
    of,
    all: () => namesIn(folder).flatMap((run) => of(run) ?? []),
    drop(run) {
      if (RUN.test(run)) rmSync(join(folder, run), { force: true });
    },
  };
}

/** Null where there is none, or what is there was not written by the hook. */
function textOf(path: string): string | null {
  try {
    return readOwnFile(path, { uid: null, maxBytes: MAX_BYTES })?.bytes.toString('utf8') ?? null;
  } catch {
    return null;
  }
}
