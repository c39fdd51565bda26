import { dirname, join } from 'node:path';
import type { VersionRange } from '../../../core/agent/version.ts';
import type { AgentProcess } from '../../../ports/agent.ts';
import { createKeep } from '../../files/keep.ts';
import { linkAt } from '../../files/look.ts';
import { readEnd } from '../common/read-file.ts';

/** The versions that were really run and looked at. */
export const VERIFIED: VersionRange = { from: '1.18.33', to: '1.18.33' };

const MAX_PACKAGE_BYTES = 64 * 1024;

const MAX_KEPT = 2000;

/** Makes a reader that looks once per process: what a process runs does not change. */
export function createVersionReader(): (process: AgentProcess) => string | undefined {
  const kept = createKeep<{ readonly version: string | undefined }>(MAX_KEPT);
  return (process) => {
    const key = `${process.pid}:${process.startTicks}`;
    return (kept.get(key) ?? kept.set(key, { version: versionOf(process) })).version;
  };
}

/**
 * The version of a running opencode, from the package that its program was installed with. One that was replaced since
 * the process began says nothing of the process.
 */
export function versionOf({ pid, argv, startedAt }: AgentProcess): string | undefined {
  const program = linkAt(`/proc/${pid}/exe`) ?? argv[0];
  if (!program?.startsWith('/') || program.endsWith(' (deleted)')) return undefined;
  const read = readEnd(join(dirname(dirname(program)), 'package.json'), MAX_PACKAGE_BYTES);
  if (read.state !== 'read' || read.isCut || read.modifiedAt > startedAt) return undefined;
  try {
    const { name, version } = JSON.parse(read.text);
    const isItsOwn = typeof name === 'string' && name.startsWith('opencode-');
    return isItsOwn && typeof version === 'string' && version.length < 40 ? version : undefined;
  } catch {
    return undefined;
  }
}
