import { wordsOf } from './acts.ts';
import { isClose } from './deeds.ts';
import type { Law } from './law.ts';

export const bystander: Law = {
  name: 'bystander',
  sentence:
    'a session that rollcall neither started nor adopted is never touched by itself, and none that a command does not name',
  watch({ kept }) {
    return {
      before(act) {
        const { deed, session, doing } = act;
        if (session === null || deed === null || !isClose(deed)) return null;
        if (doing.what !== 'signal' && deed.entry.session?.key !== session.key)
          return `${act.by} ${wordsOf(act)}, and means ${deed.entry.session?.name}`;
        const isCared = kept.facts(deed.install, session.key)?.origin != null;
        return isCared || !deed.isAutomatic ? null : `${act.by} ${wordsOf(act)}, which is not in its care`;
      },
    };
  },
};
