import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { visible } from '../../core/text/visible.ts';
import { brokenConfig } from '../../operations/config-failure.ts';
import type { Outside } from './outside.ts';

const LONGEST_WARNING = 500;

/** The names that config protects by now. A file that is wrong by now takes nothing back that was protected before. */
export function protectedNow({ env, cwd }: Outside, path: string | undefined): readonly string[] {
  const loading = loadConfig({ path, env, cwd });
  return loading.state === 'broken' ? [] : loading.config.settings.protect;
}

/** The settings, from files that are read now. */
export function configOf({ env, cwd, stderr }: Outside, path: string | undefined): LoadedConfig {
  const loading = loadConfig({ path, env, cwd });
  if (loading.state === 'broken') throw brokenConfig(loading.errors);
  const { config } = loading;
  // Not every command shows problems, and what protects sessions has to be told by each.
  for (const { code, text } of config.notices) {
    if (code === 'project-config-broken') stderr.write(`rollcall: ${visible(text, LONGEST_WARNING)}\n`);
  }
  return config;
}
