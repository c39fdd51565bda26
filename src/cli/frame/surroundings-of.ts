import type { LoadedConfig } from '../../config/load.ts';
import type { Look } from '../../engine/look/look.ts';
import { configured } from './capabilities.ts';
import type { Outside } from './outside.ts';
import type { Surroundings } from './surroundings.ts';

type Reader = typeof import('./read-settings.ts');

/** What a command has around it, and `ready`: loads what reads the settings, which takes a while. */
export function surroundingsOf(
  argv: readonly string[],
  outside: Outside,
  path: string | undefined,
): { readonly surroundings: Surroundings; ready(): Promise<Reader> } {
  let reader: Reader | undefined;
  let loaded: LoadedConfig | undefined;
  let composed: Promise<Look> | undefined;
  const ready = async () => {
    reader ??= await import('./read-settings.ts');
    return reader;
  };
  const readNow = () => {
    if (reader === undefined) throw new Error('a command with `settings: late` asked for them too early');
    return reader;
  };
  const config = () => {
    loaded ??= readNow().configOf(outside, path);
    return loaded;
  };
  const capabilities = configured(outside.capabilities, async () => {
    await ready();
    return config().settings;
  });
  const surroundings = {
    ...outside,
    ...capabilities,
    argv,
    get config() {
      return config();
    },
    get settings() {
      return config().settings;
    },
    protectNow: () => readNow().protectedNow(outside, path),
    look: async (options) => {
      await ready();
      composed ??= capabilities.eyes();
      return (await composed)(options);
    },
  } satisfies Surroundings;
  return { surroundings, ready };
}
