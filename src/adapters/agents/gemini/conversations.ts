import { basename, dirname, join } from 'node:path';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import type { AgentConversations } from '../../../ports/agent.ts';
import { asObject, objectIn } from '../../files/json-object.ts';
import { agentFolder, filesBelow, foldersIn, nothingKept, writtenAt } from '../common/files-below.ts';
import { lacksIn } from '../common/prove-lines.ts';
import { readEnd } from '../common/read-file.ts';
import { withoutComments } from './settings.ts';

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  m: 30 * 86_400_000,
};
/** What newer versions clean up after where nothing is set (`general.sessionRetention.maxAge`); older ones never do. */
const DEFAULT_AGE = '30d';
const MAX_SETTINGS_BYTES = 1024 * 1024;
const END_BYTES = 256 * 1024;

/** Its chat, and beside it what its tools wrote. */
export const GEMINI_CONVERSATIONS: AgentConversations = {
  folder: folderOf,
  async read(clues) {
    const { conversation } = clues;
    const folder = folderOf(clues);
    const path = folder === null ? null : findChat(folder, clues);
    if (folder === null || path === null) return nothingKept('chat', folder);
    const project = dirname(dirname(path));
    return {
      lacks: lacksIn(path, {
        isOwn: ({ sessionId }) => sessionId === conversation,
        isTurn: ({ type }) => type === 'user' || type === 'gemini',
      }),
      files: [
        path,
        ...filesBelow(join(dirname(path), conversation)),
        ...filesBelow(join(project, 'tool-outputs', `session-${conversation}`)),
      ],
      deletedAt: deletedAt(folder, path),
    };
  },
};

function folderOf({ env }: ConversationClues): string | null {
  const home = agentFolder(env, 'GEMINI_CLI_HOME', '');
  return home === null ? null : join(home, '.gemini');
}

function findChat(folder: string, { transcript, conversation }: ConversationClues): string | null {
  const isOfIt = (path: string) => {
    const name = basename(path);
    return name.startsWith('session-') && name.endsWith(`-${conversation.slice(0, 8)}.jsonl`);
  };
  if (transcript !== null && isOfIt(transcript) && writtenAt(transcript) !== null) return transcript;
  const chats = foldersIn(join(folder, 'tmp')).map((project) => join(project, 'chats'));
  return chats.flatMap(filesBelow).find(isOfIt) ?? null;
}

/** Gemini counts from the last time that stands in the chat itself. */
function deletedAt(folder: string, path: string): number | null {
  const age = retentionMs(join(folder, 'settings.json'));
  const end = readEnd(path, END_BYTES);
  const told = end.state === 'read' ? [...end.text.matchAll(/"lastUpdated":\s*"([^"]{1,40})"/g)] : [];
  const said = Date.parse(told.at(-1)?.[1] ?? '');
  const at = Number.isNaN(said) ? writtenAt(path) : said;
  return age === null || at === null ? null : at + age;
}

function retentionMs(path: string): number | null {
  const read = readEnd(path, MAX_SETTINGS_BYTES);
  const settings = read.state === 'read' ? objectIn(withoutComments(read.text)) : null;
  const { enabled, maxAge = DEFAULT_AGE } = asObject(asObject(settings?.general)?.sessionRetention) ?? {};
  const [, count, unit = ''] = /^(\d{1,6})([hdwm])$/.exec(String(maxAge)) ?? [];
  return enabled === false || count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}
