import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Dwelling } from './habitat.ts';
import type { AgentKind } from './install.ts';

/** Lets rollcall put its hooks into an agent's configuration, as a user would. Says what went wrong, or null. */
export function installHooks(kind: AgentKind, { env, work }: Dwelling): string | null {
  const argv = [resolve('dist/rollcall.cjs'), 'hooks', 'install', '--yes', kind];
  const done = spawnSync(process.execPath, argv, { cwd: work, env, encoding: 'utf8', timeout: 30_000 });
  if (done.status === 0) return null;
  return `hooks could not be installed: ${(done.stderr || done.stdout || String(done.error)).trim().slice(0, 300)}`;
}
