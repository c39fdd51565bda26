import type { Look } from '../look/look.ts';

/** The same look for several who ask: two at once would each forget what the other saw. */
export function serialLook(look: Look): Look {
  const alone = oneAtATime();
  return (options) => alone(() => look(options));
}

/** Does one piece of work after the other, in the order in which it was asked for; what fails fails only for its asker. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };
}
