import type { JsonObject } from '../ledger/json.ts';
import { listIn, objectIn, textFieldsIn, textIn } from '../ledger/json-values.ts';

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
export function conversationsIn(document: JsonObject): ClosedConversation[] {
  return listIn(document.panes).flatMap((value) => {
    const pane = objectIn(value);
    const clues = cluesIn(objectIn(pane?.agent));
    return clues === null ? [] : [{ ...clues, paneId: textIn(pane?.paneId) }];
  });
}

/** The clues in a JSON object; null where it names no conversation. */
export function cluesIn(agent: JsonObject | null): ConversationClues | null {
  const [kind, conversation] = [textIn(agent?.kind), textIn(agent?.conversation)];
  if (agent === null || kind === null || conversation === null) return null;
  const [transcript, cwd] = [textIn(agent.transcript), textIn(agent.cwd)];
  return { kind, conversation, transcript, cwd, env: textFieldsIn(agent.env) };
}
