import { named } from '../close/ladder.ts';
import type { ProcessNote, SharedNote } from '../evidence.ts';
import type { PaneFacts } from '../facts.ts';
import type { CheckRule } from './check.ts';

/**
 * No process that left the tree still carries the mark of one of the panes, and nothing works for one of its agents below a
 * daemon that others share.
 */
export const nothingOutside: CheckRule = ({ facts }) => {
  const code = 'nothing-outside';
  const seen = facts.panes.flatMap((pane) => pane.processes ?? []);
  if (seen.length === 0 || seen.length < facts.panes.length)
    return { code, state: 'unknown', text: 'processes outside the tree cannot be seen' };
  const strays = seen.flatMap(({ processes }) => processes.filter((note) => note.relation === 'outside'));
  if (strays.length > 0)
    return { code, state: 'unmet', text: `${listed(strays)} left the tree and still runs` };
  const own = facts.panes.flatMap((pane) => sharedBy(pane, isOwn));
  if (own.length > 0)
    return { code, state: 'unmet', text: `${listed(own)} works for it below a daemon that others share` };
  const doubtful = facts.panes.flatMap((pane) => sharedBy(pane, isDoubtful));
  if (doubtful.length > 0) {
    const text = `whose ${listed(doubtful)} is cannot be told: it runs below a daemon that others share`;
    return { code, state: 'unknown', text };
  }
  return { code, state: 'met', text: 'no process outside the tree belongs to it' };
};

function listed(notes: readonly Pick<ProcessNote, 'program' | 'pid'>[]): string {
  const [first, ...more] = notes.map(named);
  return more.length > 0 ? `${first} and ${more.length} more` : `${first}`;
}

function sharedBy(
  pane: PaneFacts,
  of: (note: SharedNote, conversation: string | undefined, pane: PaneFacts) => boolean,
): readonly SharedNote[] {
  return (pane.processes?.shared ?? []).filter((note) => of(note, pane.agent?.conversation, pane));
}

function isOwn({ conversations }: SharedNote, conversation: string | undefined): boolean {
  return conversation !== undefined && conversations.includes(conversation);
}

// What names another's conversation is that one's: the pane only happened to start the daemon.
function isDoubtful(
  { conversations }: SharedNote,
  conversation: string | undefined,
  pane: PaneFacts,
): boolean {
  if (conversations.length === 0) return true;
  const hasAgent = pane.processes?.processes.some(({ role }) => role === 'agent') ?? false;
  return conversation === undefined && hasAgent;
}
