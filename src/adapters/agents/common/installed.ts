import type { AgentProcess } from '../../../ports/agent.ts';
import { objectIn } from '../../files/json-object.ts';
import { createKeep } from '../../files/keep.ts';
import { readEnd } from './read-file.ts';

const MAX_BYTES = 64 * 1024;
const MAX_KEPT = 2_000;

/** Looks at each process once: what a process runs does not change. */
export function oncePerProcess<P extends Pick<AgentProcess, 'pid' | 'startTicks'>, T>(
  look: (process: P) => T,
): (process: P) => T {
  const kept = createKeep<{ readonly value: T }>(MAX_KEPT);
  return (process) => {
    const key = `${process.pid} ${process.startTicks}`;
    return (kept.get(key) ?? kept.set(key, { value: look(process) })).value;
  };
}

/** The package of a folder, and when its file was last changed; null where there is none that can be read. */
export function packageIn(folder: string) {
  const read = readEnd(`${folder}/package.json`, MAX_BYTES);
  if (read.state !== 'read' || read.isCut) return null;
  const { name, version } = objectIn(read.text) ?? {};
  if (typeof name !== 'string' || typeof version !== 'string') return null;
  return { name, version, modifiedAt: read.modifiedAt, changedAt: read.changedAt };
}
