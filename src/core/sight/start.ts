import * as v from 'valibot';
import { flag, type Recorded, text, textFields, whole } from '../../schema/recorded.ts';
import { parsedObject } from '../ledger/json.ts';

/**
 * How rollcall started the program of a pane: all that is needed to start it again. Arguments and values may be secret, so
 * it lies in private files only, and never in the ledger.
 */
const kept = whole({
  /** The word that the run bears. */
  run: v.string(),
  /** The absolute path of its program; null where none was found. */
  program: text,
  argv: v.pipe(v.array(v.string()), v.minLength(1)),
  cwd: v.string(),
  /** What was given with `--env`. */
  env: textFields,
  /** It was not to have its caller's environment. */
  isClean: flag,
  /** Its pane was to stay when it ends. */
  remain: flag,
  paneId: text,
});

export type Start = Recorded<Omit<v.InferOutput<typeof kept>, 'paneId'>>;

/** The pane that was started so. */
export interface KeptStart {
  readonly paneId: string | null;
  readonly start: Start;
}

/** More is neither written nor read. */
export const MAX_START_BYTES = 4 * 1024 * 1024;

/**
 * As it is written. The salt keeps anybody from finding a short value by trying: the digest of an archive's files stands
 * in the ledger.
 */
export function startText({ start, paneId }: KeptStart, salt: string): string {
  return `${JSON.stringify({ version: 1, salt, paneId, ...start }, null, 2)}\n`;
}

/** Null where it is not whole. */
export function parseStart(written: string): KeptStart | null {
  const { success, output } = v.safeParse(kept, parsedObject(written));
  if (!success) return null;
  const { paneId, ...start } = output;
  return { paneId, start };
}

/** The words with the program by its path, as it is found again from anywhere. */
export function wordsOf({ program, argv }: Pick<Start, 'program' | 'argv'>): readonly string[] {
  return program === null ? argv : [program, ...argv.slice(1)];
}
