import { isGone } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';
import type { Sight, Subject } from './look-at.ts';

/**
 * What a person should know about what came after: something that brought it back (a hook, another supervisor), and
 * windows that live on in other sessions. rollcall itself brings nothing back.
 */
export async function comingBack(
  hands: Hands,
  { name, target, key }: Subject,
  before: Extract<Sight, { state: 'there' }>,
): Promise<string[]> {
  const { sessions } = await hands.look({ servers: [target.server.socketPath], withoutGit: true });
  const again = sessions.filter(
    (entry) =>
      entry.name === name && entry.key !== key && !isGone(entry) && entry.createdAt + 1000 > before.roll.at,
  );
  const shared = before.panes.filter(({ isShared }) => isShared).map(({ paneId }) => paneId);
  return [
    ...again.map((entry) => `another session took its name while it was closed: ${entry.key}`),
    ...(shared.length > 0 ? [`in other sessions live on: ${shared.join(', ')}`] : []),
  ];
}
