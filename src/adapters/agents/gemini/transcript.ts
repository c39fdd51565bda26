import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/** Whether a file is the transcript of a conversation. */
export type TranscriptCheck =
  | { readonly state: 'own' }
  | { readonly state: 'absent' | 'foreign' }
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
  const kept = new Map<string, { readonly mark: string; readonly check: TranscriptCheck }>();
  return (path, conversation) => {
    const mark = markOf(path);
    if (mark === null) return { state: 'absent' };
    const key = `${conversation} ${path}`;
    const known = kept.get(key);
    if (known?.mark === mark) return known.check;
    const check = checkHead(path, conversation);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, { mark, check });
    return check;
  };
}

function markOf(path: string): string | null {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return null;
  }
}

function checkHead(path: string, conversation: string): TranscriptCheck {
  const [, start] = NAME.exec(basename(path)) ?? [];
  if (start?.toLowerCase() !== conversation.slice(0, 8).toLowerCase()) return { state: 'foreign' };
  try {
    const line = firstLine(path);
    if (line === null) return { state: 'failed', text: `${path} is not a regular file` };
    const head = JSON.parse(line) as { readonly sessionId?: unknown } | null;
    return { state: head?.sessionId === conversation ? 'own' : 'foreign' };
  } catch (error) {
    return { state: 'failed', text: `${path}: ${(error as Error).message}` };
  }
}

// Opening a pipe in its place must not wait for a writer.
function firstLine(path: string): string | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) return null;
    const bytes = Buffer.alloc(HEAD_BYTES);
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEAD_BYTES, 0));
    return text.split('\n', 1)[0] ?? '';
  } finally {
    closeSync(fd);
  }
}
