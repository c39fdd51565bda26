import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, parsedObject, textIn } from '../ledger/json-values.ts';
import { type ConversationClues, cluesIn } from './clues.ts';

/** One file of a conversation, as it was when it was copied. */
export interface CopiedFile {
  /** Where it lay, and where it is put back. */
  readonly path: string;
  readonly mode: number;
  /** Rights of the folders above it, the innermost first. */
  readonly folders: readonly number[];
  readonly bytes: number;
  /** SHA-256 of what it held. */
  readonly digest: string;
}

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

/** Null where it is not whole. */
export function parseIndex(text: string): CopyIndex | null {
  const body = parsedObject(text);
  const [clues, keptAt] = [cluesIn(body), numberIn(body?.keptAt)];
  const files = listIn(body?.files).map((one) => fileIn(objectIn(one)));
  const whole = files.filter((one) => one !== null);
  if (clues === null || keptAt === null || whole.length === 0 || whole.length < files.length) return null;
  return { clues, keptAt, files: whole };
}

function fileIn(one: JsonObject | null): CopiedFile | null {
  const [path, digest] = [textIn(one?.path), textIn(one?.digest)];
  const [mode, bytes] = [numberIn(one?.mode), numberIn(one?.bytes)];
  const folders = listIn(one?.folders).map(numberIn);
  const known = folders.filter((value) => value !== null);
  if (!path?.startsWith('/') || digest === null || mode === null || bytes === null) return null;
  return known.length < folders.length ? null : { path, mode, folders: known, bytes, digest };
}
