import { resolve } from 'node:path';
import type { Surroundings } from '../frame/surroundings.ts';
import { serverWords } from '../roll/take-roll.ts';

/** A call of `rollcall up` in any of its forms. */
export interface UpCall {
  readonly flags: {
    readonly json: boolean;
    readonly yes: boolean;
    readonly config: string | undefined;
    readonly server: readonly string[];
    readonly color: 'auto' | 'always' | 'never' | undefined;
    readonly 'no-color': boolean;
  };
  readonly surroundings: Surroundings;
}

/** The words that start the daemon in the foreground, from whatever folder. */
export function foregroundWords({ flags, surroundings }: UpCall): string[] {
  const { self, cwd } = surroundings;
  const config = flags.config === undefined ? [] : ['--config', resolve(cwd, flags.config)];
  const servers = serverWords(flags.server, surroundings).flatMap((word) => ['--server', word]);
  return [...self, 'up', '--foreground', ...config, ...servers];
}
