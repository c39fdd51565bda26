import * as v from 'valibot';
import { finite, text, textFields, whole } from '../../schema/recorded.ts';
import { parsedObject } from '../ledger/json.ts';
import type { ConversationClues } from './clues.ts';

/** One file of a conversation, as it was when it was copied. */
const copiedFile = whole({
  /** Where it lay, and where it is put back. */
  path: v.pipe(v.string(), v.startsWith('/')),
  mode: finite,
  /** Rights of the folders above it, the innermost first. */
  folders: v.optional(v.pipe(v.unknown(), v.transform(listed), v.array(finite)), []),
  bytes: finite,
  /** SHA-256 of what it held. */
  digest: v.string(),
});

const copyIndex = whole({
  kind: v.string(),
  conversation: v.string(),
  transcript: text,
  env: textFields,
  cwd: text,
  keptAt: finite,
  files: v.pipe(v.array(copiedFile), v.minLength(1)),
});

export type CopiedFile = Readonly<v.InferOutput<typeof copiedFile>>;

/** What a copy holds. The first file is the one that the agent finds its conversation by. */
export interface CopyIndex {
  readonly clues: ConversationClues;
  readonly keptAt: number;
  readonly files: readonly CopiedFile[];
}

/** More is neither written nor read. */
export const MAX_INDEX_BYTES = 4 * 1024 * 1024;

/**
 * As it is written. The salt keeps anybody from finding out by trying what a short conversation said: the digest of the
 * index stands in the ledger.
 */
export function indexText({ clues, keptAt, files }: CopyIndex, salt: string): string {
  return `${JSON.stringify({ version: 1, salt, keptAt, ...clues, files }, null, 1)}\n`;
}

// What is no list tells of no folder; a list has to be whole.
function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Null where it is not whole. */
export function parseIndex(text: string): CopyIndex | null {
  const { success, output } = v.safeParse(copyIndex, parsedObject(text));
  if (!success) return null;
  const { keptAt, files, ...clues } = output;
  return { clues, keptAt, files };
}
