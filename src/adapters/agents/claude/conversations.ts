import type { ConversationClues } from '../../../core/conversation/clues.ts';
import type { AgentConversations } from '../../../ports/agent.ts';
import { objectIn } from '../../files/json-object.ts';
import { agentFolder, filesBelow, nothingKept, writtenAt } from '../common/files-below.ts';
import { lacksIn } from '../common/prove-lines.ts';
import { readStart } from '../common/read-file.ts';
import { findTranscript } from './find-transcript.ts';

const DAY = 86_400_000;
/** Claude Code deletes transcripts of that age at its start, unless its settings say otherwise. */
const CLEANUP_DAYS = 30;
const MAX_SETTINGS_BYTES = 1024 * 1024;
const MANAGED =
  process.platform === 'darwin'
    ? '/Library/Application Support/ClaudeCode/managed-settings.json'
    : '/etc/claude-code/managed-settings.json';

/** Its transcript, and the folder beside it with what its subagents and tools wrote. */
export const CONVERSATIONS: AgentConversations = {
  folder: folderOf,
  async read(clues) {
    const folder = folderOf(clues);
    const { conversation, transcript, cwd } = clues;
    const where = { conversation, told: transcript ?? undefined, cwds: cwd === null ? [] : [cwd] };
    const path = folder === null ? null : findTranscript({ ...where, folder });
    if (path === null) return nothingKept('transcript', folder);
    const at = writtenAt(path);
    return {
      lacks: lacksIn(path, {
        isOwn: ({ sessionId }) => sessionId === conversation,
        isTurn: ({ type, sessionId }) =>
          sessionId === conversation && (type === 'user' || type === 'assistant'),
      }),
      files: [path, ...filesBelow(path.replace(/\.jsonl$/, ''))],
      deletedAt: at === null ? null : at + cleanupDays(folder, cwd) * DAY,
    };
  },
};

function folderOf({ env }: ConversationClues): string | null {
  return agentFolder(env, 'CLAUDE_CONFIG_DIR', '.claude');
}

/** The least that any of its settings says: which of them counts is for Claude Code to tell. */
function cleanupDays(folder: string | null, cwd: string | null): number {
  const paths = [
    MANAGED,
    ...(folder === null ? [] : [`${folder}/settings.json`]),
    ...(cwd === null ? [] : [`${cwd}/.claude/settings.json`, `${cwd}/.claude/settings.local.json`]),
  ];
  const told = paths.flatMap((path) => daysIn(path) ?? []);
  return told.length === 0 ? CLEANUP_DAYS : Math.min(...told);
}

function daysIn(path: string): number | null {
  const read = readStart(path, MAX_SETTINGS_BYTES);
  const days = read.state === 'read' ? objectIn(read.text)?.cleanupPeriodDays : undefined;
  return typeof days === 'number' && days >= 0 ? days : null;
}
