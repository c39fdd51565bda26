import type { Previous } from '../core/classify.ts';
import { classify } from '../core/classify.ts';
import type { Evidence } from '../core/evidence.ts';
import { sessionKey } from '../core/identity.ts';
import type { SessionEntry } from '../core/roll.ts';
import type { ServerSighting } from '../core/sighting.ts';
import type { Scene } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import { labelOf } from './session-entry.ts';

type FailedServer = Extract<ServerSighting, { state: 'failed' }>;

interface Known {
  readonly sessionId: string;
  readonly name: string;
  readonly createdAtSeconds: number;
  readonly verdict?: Previous;
}

/**
 * Sessions of servers that gave no answer. A failed query is not absence: they stay on the roll, as the last look knew
 * them or as the process table shows them, and nothing is known of them.
 */
export function unansweredEntries(
  servers: readonly ServerSighting[],
  scene: Scene,
  parts: Parts,
): SessionEntry[] {
  return servers.flatMap((server) => {
    if (server.state !== 'failed') return [];
    const remembered = Object.values(scene.memory.servers).find(
      ({ socketPath, pid }) =>
        socketPath === server.socketPath && (server.pid === undefined || pid === server.pid),
    );
    const known = remembered ? Object.values(remembered.sessions) : sessionNumbers(server, scene, parts);
    return known.map((session) => entryOf(session, server, remembered ?? server, scene, parts));
  });
}

// Every pane's program was started with TMUX=socket,server pid,session number.
function sessionNumbers(server: FailedServer, { index }: Scene, parts: Parts): Known[] {
  if (server.pid === undefined) return [];
  const children = index.byParent.get(server.pid) ?? [];
  const numbers = [...parts.processes.markers(children).values()].flatMap((marks) => {
    const [number, pid] = (marks.tmux ?? '').split(',').reverse();
    return Number(pid) === server.pid ? [Number(number)] : [];
  });
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  return distinct.map((number) => ({ sessionId: `$${number}`, name: `$${number}`, createdAtSeconds: 0 }));
}

function entryOf(
  known: Known,
  { socketPath, observedAt, text }: FailedServer,
  { pid = 0, startTicks = 0 }: { readonly pid?: number; readonly startTicks?: number },
  scene: Scene,
  parts: Parts,
): SessionEntry {
  const key = sessionKey(scene.host, { server: { socketPath, pid, startTicks }, ...known });
  const evidence: Evidence[] = [{ kind: 'sensor-unavailable', source: 'tmux', observedAt, text }];
  return {
    ...classify(evidence, scene.now, parts.policy, known.verdict),
    key,
    name: known.name,
    sessionId: known.sessionId,
    createdAt: known.createdAtSeconds * 1000,
    server: { socketPath, label: labelOf(socketPath), pid, startTicks, version: null },
    role: null,
    task: null,
    owner: null,
    attached: 0,
    memoryBytes: null,
    retainedUntil: null,
    panes: [],
    evidence,
  };
}
