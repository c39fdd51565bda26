import { createHash } from 'node:crypto';
import { hashOf } from '../../../src/core/ledger/chain.ts';
import type { Law } from './law.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

export const ledgerVerifies: Law = {
  name: 'ledger-verifies',
  sentence: 'each entry of a ledger follows the one before it, at every moment',
  watch({ kept }) {
    const heads = new Map<string, { readonly sequence: number; readonly hash: string }>();
    return {
      on(entry) {
        if (entry.what !== 'recorded') return null;
        const { install } = entry;
        let head = heads.get(install) ?? { sequence: 0, hash: '0'.repeat(64) };
        for (const one of kept.entries(install).slice(head.sequence)) {
          const { sequence, previous, hash } = one;
          if (sequence !== head.sequence + 1 || previous !== head.hash)
            return `entry ${sequence} does not follow ${head.sequence}`;
          if (hashOf(one, digest) !== hash) return `entry ${sequence} has another hash than its content`;
          head = { sequence, hash };
        }
        heads.set(install, head);
        return null;
      },
    };
  },
};
