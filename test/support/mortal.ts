import { isLasting } from '../../scripts/lasting.ts';
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

/**
 * The same at the n-th function of a port that lasts, whether its step has a name or not. Tells which it was, or what came of
 * the act where there are not so many.
 */
export async function killedAtCall(
  handsWith: () => Promise<Hands>,
  moment: readonly ['before' | 'after', number],
  act: (hands: Hands) => Promise<unknown>,
): Promise<{ readonly diedAt: string } | { readonly livesOn: unknown }> {
  const [when, last] = moment;
  let count = 0;
  let diedAt: string | null = null;
  const strike = (name: string) => {
    diedAt = name;
    throw new Killed();
  };
  const around = async (name: string, work: () => unknown) => {
    const result = await work();
    return count === last && diedAt === null ? strike(name) : result;
  };
  const call = (name: string, work: () => unknown) => {
    if (count >= last) return work();
    count += 1;
    if (count < last) return work();
    if (when === 'before') strike(name);
    const result = work();
    if (result instanceof Promise) return around(name, () => result);
    return strike(name);
  };
  const hands = mortal(await handsWith(), () => diedAt !== null, call);
  try {
    const livesOn = await act(hands);
    return diedAt === null ? { livesOn } : { diedAt };
  } catch (error) {
    if (diedAt !== null) return { diedAt };
    throw error;
  }
}

/** Every function of them, and of what they hold, throws once they are dead. */
function mortal(
  hands: Hands,
  isDead: () => boolean,
  lasting: (name: string, work: () => unknown) => unknown = (_, work) => work(),
): Hands {
  const guarded = (value: unknown, self: object, name: string, port = '') =>
    typeof value === 'function'
      ? (...given: unknown[]) => {
          if (isDead()) throw new Killed();
          const work = () => value.apply(self, given);
          // The kernel lets locks go, whenever their holder dies.
          const isKept = isLasting(port, name) && port !== 'locks' && port !== 'writer';
          return isKept ? lasting(`${port}.${name}`, work) : work();
        }
      : value;
  const port = (whole: object, of: string) =>
    new Proxy(whole, {
      get: (target, name) => guarded(Reflect.get(target, name), target, String(name), of),
    });
  const parts = Object.entries(hands).map(([name, value]) => {
    const isPort = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isPort ? port(value, name) : guarded(value, hands, name)];
  });
  return Object.fromEntries(parts) as Hands;
}
