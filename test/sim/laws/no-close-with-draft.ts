import { KINDS } from '../machine/agent-kinds.ts';
import { isClose } from './deeds.ts';
import type { Law } from './law.ts';
import { Since } from './shown.ts';

export const noCloseWithDraft: Law = {
  name: 'no-close-with-draft',
  sentence:
    'nothing is done to a session in which something unsent stands in an input box or behind a prompt',
  watch({ machine }) {
    const since = new Since(machine.clock);
    return {
      on(entry) {
        since.on(entry);
        return null;
      },
      before({ deed, truth, session, doing }) {
        if (truth === null || session === null || deed === null || !isClose(deed) || deed.closing.isForced)
          return null;
        if (doing.what === 'press' && doing.key === 'BSpace') return null;
        for (const agent of truth.agents) {
          const { draft } = agent.truth;
          const isOwn = draft === KINDS[agent.kind].exit;
          if (draft !== '' && !isOwn && since.isShown(agent, 'draft'))
            return `'${draft}' stands unsent in ${session.label}`;
        }
        const panes = session.windows.flatMap((window) => window.panes);
        const drafts = panes.flatMap((pane) => machine.shellIn(pane)?.draft ?? []);
        const [draft] = drafts.filter((text) => text !== '');
        return draft === undefined ? null : `'${draft}' stands behind a prompt of ${session.label}`;
      },
    };
  },
};
