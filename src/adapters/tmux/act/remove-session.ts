import type { Acted, PaneTarget, SessionTarget } from '../../../ports/actuator.ts';
import { actIf, type Reach } from './act-if.ts';
import { asActed, NOT_IDS } from './acted.ts';
import { isPaneOfSession, isSession, PANES_FORMAT, sessionAddress, sessionFacts } from './facts.ts';

const OTHER_PANES = 'its panes are not the same any more';

/**
 * Removes the session if its panes are exactly these. tmux tells the panes in its own order, so they are asked first and
 * compared here; then tmux compares them once more, in that order, in the command that removes.
 */
export async function removeSession(
  reach: Reach,
  session: SessionTarget,
  panes: readonly Omit<PaneTarget, 'session'>[],
): Promise<Acted> {
  if (!isSession(session) || !panes.every(isPaneOfSession)) return NOT_IDS;
  const target = sessionAddress(session);
  const { socketPath } = session.server;
  const facts = sessionFacts(session);
  const asked = await actIf(reach, {
    ...{ socketPath, target, facts },
    commands: [['display-message', '-p', '-t', target, PANES_FORMAT]],
  });
  if (asked.state !== 'done') return asActed(asked);
  const listed = asked.printed.toString('latin1').replace(/\n$/, '');
  if (!isSameSet(listed, panes)) return { state: 'changed', text: OTHER_PANES };
  return asActed(
    await actIf(reach, {
      ...{ socketPath, target },
      facts: [...facts, { format: PANES_FORMAT, value: listed, otherwise: OTHER_PANES }],
      commands: [['kill-session', '-t', session.sessionId]],
    }),
  );
}

// A window that is linked twice into the session shows its panes twice.
function isSameSet(listed: string, panes: readonly Omit<PaneTarget, 'session'>[]): boolean {
  if (!/^(?:%\d+=-?\d+ )+$/.test(listed)) return false;
  const found = new Set(listed.trimEnd().split(' '));
  const expected = new Set(panes.map(({ paneId, pid }) => `${paneId}=${pid}`));
  return found.size === expected.size && [...found].every((pane) => expected.has(pane));
}
