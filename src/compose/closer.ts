import type { EntryDraft } from '../core/ledger/entry.ts';
import type { Hands } from '../engine/act/hands.ts';
import { openLedger } from './ledger.ts';

/** What closes by itself, the reaper or the settler, records and acts with; whatever it opens is closed again. */
export function closerParts(env: NodeJS.ProcessEnv, actorKind: string, openHands: () => Promise<Hands>) {
  return {
    async record(notes: readonly EntryDraft[]): Promise<void> {
      const ledger = await openLedger(env, actorKind);
      try {
        for (const note of notes) ledger.append(note);
      } finally {
        ledger.close();
      }
    },
    async withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T> {
      const hands = await openHands();
      try {
        return await work(hands);
      } finally {
        hands.ledger.close();
      }
    },
  };
}
