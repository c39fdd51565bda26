import type { Act } from './acts.ts';
import { type Deed, isClose } from './deeds.ts';
import type { Law, Verdict } from './law.ts';
import { GLANCE_MS, Since } from './shown.ts';

/** Law 1 of rollcall, as far as agents, shells and programs are concerned. */
export const noCloseAtWork: Law = {
  name: 'no-close-at-work',
  sentence:
    'what works, waits for someone, or has tasks in the background is not closed, hibernated, typed into or signalled',
  watch({ machine }) {
    const since = new Since(machine.clock);
    const paneMs = new Map<string, number>();
    return {
      on(entry) {
        since.on(entry);
        if (entry.what === 'pane-started' && entry.key !== null) paneMs.set(entry.key, entry.at);
        return null;
      },
      before(act) {
        const { deed, truth, session } = act;
        if (truth === null || session === null || deed === null || !isClose(deed) || deed.closing.isForced)
          return null;
        if (isTakingBack(act)) return null;
        for (const agent of truth.agents) {
          const { turn, isStarting, dialog, background } = agent.truth;
          const at = (what: string) => `${session.label} ${what}`;
          if (isStarting) return at('is starting');
          if (turn === 'running' && since.isShown(agent, 'turn-began')) return at('works');
          if (dialog !== null && since.isShown(agent, 'dialog-opened')) return at(`waits: ${dialog}`);
          if (background > 0 && since.isShown(agent, 'background')) return at('has tasks in the background');
        }
        // Keys reach one pane: of one that came since the last look only a removal would take anything away.
        const isKeys = act.doing.what === 'type' || act.doing.what === 'press';
        const isNew = machine.clock.ms - (paneMs.get(session.key) ?? Number.NEGATIVE_INFINITY) <= GLANCE_MS;
        return isKeys && isNew ? null : busy(act, deed);
      },
    };
  },
};

// What rollcall itself has typed is taken back also where a turn has begun meanwhile: nothing else is done.
function isTakingBack({ doing }: Act): boolean {
  return doing.what === 'press' && doing.key === 'BSpace';
}

function busy({ doing, truth, session }: Act, { entry }: Deed): Verdict {
  if (truth?.isBusy) return `${session?.label} runs a command`;
  const isRemoved = doing.what === 'kill-session';
  const [agent] = isRemoved ? (truth?.agents ?? []) : [];
  return agent === undefined
    ? null
    : `${session?.label} has a living agent, and its ${entry.action} removes it`;
}
