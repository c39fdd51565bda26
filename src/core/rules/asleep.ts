import type { Rule } from './rule.ts';

/** Its agent left and sleeps: the sleeper that rollcall put there waits in its place, or has ended there. */
export const asleep: Rule = ({ pane }) => {
  if (!pane?.asleep) return null;
  const { at: since, agentKind } = pane.asleep;
  const how = pane.isDead
    ? 'its sleeper has ended; rollcall wake wakes it'
    : 'Enter in its pane, or rollcall wake, wakes it';
  const text = `${agentKind ?? 'its agent'} sleeps; ${how}`;
  const { observedAt } = pane;
  return { activity: 'asleep', since, reason: { code: 'asleep', source: 'declared', observedAt, text } };
};
