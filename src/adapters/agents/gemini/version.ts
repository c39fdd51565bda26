import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { oncePerProcess, packageIn } from '../common/installed.ts';

/** The versions that were really run. */
export const VERIFIED: VersionRange = { from: '0.61.0', to: '0.61.0' };

const FOLDERS_UP = 4;
const CLOCK_SLACK_MS = 1_000;

/**
 * Tells the version of a running Gemini from the package of its script; unknown if the package changed after the start
 * (Gemini updates itself).
 */
export function createVersionReader() {
  return oncePerProcess(({ argv, startedAt }: AgentProcess) => {
    const script = argv.find((word) => word.startsWith('/') && /^gemini(?:\.js)?$/.test(basename(word)));
    const installed = script === undefined ? null : installedFor(script);
    return installed && installed.changedAt <= startedAt + CLOCK_SLACK_MS ? installed.version : undefined;
  });
}

function installedFor(script: string): ReturnType<typeof packageIn> {
  // A script that is not there any more, or not ours to read, tells nothing.
  let folder = tryOr(null, () => dirname(realpathSync(script)));
  for (let step = 0; folder !== null && step < FOLDERS_UP; step += 1, folder = dirname(folder)) {
    const found = packageIn(folder);
    if (found?.name === '@google/gemini-cli' && found.version.length <= 40) return found;
  }
  return null;
}
