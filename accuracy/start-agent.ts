import type { Actor } from './actor.ts';
import { CHANGING } from './actor.ts';
import type { Cast } from './lane.ts';
import type { Truth } from './truth.ts';
import { hold } from './turns.ts';
import { NotReached, until } from './until.ts';

/**
 * Starts the agent as a person does, at a shell's prompt, and answers what it asks before its own prompt is there. Without
 * a truth to begin with it only starts it.
 */
export async function startAgent(actor: Actor, cast: Cast, cwd: string, begin: Truth | null): Promise<void> {
  const { tmux, lane, props } = cast;
  const { specimen } = actor;
  const size = ['-x', `${lane.columns}`, '-y', '40'];
  tmux.run('new-session', '-d', '-s', actor.session, ...size, '-c', cwd, 'exec bash --noprofile --norc -i');
  if (!(await until(async () => /[$#] *$/m.test(await actor.screen()), 10_000))) {
    throw new NotReached('the shell did not come up');
  }
  actor.mark(CHANGING);
  await actor.submit(specimen.command(lane.variant));
  if (!begin) return;
  const isReady = async () => specimen.ready.test(await actor.screen());
  const asked = new Set<RegExp>();
  const isUp = await until(async () => {
    const screen = await actor.screen();
    for (const { pattern, keys, waitingFor } of specimen.atStart) {
      if (!pattern.test(screen) || asked.has(pattern)) continue;
      asked.add(pattern);
      actor.mark({ state: `waiting: ${waitingFor}`, activity: 'waiting', waitingFor, mayClose: false });
      await hold(props.holdMs);
      actor.mark(CHANGING);
      for (const key of keys) {
        actor.keys([key]);
        await hold(300);
      }
      return false;
    }
    return (await isReady()) && !specimen.atStart.some(({ pattern }) => pattern.test(screen));
  }, 120_000);
  if (!isUp) throw new NotReached('its prompt did not come');
  actor.mark(begin);
}
