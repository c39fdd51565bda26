import type { Received } from '../../../core/close/bodies.ts';
import { sealOf } from '../../../core/close/seal.ts';
import { type ConversationClues, conversationsIn } from '../../../core/conversation/clues.ts';
import { copyName, dayOf } from '../../../core/conversation/kept.ts';
import type { PutBack } from '../../../ports/conversations.ts';
import type { Hands } from '../hands.ts';
import { sightOf, startedConversation } from './keep.ts';

/** What was done for the conversations of a receipt before their agent is started. */
export interface Returned {
  /** Files that were missing and are there again. */
  readonly putBack: readonly string[];
  readonly missing: readonly string[];
  /** Copies are there, and could not be put in their place: an agent that is started now may begin anew there. */
  readonly failed: readonly string[];
}

/**
 * Puts the conversations of a receipt back where their agents have deleted them. What an agent still has stays as it is.
 * Only for whoever is alone on them. What nobody has is told, and the agent is asked all the same: only it knows.
 */
export async function putBackConversations(
  hands: Hands,
  received: Received | undefined,
  key: string,
): Promise<Returned> {
  const receipt = received?.receipt ?? '';
  const clues = cluesOf(hands, receipt, received, key);
  const all = (received?.conversations ?? []).map(async ({ agent, conversation, copy, isProven }, index) => {
    const name = copyName(receipt, index);
    const isIt = (one: ConversationClues) => one.kind === agent && one.conversation === conversation;
    const copied = hands.conversations.cluesOf(name);
    const one = copied && isIt(copied) ? copied : clues.find(isIt);
    // Of one that was never proven its receipt has said so.
    const isNew = one !== undefined && (copy !== null || isProven);
    return !isNew ? NOTHING : putOneBack(hands, name, copy, one);
  });
  const returned = await Promise.all(all);
  return {
    putBack: returned.flatMap(({ putBack }) => putBack),
    missing: returned.flatMap(({ missing }) => missing),
    failed: returned.flatMap(({ failed }) => failed),
  };
}

const NOTHING: Returned = { putBack: [], missing: [], failed: [] };

function cluesOf(
  hands: Hands,
  receipt: string,
  received: Received | undefined,
  key: string,
): ConversationClues[] {
  const archived = hands.archive.read(receipt);
  if (archived.state === 'read' && received && sealOf(received, archived.digest) !== 'changed') {
    return conversationsIn(archived.document);
  }
  return [startedConversation(hands, key) ?? []].flat();
}

async function putOneBack(
  hands: Hands,
  name: string,
  copy: string | null,
  clues: ConversationClues,
): Promise<Returned> {
  const before = await sightOf(hands, clues);
  const [found] = before.files;
  const isElsewhere = found !== undefined && found !== clues.transcript;
  // It lies elsewhere by now, and goes on there.
  if (before.lacks === null && (copy === null || isElsewhere)) return NOTHING;
  if (isElsewhere) return { ...NOTHING, missing: [`its conversation may not be resumable: ${before.lacks}`] };
  const put = copy === null ? null : await hands.conversations.putBack(name, copy);
  const putBack = put?.state === 'done' ? put.paths : [];
  const after = putBack.length === 0 ? before : await sightOf(hands, clues);
  const { deletedAt } = after;
  const isOld = deletedAt !== null && deletedAt <= hands.now();
  const kept = `${clues.kind} may delete it again at once: by its settings it kept it until ${dayOf(deletedAt ?? 0)}`;
  if (after.lacks === null)
    return { ...NOTHING, putBack, missing: putBack.length > 0 && isOld ? [kept] : [] };
  if (put?.state === 'failed') return { ...NOTHING, failed: [put.text] };
  const why = put === null ? 'no copy of it was kept' : whyNot(put);
  return { ...NOTHING, putBack, missing: [`its conversation may not be resumable: ${after.lacks}; ${why}`] };
}

function whyNot(put: Exclude<PutBack, { readonly state: 'failed' }>): string {
  switch (put.state) {
    case 'done':
      return 'its copy was no better';
    case 'absent':
      return put.removedAt === null
        ? 'its copy is gone'
        : `its copy was removed on ${dayOf(put.removedAt)}, to keep to archive.keepConversations`;
    case 'changed':
      return `its copy was not used: ${put.text}`;
  }
}
