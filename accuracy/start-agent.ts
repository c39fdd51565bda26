import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from './actor.ts';
import { CHANGING } from './actor.ts';
import type { Cast } from './cast.ts';
import type { Specimen } from './specimens/specimen.ts';
import type { Truth } from './truth.ts';
import { hold } from './turns.ts';
import { NotReached, until } from './until.ts';

/**
 * Starts the agent as a person does, in a folder of the session's own, at a shell's prompt, and answers what it asks before its own prompt is there. Without
 * a truth to begin with it only starts it.
 */
export async function startAgent(actor: Actor, cast: Cast, cwd: string, begin: Truth | null): Promise<void> {
  const { tmux, lane, props } = cast;
  const own = join(cwd, actor.session);
  mkdirSync(own, { recursive: true });
  const { specimen } = actor;
  const size = ['-x', `${lane.columns}`, '-y', '40'];
  tmux.run('new-session', '-d', '-s', actor.session, ...size, '-c', own, 'exec bash --noprofile --norc -i');
  if (!(await until(async () => /[$#] *$/m.test(await actor.screen()), 10_000))) {
    throw new NotReached('the shell did not come up');
  }
  actor.mark(CHANGING);
  await actor.submit(specimen.command(lane.variant));
  if (!begin) return;
  let readyAt: number | null = null;
  const isUp = await until(async () => {
    const screen = await actor.screen();
    const dialog = specimen.atStart.find(({ pattern }) => pattern.test(screen));
    if (dialog) {
      readyAt = null;
      await answer(actor, dialog, props.holdMs);
      cast.answered.add(dialog.pattern);
      return false;
    }
    // New hooks are reviewed once in a home, and that may come seconds after the prompt.
    const isAwaited = lane.hasHooks && specimen.atStart.some(({ pattern }) => !cast.answered.has(pattern));
    if (!specimen.ready.test(screen) || isAwaited) return false;
    readyAt ??= Date.now();
    // A prompt may flash up before a dialog takes its place.
    return Date.now() - readyAt >= 2000;
  }, 120_000);
  if (!isUp || readyAt === null) throw new NotReached('its prompt did not come');
  actor.mark(begin, readyAt);
}

async function answer(actor: Actor, dialog: Specimen['atStart'][number], holdMs: number): Promise<void> {
  const { pattern, keys, waitingFor } = dialog;
  actor.mark({ state: `waiting: ${waitingFor}`, activity: 'waiting', waitingFor, mayClose: false });
  await hold(holdMs);
  actor.mark(CHANGING);
  for (const key of keys) {
    await actor.keys([key]);
    await hold(500);
    if (!pattern.test(await actor.screen())) return;
  }
}
