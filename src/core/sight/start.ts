import { parsedObject, textFieldsIn, textIn, wordsIn } from '../ledger/json.ts';

/**
 * How rollcall started the program of a pane: all that is needed to start it again. Arguments and values may be secret, so
 * it lies in private files only, and never in the ledger.
 */
export interface Start {
  /** The word that the run bears. */
  readonly run: string;
  /** The absolute path of its program; null where none was found. */
  readonly program: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What was given with `--env`. */
  readonly env: Readonly<Record<string, string>>;
  /** It was not to have its caller's environment. */
  readonly isClean: boolean;
  /** Its pane was to stay when it ends. */
  readonly remain: boolean;
}

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
export function parseStart(text: string): KeptStart | null {
  const body = parsedObject(text);
  const [run, cwd, argv] = [textIn(body?.run), textIn(body?.cwd), wordsIn(body?.argv)];
  if (body === null || run === null || cwd === null || argv === null) return null;
  const { program, env, isClean, remain, paneId } = body;
  const start = { run, cwd, argv, program: textIn(program), env: textFieldsIn(env) };
  return { paneId: textIn(paneId), start: { ...start, isClean: isClean === true, remain: remain === true } };
}

/** The words with the program by its path, as it is found again from anywhere. */
export function wordsOf({ program, argv }: Pick<Start, 'program' | 'argv'>): readonly string[] {
  return program === null ? argv : [program, ...argv.slice(1)];
}
