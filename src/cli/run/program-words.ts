import { Failure } from '../../operations/failure.ts';

/** A program and everything that it is given. */
export const PROGRAM_WORDS = {
  placeholder: 'PROGRAM',
  kind: 'choice',
  values: [],
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  help: 'The program and its arguments, behind --.',
} as const;

/** Without the separator a mistyped word would become a program that is started. */
export function requireProgram(
  command: string,
  words: readonly string[],
  argv: readonly string[],
  otherwise = '',
): void {
  const at = argv.indexOf('--');
  if (at >= 0 && words.length > 0 && argv.length - at - 1 === words.length) return;
  throw new Failure(
    'usage',
    words.length === 0 ? `${command} needs a program` : `${command} needs -- before the program`,
    { hint: `write rollcall ${command} [flags] -- PROGRAM [ARGUMENT…]${otherwise}` },
  );
}
