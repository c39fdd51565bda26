import type { Actor } from './actor.ts';
import { NotReached, until } from './until.ts';

/**
 * Answers what an agent asks at its start, and waits until its prompt stays. Given what has been answered in its home, it
 * waits for what is still to be asked: new hooks are reviewed once, and that may come seconds after the prompt.
 */
export async function reachPrompt(actor: Actor, answered: Set<RegExp> | null = null): Promise<void> {
  const { atStart, ready } = actor.specimen;
  let readyAt: number | null = null;
  const isUp = await until(async () => {
    const screen = await actor.screen();
    const dialog = atStart.find(({ pattern }) => pattern.test(screen));
    if (dialog) {
      readyAt = null;
      await actor.keys(dialog.keys);
      answered?.add(dialog.pattern);
      return false;
    }
    const isAwaited = answered !== null && atStart.some(({ pattern }) => !answered.has(pattern));
    if (!ready.test(screen) || isAwaited) return false;
    readyAt ??= Date.now();
    // A dialog may take the place of a prompt that flashes up.
    return Date.now() - readyAt >= 4000;
  }, 240_000);
  if (!isUp) throw new NotReached('its prompt did not come');
}
