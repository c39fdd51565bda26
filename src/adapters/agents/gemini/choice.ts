import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { valueGiven } from '../common/option-words.ts';
import { isConversationId } from './hooks.ts';
import { geminiArguments, isTool, optionsIn } from './recognise.ts';

/** How a command line comes to its conversation: `--resume` also takes `latest`, a place in a list, or nothing. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  const words = geminiArguments(argv);
  if (words === null || isTool(words)) return null;
  const given = optionsIn(argv);
  if (isConversationId(valueGiven(given, ['--session-id', '--resume', '-r']))) return { how: 'own' };
  return { how: given.some(({ option }) => option?.fate === 'conversation') ? 'open' : 'new' };
}
