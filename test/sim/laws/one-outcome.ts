import type { Law } from './law.ts';

export const oneOutcome: Law = {
  name: 'one-outcome',
  sentence: 'every intent has one outcome in the end, and never two',
  watch({ deeds }) {
    return {
      on(entry) {
        if (entry.what !== 'recorded' || entry.kind !== 'outcome') return null;
        const deed = deeds.all.findLast(
          (one) => one.install === entry.install && one.entry.sequence === entry.cause,
        );
        if (deed === undefined) return `outcome ${entry.sequence} of ${entry.action} belongs to no intent`;
        if (deed.outcomes.length <= 1) return null;
        return `the ${entry.action} that was intended in ${entry.cause} has ${deed.outcomes.length} outcomes`;
      },
      atEnd() {
        const [left] = deeds.open();
        if (left === undefined) return null;
        const { action, sequence, session } = left.entry;
        return `the ${action} of ${session?.name} (${sequence}) never came to an outcome`;
      },
    };
  },
};
