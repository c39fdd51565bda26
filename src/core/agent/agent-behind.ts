import { programOf, type RecogniseAgent } from '../program.ts';
import { commandsIn } from '../start-command.ts';

/**
 * Which agent a command line may start behind other programs (`env K=1 claude`, `sh -c "exec claude"`); null where it names
 * none. Enough not to run it again: where the agent's words begin and which of them are a prompt is not known for certain.
 */
export function agentBehind(argv: readonly string[], recogniseAgent: RecogniseAgent): string | null {
  if (programOf('', argv, () => null).role !== 'wrapper') return null;
  const words = argv.slice(1);
  for (const line of [words, ...words.flatMap(commandsIn)]) {
    for (const at of line.keys()) {
      const kind = recogniseAgent(line.slice(at));
      if (kind !== null) return kind;
    }
  }
  return null;
}
