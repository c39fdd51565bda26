import type { GateContract } from '../../core/gate/contract.ts';
import { readSmallFile, replaceSmallFile } from '../files/small-file.ts';

const MOST_BYTES = 256 * 1024;

/**
 * Brings the small file that the hook looks into in step with the contracts: a line for each pane that owns something, and
 * one for each kind of agent whose hooks may come from a daemon outside of its pane. Without any open contract it holds
 * its first line only.
 */
export function writeOwners(
  path: string,
  contracts: readonly GateContract[],
  hasDaemon: (kind: string) => boolean,
): void {
  const open = contracts.filter(({ phase }) => phase === 'open');
  const panes = open.map(({ owner }) => `pane ${owner.server.pid} ${owner.paneId}`);
  const kinds = open.flatMap(({ owner: { agent } }) => (hasDaemon(agent.kind) ? [`kind ${agent.kind}`] : []));
  const text = `${['rollcall-owners=1', ...new Set([...panes, ...kinds])].join('\n')}\n`;
  // Most changes of a contract change no owner, and each replacement waits for the disk.
  if (read(path) !== text) replaceSmallFile(path, text);
}

function read(path: string): string | null {
  try {
    return readSmallFile(path, MOST_BYTES)?.text ?? null;
  } catch {
    return null;
  }
}
