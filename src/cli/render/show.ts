import type { Invocation } from '../frame/command.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { type Line, printLines } from './line.ts';

interface TextCall {
  readonly flags: Pick<Invocation['flags'], 'json'>;
  readonly surroundings: Pick<Surroundings, 'stdout'>;
}

interface Call {
  readonly flags: Pick<Invocation['flags'], 'json' | 'color' | 'no-color'>;
  readonly surroundings: Pick<Surroundings, 'stdout' | 'env'>;
}

/** Prints what a command found: with --json its document, otherwise lines for people. Gives the exit code. */
export function show(
  { flags, surroundings }: Call,
  document: object,
  toLines: (width: number | null) => readonly Line[],
): 0 {
  const { stdout } = surroundings;
  if (flags.json) writeJson(stdout, document);
  else stdout.write(printLines(toLines(stdout.columns), isColor(flags, surroundings)));
  return 0;
}

/** The same where a plain text is all that there is to say. */
export function showText({ flags, surroundings: { stdout } }: TextCall, document: object, text: string): 0 {
  if (flags.json) writeJson(stdout, document);
  else stdout.write(text);
  return 0;
}
