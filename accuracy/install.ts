import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import pinned from './agents.json' with { type: 'json' };

export const AGENT_KINDS = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

interface Pin {
  readonly package: string;
  readonly version: string;
}

/** Where the agents are installed: outside the project, since they are large and not its dependencies. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return (
    env.ROLLCALL_AGENT_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rollcall', 'agents')
  );
}

export function versionOf(kind: AgentKind): string {
  return pinned.agents[kind].version;
}

export const RIVAL = `${pinned.rival.package} ${pinned.rival.version}`;

/** Installs what is missing, with its pinned version, and says so on the way. */
export function install(kinds: readonly AgentKind[], cache: string, say: (line: string) => void): void {
  for (const kind of kinds) installOne(join(cache, kind), pinned.agents[kind], say);
  // opencode fetches this before it loads any plugin, and hangs where there is no network.
  if (kinds.includes('opencode')) installOne(join(cache, 'opencode-plugin'), pinned.opencodePlugin, say);
  installOne(join(cache, 'ccmanager'), pinned.rival, say);
}

function installOne(folder: string, pin: Pin, say: (line: string) => void): void {
  if (installedVersion(folder, pin) === pin.version) return;
  say(`installing ${pin.package} ${pin.version} into ${folder} …`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const argv = ['install', '--no-fund', '--no-audit', '--loglevel=error', `${pin.package}@${pin.version}`];
  const done = spawnSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (done.status !== 0)
    throw new Error(`${pin.package} ${pin.version} could not be installed into ${folder}`);
}

function installedVersion(folder: string, pin: Pin): string | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', pin.package, 'package.json'), 'utf8'))
      .version;
  } catch {
    return null;
  }
}
