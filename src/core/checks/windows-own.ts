import { check, met, unknown, unmet } from './check.ts';

/** Its windows are its own: closing a grouped session, or one with a linked window, would end nothing. */
export const windowsOwn = check('windows-own', ({ facts }) => {
  const shared = facts.panes.filter((pane) => pane.pane?.isWindowShared);
  if (shared.length > 0) return unmet('another session shares its windows and keeps them alive');
  return facts.panes.length > 0 && facts.panes.every((pane) => pane.pane)
    ? met('no other session shares its windows')
    : unknown('whether its windows are shared is not known');
});
