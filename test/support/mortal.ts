import type { Hands, OnStep } from '../../src/engine/act/hands.ts';

class Killed extends Error {}

/**
 * Acts with hands that die at one moment: from then on nothing of them reaches the world, whatever still catches or cleans up;
 * what they hold is let go, as the kernel does it. That is what a SIGKILL leaves behind, at a tenth of the price: a process of
 * its own has to be started, and runs for the first time whatever it runs. `strikes` tells whether they die at this step.
 */
export async function killedInside(
  handsWith: (changes: Pick<Hands, 'onStep'>) => Promise<Hands>,
  strikes: (...moment: Parameters<OnStep>) => boolean,
  act: (hands: Hands) => Promise<unknown>,
): Promise<'killed' | { readonly livesOn: unknown }> {
  let isDead = false;
  const onStep: OnStep = (...moment) => {
    isDead ||= strikes(...moment);
    if (isDead) throw new Killed();
  };
  const hands = mortal(await handsWith({ onStep }), () => isDead);
  try {
    const livesOn = await act(hands);
    return isDead ? 'killed' : { livesOn };
  } catch (error) {
    if (isDead) return 'killed';
    throw error;
  }
}

/** Every function of them, and of what they hold, throws once they are dead. */
function mortal(hands: Hands, isDead: () => boolean): Hands {
  const guarded = (value: unknown, self: object) =>
    typeof value === 'function'
      ? (...given: unknown[]) => {
          if (isDead()) throw new Killed();
          return value.apply(self, given);
        }
      : value;
  const port = (whole: object) =>
    new Proxy(whole, { get: (target, name) => guarded(Reflect.get(target, name), target) });
  const parts = Object.entries(hands).map(([name, value]) => {
    const isPort = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isPort ? port(value) : guarded(value, hands)];
  });
  return Object.fromEntries(parts) as Hands;
}
