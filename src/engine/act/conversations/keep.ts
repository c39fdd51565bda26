import { agentsIn } from '../../../core/close/ended.ts';
import { findReceipt } from '../../../core/close/find-receipt.ts';
import type { KeptDocument } from '../../../core/close/kept-document.ts';
import {
  type ClosedConversation,
  type ConversationClues,
  conversationsIn,
} from '../../../core/conversation/clues.ts';
import { copyName, type KeptConversation, receiptOf } from '../../../core/conversation/kept.ts';
import type { Leaving } from '../../../core/conversation/room.ts';
import { visible } from '../../../core/text/visible.ts';
import type { ConversationSight } from '../../../ports/agent.ts';
import { goneOf } from '../close/processes.ts';
import type { Deed } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { heardStart } from '../heard-start.ts';

/** What is kept of the conversations of a session whose agents have left, and what its receipt should say beside it. */
export interface ConversationsKept {
  readonly conversations: readonly KeptConversation[];
  readonly notes: readonly string[];
}

type Keeping = Pick<Hands, 'agents' | 'conversations' | 'isFolder'>;

/**
 * Reads what a resume of each conversation would read, and keeps a copy of it. Only once its agent has left: `livesOn` says
 * of which that cannot be said. It stops nothing: what could not be kept is told, and the agent's own files are as they were.
 */
export async function keepConversations(
  hands: Keeping,
  receipt: string,
  all: readonly ClosedConversation[],
  livesOn: (conversation: ClosedConversation) => boolean = () => false,
): Promise<ConversationsKept> {
  const made: Made[] = [];
  for (const [index, one] of all.entries()) {
    made.push(livesOn(one) ? LIVES : await keepOne(hands, copyName(receipt, index), one));
  }
  const conversations = all.map(({ paneId, kind: agent, conversation }, index) => {
    const kept = stillKept(hands, copyName(receipt, index), made[index] as Made);
    return { paneId, agent, conversation, ...kept };
  });
  return { conversations, notes: made.flatMap(({ leaving }) => leaving.flatMap(leftNote)) };
}

interface Made {
  readonly kept: Omit<KeptConversation, 'paneId' | 'agent' | 'conversation'>;
  readonly leaving: readonly Leaving[];
  /** When its agent deletes it by itself. */
  readonly deletedAt: number | null;
}

const NO_COPY = { copy: null, copyBytes: null, goodUntil: null };
const TO_MAKE_ROOM = 'to keep to archive.keepConversations';
const LIVES: Made = {
  kept: { ...NO_COPY, isProven: false, lacks: 'its agent still runs', notKept: 'its agent still runs' },
  leaving: [],
  deletedAt: null,
};

async function keepOne(hands: Keeping, name: string, one: ClosedConversation): Promise<Made> {
  const sight = await sightOf(hands, one);
  const { deletedAt } = sight;
  const proof = { isProven: sight.lacks === null, lacks: sight.lacks && visible(sight.lacks, 600) };
  const without = (notKept: string): Made => ({
    ...{ kept: { ...NO_COPY, ...proof, notKept, goodUntil: deletedAt }, leaving: [], deletedAt },
  });
  const [first] = sight.files;
  if (first === undefined) {
    return without(sight.lacks === null ? 'it is no file of its own' : 'there is nothing to copy');
  }
  const { paneId: _, ...clues } = one;
  const made = await hands.conversations.keep(name, { ...clues, transcript: first }, sight.files);
  if (made.state === 'not-kept') return without(made.text);
  const { digest: copy, bytes: copyBytes, leaving } = made;
  return { kept: { ...proof, copy, copyBytes, notKept: null, goodUntil: null }, leaving, deletedAt };
}

// A later one of the same receipt may have needed its room: a receipt promises only what is there.
function stillKept({ conversations }: Keeping, name: string, { kept, deletedAt }: Made): Made['kept'] {
  if (kept.copy === null || conversations.cluesOf(name) !== null) return kept;
  return { ...kept, ...NO_COPY, notKept: `it was removed, ${TO_MAKE_ROOM}`, goodUntil: deletedAt };
}

/** What a resume would read now; where its folder gives no answer, nobody waits for it. */
export async function sightOf(
  { agents, isFolder }: Pick<Hands, 'agents' | 'isFolder'>,
  clues: ConversationClues,
): Promise<ConversationSight> {
  const nothing = (lacks: string) => ({ lacks, files: [], deletedAt: null });
  const known = agents.find(({ kind }) => kind === clues.kind)?.conversations;
  if (known === undefined) return nothing(`where ${clues.kind} keeps it is not known`);
  const folder = known.folder(clues);
  if (folder === null) return nothing(`where ${clues.kind} keeps it cannot be told`);
  if (!(await isFolder(folder))) return nothing(`${folder} is not there, or gives no answer`);
  const isNear = clues.cwd !== null && (await isFolder(clues.cwd));
  return known.read(isNear ? clues : { ...clues, cwd: null });
}

// What something else has too is no loss.
function leftNote({ copy, isOnly }: Leaving): string[] {
  const what = `the only copy of the ${copy.kind} conversation of receipt ${receiptOf(copy.name)}`;
  return isOnly ? [`${what} was removed, ${TO_MAKE_ROOM}`] : [];
}

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
  const paneIds = all.flatMap(({ paneId }) => paneId ?? []);
  const agents = isOtherBoot ? [] : agentsIn(document, paneIds);
  const gone = new Set(goneOf(hands, agents).map(({ paneId }) => paneId));
  const living = new Set(agents.flatMap(({ paneId }) => (gone.has(paneId) ? [] : [paneId])));
  return keepConversations(hands, receipt, all, ({ paneId }) => paneId !== null && living.has(paneId));
}

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
