import type { CheckRule } from './check.ts';

/** No process that left the tree still carries the mark of one of the panes. */
export const nothingOutside: CheckRule = ({ facts }) => {
  const code = 'nothing-outside';
  const seen = facts.panes.flatMap((pane) => pane.processes ?? []);
  if (seen.length === 0 || seen.length < facts.panes.length)
    return { code, state: 'unknown', text: 'processes outside the tree cannot be seen' };
  const strays = seen.flatMap(({ processes }) => processes.filter((note) => note.relation === 'outside'));
  const [first] = strays;
  if (!first) return { code, state: 'met', text: 'no process outside the tree belongs to it' };
  const more = strays.length > 1 ? ` and ${strays.length - 1} more` : '';
  return {
    code,
    state: 'unmet',
    text: `${first.program} (pid ${first.pid})${more} left the tree and still runs`,
  };
};
