import type { Actor } from './actor.ts';
import type { Cast } from './cast.ts';
import { idle, SCENES } from './scenes.ts';
import { startAgent } from './start-agent.ts';

/** Two sessions that share one server process, in different states at the same time: neither is taken for the other. */
export async function playPair(cast: Cast): Promise<void> {
  const { dwelling, props } = cast;
  const [left, right] = [cast.enter('pair-left'), cast.enter('pair-right')];
  await cast.attempt('pair', [left, right], async () => {
    for (const actor of [left, right]) await startAgent(actor, cast, dwelling.work, idle('idle: fresh'));
    const play = (actor: Actor, scene: string) => SCENES[scene]?.(actor, props) ?? Promise.resolve();
    await play(left, 'silent');
    await play(right, 'stall');
    await Promise.all([play(left, 'permission'), play(right, 'after-turn')]);
    await Promise.all([play(left, 'after-turn'), play(right, 'quiet')]);
  });
  cast.leave(left);
  cast.leave(right);
}
