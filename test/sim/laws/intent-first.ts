import { wordsOf } from './acts.ts';
import type { Law } from './law.ts';

export const intentFirst: Law = {
  name: 'intent-first',
  sentence: 'nothing is done to anybody before an intent that names it is on the disk',
  watch() {
    return {
      before(act) {
        const { doing, process, deed } = act;
        // A signal to a number that nobody has reaches nobody.
        if (doing.what === 'signal' && (process === null || process.ending !== null)) return null;
        return deed === null ? `${act.by} ${wordsOf(act)} without an open intent for it` : null;
      },
    };
  },
};
