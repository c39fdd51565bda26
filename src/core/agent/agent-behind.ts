import type { RecogniseAgent } from '../program.ts';

/**
 * Which agent a command line may start behind other programs (`env K=1 claude`, `taskset -c 0 claude`, `sh -c "A=claude; $A"`):
 * whichever it names, in whatever place; null where it names none. Enough not to run it again: where the agent's words begin
 * and which of them are a prompt is not known for certain. So a file of that name counts as well.
 */
export function agentBehind(argv: readonly string[], recogniseAgent: RecogniseAgent): string | null {
  const words = argv.slice(1);
  const lines = [...words.keys()].map((at) => words.slice(at));
  const names = words.flatMap((word) => word.split(NO_NAME)).map((name) => [name]);
  for (const line of [...lines, ...names]) {
    const kind = recogniseAgent(line);
    if (kind !== null) return kind;
  }
  return null;
}

/** What is no part of a program's name or path. */
const NO_NAME = /[^\w./+@-]+/;
