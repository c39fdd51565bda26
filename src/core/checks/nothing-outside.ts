import { RUN_BY_SERVER } from '../sight/server-jobs.ts';
import { listedUsers as listed, USES_TERMINAL } from '../sight/terminal-users.ts';
import type { SharedNote } from '../verdict/evidence.ts';
import type { PaneFacts } from '../verdict/facts.ts';
import { check, met, unknown, unmet } from './check.ts';

/**
 * No process that was started in one of the panes and detached from it still runs, nothing else has its terminal open, and
 * nothing works for one of its agents below a daemon that others share.
 */
export const nothingOutside = check('nothing-outside', ({ facts }) => {
  const seen = facts.panes.flatMap((pane) => pane.processes ?? []);
  if (seen.length === 0 || seen.length < facts.panes.length)
    return unknown('detached processes cannot be seen');
  const left = seen.flatMap(({ processes }) => processes.filter((note) => note.relation === 'outside'));
  const strays = left.filter(({ isKeeper }) => !isKeeper);
  if (strays.length > 0) {
    const how =
      strays.length > 1
        ? 'were started here, detached, and still run'
        : 'was started here, detached, and still runs';
    return unmet(`${listed(strays)} ${how}`);
  }
  const users = seen.flatMap(({ terminalUsers }) => terminalUsers ?? []);
  const jobs = users.filter(({ isJob }) => isJob);
  if (jobs.length > 0) return unmet(`${listed(jobs)} ${RUN_BY_SERVER}`);
  if (users.length > 0) return unmet(`${listed(users)} ${USES_TERMINAL}`);
  const own = facts.panes.flatMap((pane) => sharedIn(pane).filter((note) => isOwn(note, pane)));
  if (own.length > 0) return unmet(`${listed(own)} works for it below a daemon that others share`);
  const doubtful = facts.panes.flatMap((pane) => sharedIn(pane).filter((note) => isDoubtful(note, pane)));
  if (doubtful.length > 0) {
    const text = `whose ${listed(doubtful)} is cannot be told: it runs below a daemon that others share`;
    return unknown(text);
  }
  if (seen.some(({ terminalUsers }) => terminalUsers === null))
    return unknown('who uses its terminal cannot be told');
  const stay = left.length === 0 ? '' : `; ${listed(left)} serves more than this session, and stays`;
  return met(`no detached process belongs to it${stay}`);
});

function sharedIn({ processes }: PaneFacts): readonly SharedNote[] {
  return processes?.shared ?? [];
}

function isOwn({ conversations }: SharedNote, { agent }: PaneFacts): boolean {
  return agent?.conversation !== undefined && conversations.includes(agent.conversation);
}

// What names another's conversation is that one's: the pane only happened to start the daemon.
function isDoubtful({ conversations }: SharedNote, { agent, processes }: PaneFacts): boolean {
  const hasAgent = processes?.processes.some(({ role }) => role === 'agent');
  return conversations.length === 0 || (agent?.conversation === undefined && hasAgent === true);
}
