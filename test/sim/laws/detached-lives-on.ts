import { wordsOf } from './acts.ts';
import type { Law } from './law.ts';

export const detachedLivesOn: Law = {
  name: 'detached-lives-on',
  sentence: 'what somebody has detached from a session (nohup, setsid) is never ended',
  watch({ agents }) {
    return {
      before(act) {
        const { doing, process, deed } = act;
        if (doing.what !== 'signal' || process === null || process.ending !== null) return null;
        if (deed?.closing.isForced || agents.has(`${process.pid}.${process.startTicks}`)) return null;
        const isApart = process.sid === process.pid && process.tty === null;
        return isApart || process.ignoresHangup ? `${act.by} ${wordsOf(act)}, which was detached` : null;
      },
    };
  },
};
