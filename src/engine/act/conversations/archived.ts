import { agentsIn } from '../../../core/close/ended.ts';
import type { KeptDocument } from '../../../core/close/kept-document.ts';
import { conversationsIn } from '../../../core/conversation/clues.ts';
import { goneOf } from '../close/living-agents.ts';
import type { Hands } from '../hands.ts';
import { type ConversationsKept, keepConversations } from './keep.ts';

/**
 * Keeps the conversations of a session that was archived, of each agent that has left since. After a restart of the machine
 * all of them have (`isOtherBoot`), and their numbers may be others' by now.
 */
export function keepArchived(
  hands: Hands,
  receipt: string,
  document: KeptDocument,
  { isOtherBoot = false }: { readonly isOtherBoot?: boolean } = {},
): Promise<ConversationsKept> {
  const all = conversationsIn(document);
  const agents = isOtherBoot
    ? []
    : agentsIn(
        document,
        all.flatMap(({ paneId }) => paneId ?? []),
      );
  const gone = new Set(goneOf(hands, agents).map(({ paneId }) => paneId));
  const living = new Set(agents.flatMap(({ paneId }) => (gone.has(paneId) ? [] : [paneId])));
  return keepConversations(hands, receipt, all, ({ paneId }) => paneId !== null && living.has(paneId));
}
