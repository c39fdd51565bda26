import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { defaultValues, type Settings, toSettings } from '../../config/settings.ts';
import { visible } from '../../core/text/visible.ts';
import type { Look } from '../../engine/look/look.ts';
import { brokenConfig } from '../../operations/config-failure.ts';
import { Failure } from '../../operations/failure.ts';
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
  return {
    ...outside,
    argv,
    get config() {
      return config();
    },
    get settings() {
      return config().settings;
    },
    hands: () => outside.composeHands(config().settings),
    standIn: () => outside.composeStandIn(config().settings),
    beginDaemon: (servers) =>
      outside.composeDaemon(config().settings, servers, () => protectedNow(outside, path)),
    pressure: () => outside.composePressure(config().settings),
    reapDesk: () => outside.composeReapDesk(config().settings),
    gate: () => outside.composeGate(settingsOrStandard(config)),
    doctor: () => outside.composeDoctor(config().settings, outside.cwd),
    theatre: () => outside.composeTheatre(config().settings),
    look: async (options) => {
      composed ??= outside.compose(config().settings);
      return (await composed)(options);
    },
  };
}

// What only lets agents stop must not wait until a file is mended.
function settingsOrStandard(config: () => LoadedConfig): Settings {
  try {
    return config().settings;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return toSettings(defaultValues());
  }
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
