import type { RecogniseAgent } from '../sight/program.ts';

/**
 * Which agent a command line may start, also without a screen (`claude -p`) or behind other programs (`env K=1 claude`,
 * `npx @openai/codex`, `sh -c "A=claude; $A"`): whichever it names, in whatever place; null where it names none. Enough not
 * to run it again: where the agent's words begin and which of them are a prompt is not known for certain. So a file of that
 * name counts as well.
 */
export function agentBehind(words: readonly string[], recogniseAgent: RecogniseAgent): string | null {
  const lines = [...words.keys()].map((at) => words.slice(at));
  const names = words.flatMap((word) => word.split(NO_NAME));
  for (const line of [...lines, ...names.flatMap(asProgram)]) {
    const kind = recogniseAgent(line);
    if (kind !== null) return kind;
  }
  return null;
}

/** A name as a program, as its script, and as its package, without a version. */
function asProgram(name: string): string[][] {
  return [[name], ['node', name], ['node', `/node_modules/${name.replace(VERSION, '')}/`]];
}

const VERSION = /(?<=.)@[^/]*$/;
/** What is no part of a program's name or path. */
const NO_NAME = /[^\w./+@-]+/;
