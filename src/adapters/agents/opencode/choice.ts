import type { ConversationChoice } from '../../../core/agent/choice.ts';
import { recognises, runsOnce, startWords } from './recognise.ts';

/** How a command line comes to its session. One that shows those of a server elsewhere holds none itself. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  if (!recognises(argv) && !runsOnce(argv)) return null;
  const { session, isContinued, isForked, isAttached } = startWords(argv);
  if (isAttached) return null;
  if (session !== undefined || isForked) return { how: 'own' };
  return { how: isContinued ? 'open' : 'new' };
}
