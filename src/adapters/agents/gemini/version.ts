import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { createKeep } from '../../files/keep.ts';
import { readEnd } from '../common/read-file.ts';

/** The versions that were really run. */
export const VERIFIED: VersionRange = { from: '0.61.0', to: '0.61.0' };

const MAX_BYTES = 65_536;
const MAX_KEPT = 2_000;
const FOLDERS_UP = 4;

interface Installed {
  readonly version: string;
  readonly changedAt: number;
}

/**
 * Tells the version of a running Gemini from the package that its script lies in. A package that was changed after the
 * process had started (Gemini updates itself) no longer tells what is running. Each process is looked up once.
 */
export function createVersionReader(): (process: AgentProcess) => string | undefined {
  const kept = createKeep<{ readonly version: string | undefined }>(MAX_KEPT);
  return (process) => {
    const key = `${process.pid} ${process.startTicks}`;
    const known = kept.get(key);
    if (known !== undefined) return known.version;
    const installed = installedFor(process.argv);
    const version =
      installed && installed.changedAt <= process.startedAt + CLOCK_SLACK_MS ? installed.version : undefined;
    return kept.set(key, { version }).version;
  };
}

const CLOCK_SLACK_MS = 1_000;

function installedFor(argv: readonly string[]): Installed | null {
  const script = argv.find((word) => word.startsWith('/') && /^gemini(?:\.js)?$/.test(basename(word)));
  if (script === undefined) return null;
  try {
    let folder = dirname(realpathSync(script));
    for (let step = 0; step < FOLDERS_UP; step += 1, folder = dirname(folder)) {
      const version = versionIn(join(folder, 'package.json'));
      if (version) return version;
    }
  } catch {
    // Not there any more, or not ours to read: the version stays unknown.
  }
  return null;
}

function versionIn(path: string): Installed | null {
  const read = readEnd(path, MAX_BYTES);
  if (read.state !== 'read' || read.isCut) return null;
  try {
    const { name, version } = JSON.parse(read.text) as Record<string, unknown>;
    if (name !== '@google/gemini-cli' || typeof version !== 'string' || version.length > 40) return null;
    const { ctimeMs, mtimeMs } = statSync(path);
    return { version, changedAt: Math.max(ctimeMs, mtimeMs) };
  } catch {
    return null;
  }
}
