import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { tryOr } from '../../core/try-or.ts';
import type { HookAgent, HookScope } from '../../ports/hook-config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Places = NonNullable<ReturnType<typeof findPlaces>>;

/** Where everything lies; null without a home folder. */
export function findPlaces(env: Environment, cwd: string) {
  const home = env.HOME ?? '';
  if (!isAbsolute(home)) return null;
  const from = (variable: string, otherwise: string) => {
    const value = env[variable] ?? '';
    return isAbsolute(value) ? value : otherwise;
  };
  const own = join(from('XDG_DATA_HOME', join(home, '.local/share')), 'rollcall');
  const folders: Readonly<Record<HookAgent, string>> = {
    claude: from('CLAUDE_CONFIG_DIR', join(home, '.claude')),
    codex: from('CODEX_HOME', join(home, '.codex')),
    gemini: join(from('GEMINI_CLI_HOME', home), '.gemini'),
    opencode: join(from('XDG_CONFIG_HOME', join(home, '.config')), 'opencode'),
  };
  const project = repositoryAround(cwd, home);
  return {
    /** The script that agents call. */
    script: join(own, 'hook.sh'),
    /** What rollcall did to which file. */
    records: join(own, 'hook-edits.json'),
    /** Where Codex keeps what its user has reviewed. */
    codexConfig: join(folders.codex, 'config.toml'),
    /** The root of the repository that the current folder is in; null outside of one, and where that is the home folder. */
    project,
    /** The folder of an agent's own settings. */
    folderOf: (agent: HookAgent) => folders[agent],
    /** The file that gets the hooks; in project scope only with a project. */
    fileOf: (agent: HookAgent, scope: HookScope) =>
      scope === 'user'
        ? fileIn(agent, folders[agent], scope)
        : fileIn(agent, join(project ?? cwd, `.${agent}`), scope),
  };
}

/** Whether the agent's folder is there, or its program can be called. */
export function isInUse(agent: HookAgent, places: Places, env: Environment): boolean {
  if (existsSync(places.folderOf(agent))) return true;
  return (env.PATH ?? '')
    .split(delimiter)
    .some((folder) => isAbsolute(folder) && existsSync(join(folder, agent)));
}

function fileIn(agent: HookAgent, folder: string, scope: HookScope): string {
  switch (agent) {
    case 'claude':
      // The path of the script is of this machine: it belongs into the file that is not shared with the team.
      return join(folder, scope === 'user' ? 'settings.json' : 'settings.local.json');
    case 'codex':
      return join(folder, 'hooks.json');
    case 'gemini':
      return join(folder, 'settings.json');
    case 'opencode':
      // opencode reads both folders; a user has one of them.
      return join(folder, hasPlugins(folder) ? 'plugins' : 'plugin', 'rollcall.ts');
  }
}

function repositoryAround(cwd: string, home: string): string | null {
  const homes = new Set([home, tryOr(home, () => realpathSync(home))]);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (homes.has(folder)) return null;
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

function hasPlugins(folder: string): boolean {
  return statSync(join(folder, 'plugins'), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
