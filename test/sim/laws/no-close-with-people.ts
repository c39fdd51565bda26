import { isClose } from './deeds.ts';
import type { Law } from './law.ts';

export const noCloseWithPeople: Law = {
  name: 'no-close-with-people',
  sentence: 'nothing is done to a session in which a person is, reads, or was a moment ago',
  watch({ visits, settings: { policy } }) {
    return {
      before({ deed, truth, session, doing }) {
        if (truth === null || session === null || deed === null || !isClose(deed)) return null;
        if (doing.what === 'press' && doing.key === 'BSpace') return null;
        const despite = new Set(deed.closing.despite);
        const where = session.label;
        if (truth.attached > 0 && !despite.has('attached')) return `somebody is attached to ${where}`;
        if (deed.closing.isForced) return null;
        if (truth.isRead) return `somebody reads in ${where}`;
        const away = visits.awayMs(session.key);
        if (away < policy.recentInputMs && !despite.has('recent-input') && !despite.has('attached'))
          return `somebody left ${where} ${Math.round(away / 1000)} s ago`;
        return null;
      },
    };
  },
};
