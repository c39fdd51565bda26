import type { JournalEntry } from '../machine/journal.ts';
import { isClose } from './deeds.ts';
import type { Law } from './law.ts';

/** No look after the decision asks git: what changed so lately may be unseen. */
const DECIDED_MS = 60_000;

export const noAutomaticCloseOfUnfinished: Law = {
  name: 'no-automatic-close-of-unfinished',
  sentence:
    'nothing is closed by itself with uncommitted or unpushed work, unless memory is short and the agent can be resumed',
  watch({ machine }) {
    const changed = new Map<string, number>();
    return {
      on(entry: JournalEntry) {
        if (entry.what === 'git') changed.set(entry.cwd, entry.at);
        return null;
      },
      before({ deed, session, truth }) {
        if (deed === null || session === null || truth === null || !isClose(deed) || !deed.isAutomatic)
          return null;
        if (deed.closing.reason?.endsWith('long-idle')) return null;
        const folders = truth.processes.map(({ cwd }) => cwd);
        for (const cwd of new Set(folders)) {
          const git = machine.git.at(cwd);
          const isSeen = machine.clock.ms - (changed.get(cwd) ?? 0) > DECIDED_MS;
          if (!isSeen || git.state !== 'repository') continue;
          const { dirtyFiles = 0, unpushedCommits = 0, isMerged } = git;
          if (dirtyFiles > 0) return `${dirtyFiles} files in ${cwd} of ${session.label} are not committed`;
          if (unpushedCommits > 0 && !isMerged)
            return `${unpushedCommits} commits in ${cwd} of ${session.label} are not pushed`;
        }
        return null;
      },
    };
  },
};
