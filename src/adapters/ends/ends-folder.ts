import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EndRecord } from '../../core/memory/ended.ts';
import { parseEnd } from '../../core/memory/ended.ts';
import type { Ends } from '../../ports/ends.ts';

/** Names of runs only: what is still being written has a dot in its name. */
const RUN = /^[\w-]{1,64}$/;
/** A few hundred rows of a wide terminal. */
const MAX_BYTES = 1024 * 1024;

/**
 * The folder into which tmux writes how programs ended. It need not be there. `givenTo` tells which values a run was given, and
 * nobody is to see.
 */
export function createEndsFolder(
  folder: string,
  givenTo: (run: string) => readonly string[] = () => [],
): Ends {
  const of = (run: string): EndRecord | null => {
    const text = RUN.test(run) ? textOf(join(folder, run)) : null;
    return text === null ? null : parseEnd(run, text, givenTo(run));
  };
  return {
    of,
    all: () => namesIn(folder).flatMap((run) => of(run) ?? []),
    drop(run) {
      if (RUN.test(run)) rmSync(join(folder, run), { force: true });
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => RUN.test(name));
  } catch {
    return [];
  }
}

/** Null where there is none, or what is there was not written by the hook. */
function textOf(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      if (!fstatSync(file).isFile() || size > MAX_BYTES) return null;
      const bytes = Buffer.alloc(size);
      return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
