import type { Surroundings } from './surroundings.ts';

interface ColorFlags {
  readonly color: 'auto' | 'always' | 'never' | undefined;
  readonly 'no-color': boolean;
}

/** A flag decides first, then the environment (no-color.org), then whether anyone sees it. */
export function isColor(flags: ColorFlags, { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): boolean {
  if (flags['no-color'] || flags.color === 'never') return false;
  if (flags.color === 'always') return true;
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return stdout.isTTY;
}
