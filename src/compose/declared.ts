import { createDeclaredFacts, type KnownFacts } from '../adapters/declared/declared-facts.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import { ledgerMark } from '../adapters/store-sqlite/ledger-mark.ts';
import type { HostIdentity } from '../core/identity.ts';
import { factsFileIn } from './facts-file.ts';
import { openLedger } from './ledger.ts';

/** One look need not wait longer for a ledger that somebody writes to; what it cannot read is unknown until the next. */
const LOOK_WAITS_MS = 1000;

/** What the ledger says. Behind a state folder that is refused something may have been declared that nobody can read. */
export function declaredIn(
  folder: StateFolder,
  env: NodeJS.ProcessEnv,
  host: () => HostIdentity,
): KnownFacts {
  if (folder.state === 'refused') {
    const text = `what was declared cannot be read: ${folder.text}`;
    return { current: () => ({ state: 'failed', text, hint: folder.hint }), known: () => new Map() };
  }
  return createDeclaredFacts({
    mark: () => ledgerMark(folder.path),
    checkpoint: factsFileIn(folder.path),
    host,
    openLedger: () => openLedger(env, 'look', LOOK_WAITS_MS),
  });
}
