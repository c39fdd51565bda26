import type { TerminalOutput } from './surroundings.ts';

/** Prints one document and a newline: on one line into a pipe, indented for eyes on a terminal. */
export function writeJson(output: TerminalOutput, document: object): void {
  output.write(`${JSON.stringify(document, null, output.isTTY ? 2 : undefined)}\n`);
}
