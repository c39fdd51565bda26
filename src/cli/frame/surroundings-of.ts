import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { visible } from '../../core/text/visible.ts';
import type { Look } from '../../engine/look/look.ts';
import { brokenConfig } from '../../operations/config-failure.ts';
import { configured } from './capabilities.ts';
import type { Outside } from './outside.ts';
import type { Surroundings } from './surroundings.ts';

const LONGEST_WARNING = 500;

/** What a command has around it. Files with settings are read when it first asks for them. */
export function surroundingsOf(
  argv: readonly string[],
  outside: Outside,
  path: string | undefined,
): Surroundings {
  let loaded: LoadedConfig | undefined;
  let composed: Promise<Look> | undefined;
  const config = () => {
    loaded ??= configOf(outside, path);
    return loaded;
  };
  const capabilities = configured(outside.capabilities, () => config().settings);
  return {
    ...outside,
    ...capabilities,
    argv,
    get config() {
      return config();
    },
    get settings() {
      return config().settings;
    },
    protectNow: () => protectedNow(outside, path),
    look: async (options) => {
      composed ??= capabilities.eyes();
      return (await composed)(options);
    },
  };
}

// A file that is wrong by now takes nothing back that was protected before.
function protectedNow({ env, cwd }: Outside, path: string | undefined): readonly string[] {
  const loading = loadConfig({ path, env, cwd });
  return loading.state === 'broken' ? [] : loading.config.settings.protect;
}

function configOf({ env, cwd, stderr }: Outside, path: string | undefined): LoadedConfig {
  const loading = loadConfig({ path, env, cwd });
  if (loading.state === 'broken') throw brokenConfig(loading.errors);
  const { config } = loading;
  // Not every command shows problems, and what protects sessions has to be told by each.
  for (const { code, text } of config.notices) {
    if (code === 'project-config-broken') stderr.write(`rollcall: ${visible(text, LONGEST_WARNING)}\n`);
  }
  return config;
}
