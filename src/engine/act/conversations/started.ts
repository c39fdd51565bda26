import { findReceipt } from '../../../core/close/find-receipt.ts';
import type { ClosedConversation } from '../../../core/conversation/clues.ts';
import type { Deed } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { heardStart } from '../heard-start.ts';
import { type ConversationsKept, keepConversations } from './keep.ts';

/** The conversation that was chosen when rollcall started a session, or that its hooks told: all that is known of one that left no archive. */
export function startedConversation(hands: Hands, key: string): ClosedConversation | null {
  const found = findReceipt(hands.ledger.read({ about: key }).entries, key);
  const body = found.state === 'one' ? heardStart(hands, found.closed)?.body : undefined;
  const { kind, conversation } = body?.agent ?? {};
  if (body === undefined || kind == null || conversation == null) return null;
  const start = hands.starts.of(body.run ?? '');
  const env = { ...placesIn(hands.callerEnv), ...placesIn(start?.env ?? {}) };
  return { kind, conversation, env, paneId: null, transcript: null, cwd: start?.cwd ?? body.cwd };
}

/** Keeps it for a receipt, where one is known. */
export async function keepStarted(
  hands: Hands,
  deed: Deed<'conversations'>,
  receipt: string,
  key: string,
): Promise<{ readonly started: ClosedConversation | null; readonly kept: ConversationsKept }> {
  const started = startedConversation(hands, key);
  const all = started === null ? [] : [started];
  const kept = await deed.step('conversations', () => keepConversations(hands, receipt, all));
  return { started, kept };
}

/** Variables that say where agents keep their conversations; nothing else of an environment is for this. */
const PLACES = ['HOME', 'XDG_DATA_HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME'];

/** Of an environment what says where agents keep their conversations. */
export function placesIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    PLACES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])),
  );
}
