import type { KeptDocument } from '../close/kept-document.ts';

/** A conversation, and by what its files are found: what is known of its agent after that has left. */
export interface ConversationClues {
  readonly kind: string;
  readonly conversation: string;
  /** Where its transcript was seen while the agent ran. */
  readonly transcript: string | null;
  /** Of the agent's environment what says where it keeps its files. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

/** The same of a session that was closed; `paneId` is null where only its start is known. */
export interface ClosedConversation extends ConversationClues {
  readonly paneId: string | null;
}

/** Every conversation that the document of an archive tells of, in the order of its panes. */
export function conversationsIn({ panes }: KeptDocument): ClosedConversation[] {
  return panes.flatMap(({ agent, paneId = null }) => {
    const { kind, conversation, transcript = null, cwd = null, env = {} } = agent ?? {};
    return kind == null || conversation == null ? [] : [{ kind, conversation, transcript, cwd, env, paneId }];
  });
}
