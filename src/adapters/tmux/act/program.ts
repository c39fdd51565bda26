import type { SessionWish } from '../../../ports/actuator.ts';

/** Why a wish cannot be carried out as it is, or null. */
export function wishProblem({ name, argv, env, withoutEnv, stamp }: SessionWish): string | null {
  if (name === '') return 'a session needs a name';
  if (argv.length === 0 || argv[0] === '') return 'there is no program to start';
  const odd = [...Object.keys(env), ...withoutEnv].find((variable) => !/^[^=]+$/.test(variable));
  if (odd !== undefined) return `not the name of a variable: "${odd}"`;
  // It stands in a pattern that tmux compares with.
  if (!/^[\w-]+$/.test(stamp.run)) return 'the word of a run has letters, digits, _ and - only';
  const texts = [
    name,
    ...argv,
    ...Object.entries(env).flat(),
    ...withoutEnv,
    stamp.owner,
    stamp.role,
    stamp.task,
  ];
  return texts.some((text) => text?.includes('\0')) ? 'no text may hold a NUL character' : null;
}

/**
 * The program behind `env`, which clears and sets variables with every tmux version and then becomes the program. More
 * than one word, so tmux executes it without a shell. A program with a = in its name would be a variable to `env`, so it
 * stands behind `nice`, which changes nothing here.
 */
export function programArguments({ argv, env, withoutEnv, stamp }: SessionWish): string[] {
  const kept = Object.entries(env).filter(([name]) => !withoutEnv.includes(name));
  const variables = [...kept, ['ROLLCALL_RUN', stamp.run], ['ROLLCALL_OWNER', stamp.owner]];
  return [
    '--',
    '/usr/bin/env',
    ...withoutEnv.flatMap((name) => ['-u', name]),
    '--',
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...(argv[0]?.includes('=') ? ['nice', '-n', '0', '--'] : []),
    ...argv,
  ];
}
