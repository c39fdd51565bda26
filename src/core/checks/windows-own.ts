import type { CheckRule } from './check.ts';

/** Its windows are its own: closing a grouped session, or one with a linked window, would end nothing. */
export const windowsOwn: CheckRule = ({ facts }) => {
  const code = 'windows-own';
  const shared = facts.panes.filter((pane) => pane.pane?.isWindowShared);
  if (shared.length > 0)
    return { code, state: 'unmet', text: 'another session shares its windows and keeps them alive' };
  return facts.panes.length > 0 && facts.panes.every((pane) => pane.pane)
    ? { code, state: 'met', text: 'no other session shares its windows' }
    : { code, state: 'unknown', text: 'whether its windows are shared is not known' };
};
