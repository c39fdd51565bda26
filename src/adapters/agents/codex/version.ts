import { basename, dirname } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import { linkAt } from '../../files/look.ts';
import { oncePerProcess, packageIn } from '../common/installed.ts';

/** The versions that were really run. */
export const VERIFIED: VersionRange = { from: '0.166.0', to: '0.166.0' };

const FOLDERS_UP = 6;
// `0.166.0-linux-x64` of npm's platform packages, `0.166.0-x86_64-unknown-linux-musl` of Codex's own.
const RELEASE = /^(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[\w.]*)?)(?:-[a-z][\w-]*)?$/;

/** Tells the version of a running Codex from where its program lies. */
export function createVersionReader(procRoot: string) {
  return oncePerProcess(({ pid }) => versionOf(linkAt(`${procRoot}/${pid}/exe`)));
}

function versionOf(program: string | null): string | undefined {
  // One that was updated under the running process no longer tells.
  if (program === null || program.endsWith(' (deleted)')) return undefined;
  let folder = dirname(program);
  for (let step = 0; step < FOLDERS_UP && folder !== '/'; step += 1, folder = dirname(folder)) {
    const version = RELEASE.exec(basename(folder))?.[1] ?? packaged(folder);
    if (version !== undefined) return version;
  }
  return undefined;
}

function packaged(folder: string): string | undefined {
  const found = packageIn(folder);
  return found?.name.startsWith('@openai/codex') ? RELEASE.exec(found.version)?.[1] : undefined;
}
