import { createDeclaredFacts, type KnownFacts } from '../adapters/declared/declared-facts.ts';
import { isCachedFacts } from '../adapters/declared/facts-cache.ts';
import { createJsonFile } from '../adapters/state/json-file.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import { ledgerMark } from '../adapters/store-sqlite/ledger-mark.ts';
import { openLedger } from './ledger.ts';

/** One look need not wait longer for a ledger that somebody writes to; what it cannot read is unknown until the next. */
const LOOK_WAITS_MS = 1000;
/** About 1 KiB for each of some thousand sessions, and room to spare. */
const FACTS_BYTES = 16 * 1024 * 1024;

/** What the ledger says. Behind a state folder that is refused something may have been declared that nobody can read. */
export function declaredIn(folder: StateFolder, env: NodeJS.ProcessEnv, now: () => number): KnownFacts {
  if (folder.state === 'refused') {
    const text = `what was declared cannot be read: ${folder.text}`;
    return { current: () => ({ state: 'failed', text, hint: folder.hint }), known: () => new Map() };
  }
  return createDeclaredFacts({
    mark: () => ledgerMark(folder.path),
    cache: createJsonFile({
      ...{ folder: folder.path, name: 'facts.json', maxBytes: FACTS_BYTES },
      isValid: isCachedFacts,
    }),
    openLedger: () => openLedger(env, 'look', LOOK_WAITS_MS),
    now,
  });
}
