import { createHash } from 'node:crypto';
import { createJsonFile, type JsonFile } from '../adapters/state/json-file.ts';
import { isSealed, type SealedCheckpoint } from '../core/ledger/checkpoint.ts';

/** About 1 KiB for each of some thousand sessions, and room to spare. */
const FACTS_BYTES = 16 * 1024 * 1024;

/** The folded ledger between two processes: `facts.json` in the state folder. */
export function factsFileIn(folder: string): JsonFile<SealedCheckpoint> {
  const isValid = (value: unknown): value is SealedCheckpoint => isSealed(value, sha256);
  return createJsonFile({ folder, name: 'facts.json', maxBytes: FACTS_BYTES, isValid });
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
