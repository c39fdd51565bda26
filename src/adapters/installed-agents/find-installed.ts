import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isWithin, type VersionRange } from '../../core/agent/version.ts';
import type { InstalledAgent } from '../../core/doctor/sightings.ts';
import { endGroup } from '../programs/end-group.ts';
import { runProgram } from '../programs/run-program.ts';

export interface FindInstalledOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Kinds of agents, which are also the names of their programs. */
  readonly agents: readonly { readonly kind: string; readonly verified?: VersionRange }[];
  readonly timeoutMs?: number;
}

// The heaviest of them unpack themselves at the first start.
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 64 * 1024;

/** Finds the first program of each name on PATH and asks all of them at once. */
export async function findInstalled(options: FindInstalledOptions): Promise<readonly InstalledAgent[]> {
  const { env, agents, timeoutMs = TIMEOUT_MS } = options;
  const found = agents.flatMap(({ kind, verified }) => {
    const path = onPath(kind, env.PATH ?? '');
    return path === null ? [] : [{ kind, verified, path }];
  });
  return Promise.all(
    found.map(async ({ kind, verified, path }): Promise<InstalledAgent> => {
      const version = await versionOf(path, env, timeoutMs);
      const isVerified = verified !== undefined && isWithin(version ?? undefined, verified);
      return { kind, path, version, verified: verified ?? null, isVerified };
    }),
  );
}

// An empty or relative entry of PATH means the current folder, which is nobody's place for programs.
function onPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (isAbsolute(folder) && isProgram(file)) return file;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

// In a group of its own, which ends as a whole: a launcher's child must not outlive the question.
async function versionOf(path: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<string | null> {
  let asked: ChildProcess | undefined;
  const run = await runProgram({
    argv: [path, '--version'],
    env,
    timeoutMs,
    maxBytes: MAX_ANSWER,
    isGroup: true,
    onExit(child) {
      asked = child;
    },
  });
  // It may answer after its launcher has ended.
  if (asked !== undefined) endGroup(asked);
  const answer = run.ended === 'unstartable' ? '' : run.stdout.toString('utf8');
  return /(?<![\d.])\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?![\d.])/.exec(answer)?.[0] ?? null;
}
