import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { argumentsOfClaude, conversationNamedIn, isTool, optionsIn } from './recognise.ts';

/** How a command line comes to its conversation. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  const words = argumentsOfClaude(argv);
  if (words === null || isTool(words)) return null;
  const given = optionsIn(argv);
  const isFork = given.some(({ name }) => name === '--fork-session');
  if (isFork || conversationNamedIn(argv) !== undefined) return { how: 'own' };
  return { how: given.some(({ option }) => option?.fate === 'conversation') ? 'open' : 'new' };
}
