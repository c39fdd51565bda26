import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { SessionTarget } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';

/** Has a sleeper wake its agent when somebody comes to its session, where the settings say so. Gives what to tell. */
export async function awaitPeople(
  { tmux, wakesOnAttach }: Pick<Hands, 'tmux' | 'wakesOnAttach'>,
  session: SessionTarget,
  { paneId, pid }: Sleeper,
): Promise<string[]> {
  if (!wakesOnAttach) return [];
  const set = await tmux.enterOnAttach({ session, paneId, pid }, true);
  return set.state === 'done' ? [] : [`it does not wake when somebody attaches: ${set.text}`];
}
