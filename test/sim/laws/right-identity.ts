import { wordsOf } from './acts.ts';
import { isClose, names } from './deeds.ts';
import type { Law } from './law.ts';

export const rightIdentity: Law = {
  name: 'right-identity',
  sentence:
    'no signal, key or removal reaches another server, session, pane or process than the one that was judged',
  watch() {
    return {
      before(act) {
        const { doing, deed, session, pane, process } = act;
        if (deed === null || !isClose(deed)) return null;
        const { closing } = deed;
        const broken = `${act.by} ${wordsOf(act)}, which its intent does not name`;
        if (doing.what === 'signal') {
          const isSomebody = process !== null && process.ending === null;
          return isSomebody && !names(closing, process) ? broken : null;
        }
        if (session === null) return broken;
        const { server, sessionId, createdAtSeconds, panes } = closing;
        const isServer =
          server?.socketPath === session.server.socketPath &&
          server?.pid === session.server.pid &&
          server?.startTicks === session.server.process.startTicks;
        const isSession = sessionId === session.id && createdAtSeconds === session.createdAtSeconds;
        const isPane = pane === null || panes.includes(pane.id) || closing.sleep?.paneId === pane.id;
        return isServer && isSession && isPane ? null : broken;
      },
    };
  },
};
