import { basename } from 'node:path';
import { createFileCache } from '../../files/file-mark.ts';
import { readStart } from '../common/read-file.ts';

/** Whether a file is the transcript of a conversation. */
export type TranscriptCheck =
  | { readonly state: 'own' | 'absent' | 'foreign' }
  | { readonly state: 'failed'; readonly text: string };

const HEAD_BYTES = 4_096;
const MAX_KEPT = 2_000;
const NAME = /^session-[\dT-]{1,40}-([0-9a-f]{8})\.jsonl$/i;

/**
 * Makes the check of transcripts. Only the head is read, and only after the file has changed: it names the
 * conversation, so that a file that was put in its place, or is a sibling's, is not taken for it.
 *
 * What the records say of turns is not used. Gemini writes none when a turn ends and none while a tool runs, writes the
 * whole history anew with new times after a cancelled one, and writes a prompt of its own when its mode is switched.
 */
export function createTranscriptCheck(): (path: string, conversation: string) => TranscriptCheck {
  const heads = createFileCache(MAX_KEPT, readHead);
  return (path, conversation) => {
    const head = heads(path);
    if (head === null) return { state: 'absent' };
    const [, start] = NAME.exec(basename(path)) ?? [];
    if (start?.toLowerCase() !== conversation.slice(0, 8).toLowerCase()) return { state: 'foreign' };
    if (head.state === 'failed') return head;
    return { state: head.sessionId === conversation ? 'own' : 'foreign' };
  };
}

type Head =
  | { readonly state: 'read'; readonly sessionId: unknown }
  | { readonly state: 'failed'; readonly text: string };

function readHead(path: string): Head {
  const read = readStart(path, HEAD_BYTES);
  if (read.state === 'absent') return { state: 'failed', text: `${path}: it went away` };
  if (read.state === 'failed') return read;
  try {
    const head = JSON.parse(read.text.split('\n', 1)[0] ?? '') as { readonly sessionId?: unknown } | null;
    return { state: 'read', sessionId: head?.sessionId };
  } catch (error) {
    return { state: 'failed', text: `${path}: ${(error as Error).message}` };
  }
}
