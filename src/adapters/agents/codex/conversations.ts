import { basename } from 'node:path';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import type { AgentConversations, ConversationSight } from '../../../ports/agent.ts';
import { asObject, type JsonFields } from '../../files/json-object.ts';
import { agentFolder, filesBelow, nothingKept, writtenAt } from '../common/files-below.ts';
import { lacksIn } from '../common/prove-lines.ts';

/** What it keeps sessions in; the second is for those that their user has archived. */
const FOLDERS = ['sessions', 'archived_sessions'];
const COMPRESSED = '.zst';

/** Its rollout file. Codex deletes none by itself; it compresses old ones. */
export const conversations: AgentConversations = {
  folder: folderOf,
  async read(clues) {
    const folder = folderOf(clues);
    const path = folder === null ? null : findRollout(folder, clues);
    if (path === null) return nothingKept('rollout', folder);
    if (path.endsWith(COMPRESSED)) return sight('Codex has compressed it, which cannot be read here', path);
    return sight(lacksIn(path, { isOwn: (record) => isOwn(record, clues.conversation), isTurn }), path);
  },
};

function sight(lacks: string | null, file: string): ConversationSight {
  return { lacks, files: [file], deletedAt: null };
}

function folderOf({ env }: ConversationClues): string | null {
  return agentFolder(env, 'CODEX_HOME', '.codex');
}

function findRollout(folder: string, { transcript, conversation }: ConversationClues): string | null {
  const isOfIt = (path: string) => {
    const name = basename(path);
    return name.startsWith('rollout-') && name.includes(conversation);
  };
  const told = transcript === null ? [] : [transcript, `${transcript}${COMPRESSED}`];
  return (
    told.find((path) => isOfIt(path) && writtenAt(path) !== null) ??
    FOLDERS.flatMap((name) => filesBelow(`${folder}/${name}`)).find(isOfIt) ??
    null
  );
}

function isOwn({ type, payload }: JsonFields, conversation: string): boolean {
  return type === 'session_meta' && asObject(payload)?.id === conversation;
}

// A turn begins with `task_started`, and what is said in it are items.
function isTurn({ type, payload }: JsonFields): boolean {
  return type === 'response_item' || asObject(payload)?.type === 'task_started';
}
