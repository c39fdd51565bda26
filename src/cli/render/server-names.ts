import type { SessionEntry } from '../../core/roll.ts';

/** Calls each server by its label, or by its whole socket path where two servers bear the same label (S5). */
export function serverNames(entries: readonly SessionEntry[]): (entry: SessionEntry) => string {
  const pathsByLabel = new Map<string, Set<string>>();
  for (const { server } of entries) {
    const paths = pathsByLabel.get(server.label) ?? new Set();
    pathsByLabel.set(server.label, paths.add(server.socketPath));
  }
  return ({ server }) => ((pathsByLabel.get(server.label)?.size ?? 0) > 1 ? server.socketPath : server.label);
}
