import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import { createKeep } from '../../files/keep.ts';
import { readEnd } from '../common/read-file.ts';

/** The versions that were really run. */
export const VERIFIED: VersionRange = { from: '0.166.0', to: '0.166.0' };

const MAX_BYTES = 64 * 1024;
const MAX_KEPT = 2_000;
const FOLDERS_UP = 6;
// `0.166.0-linux-x64` of npm's platform packages, `0.166.0-x86_64-unknown-linux-musl` of Codex's own.
const RELEASE = /^(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[\w.]*)?)(?:-[a-z][\w-]*)?$/;

/** Tells the version of a running Codex from where its program lies. Each process is looked up once. */
export function createVersionReader(
  procRoot: string,
): (process: { readonly pid: number; readonly startTicks: number }) => string | undefined {
  const kept = createKeep<{ readonly version: string | undefined }>(MAX_KEPT);
  return ({ pid, startTicks }) => {
    const key = `${pid} ${startTicks}`;
    return (kept.get(key) ?? kept.set(key, { version: versionOf(`${procRoot}/${pid}/exe`) })).version;
  };
}

function versionOf(exe: string): string | undefined {
  let program: string;
  try {
    program = readlinkSync(exe);
  } catch {
    return undefined;
  }
  // One that was updated under the running process no longer tells.
  if (program.endsWith(' (deleted)')) return undefined;
  let folder = dirname(program);
  for (let step = 0; step < FOLDERS_UP && folder !== '/'; step += 1, folder = dirname(folder)) {
    const version = RELEASE.exec(folder.slice(folder.lastIndexOf('/') + 1))?.[1] ?? packaged(folder);
    if (version !== undefined) return version;
  }
  return undefined;
}

function packaged(folder: string): string | undefined {
  const read = readEnd(join(folder, 'package.json'), MAX_BYTES);
  if (read.state !== 'read' || read.isCut) return undefined;
  try {
    const { name, version } = JSON.parse(read.text) as Record<string, unknown>;
    const isCodex = typeof name === 'string' && name.startsWith('@openai/codex');
    return isCodex && typeof version === 'string' ? RELEASE.exec(version)?.[1] : undefined;
  } catch {
    return undefined;
  }
}
