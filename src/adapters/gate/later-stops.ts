import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GATE_MODES } from '../../core/gate/mode.ts';
import type { LaterStop, LaterStops } from '../../ports/gate.ts';
import { namesInOrThrow } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { folderProblem, makeOwnFolder } from '../files/own-folder.ts';
import { removeQuietly, replaceFile } from '../files/replace-file.ts';
import { CONTRACT_ID } from './valid-contract.ts';

/** An event has 1 MiB at most; what is told of it beside that is little. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of one contract. An agent that stops this often while its checks run learns nothing from more of them. */
const MOST_WAITING = 16;
/** Left by one that was killed, for a contract that nobody stopped for again. */
const FORGOTTEN_MS = 60 * 60 * 1000;
const ENDING = '.json';

/** Stops that were let go and are looked at afterwards, one file each. Their names are in the order of the stops. */
export function createLaterStops(folder: string, uid: number, now: () => number): LaterStops {
  const waiting = (contract: string) =>
    namesInOrThrow(folder)
      .filter((name) => name.startsWith(`${contract}.`) && name.endsWith(ENDING))
      .sort();
  return {
    add(stop) {
      makeOwnFolder(folder, { uid, isTightened: true });
      if (waiting(stop.contract).length >= MOST_WAITING) return false;
      replaceFile(join(folder, `${stop.contract}.${stop.name}${ENDING}`), `${JSON.stringify(stop)}\n`);
      return true;
    },
    take(contract) {
      if (folderProblem(folder, uid) !== null) return null;
      for (const name of waiting(contract)) {
        const stop = read(join(folder, name));
        // Whoever takes the file away has it, so that none is looked at twice.
        if (removeQuietly(join(folder, name)) && stop?.contract === contract) return stop;
      }
      return null;
    },
    isWaiting: (contract) => folderProblem(folder, uid) === null && waiting(contract).length > 0,
    forget() {
      if (folderProblem(folder, uid) !== null) return;
      for (const name of namesInOrThrow(folder)) {
        const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
        if (entry?.isFile() && now() - entry.mtimeMs > FORGOTTEN_MS) removeQuietly(join(folder, name));
      }
    },
  };
}

function read(path: string): LaterStop | null {
  try {
    const value: unknown = JSON.parse(readOwnText(path, MOST_BYTES) ?? 'null');
    return isLaterStop(value) ? value : null;
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a file holds a stop as it was left. What is inside of the payload is judged by whoever reads it. */
function isLaterStop(value: unknown): value is LaterStop {
  if (!isFields(value)) return false;
  const { name, contract, mode, latencyMs, event, origin } = value;
  return (
    typeof name === 'string' &&
    typeof contract === 'string' &&
    CONTRACT_ID.test(contract) &&
    GATE_MODES.some((one) => one === mode) &&
    (latencyMs === null || typeof latencyMs === 'number') &&
    isEvent(event) &&
    isOrigin(origin)
  );
}

function isEvent(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { agentKind, event, sender, payload } = value;
  const isNamed = typeof agentKind === 'string' && typeof event === 'string';
  return isNamed && isFields(sender) && (payload === null || isFields(payload));
}

function isOrigin(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { ancestors, agentsInPane, agent, hook } = value;
  const isKnown = ['isByDaemon', 'isServerAlive', 'isOwnerAgentAlive'].every(
    (key) => typeof value[key] === 'boolean',
  );
  return isKnown && isMarks(ancestors) && isMarks(agentsInPane) && isStarted(agent) && isStarted(hook);
}

function isMarks(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isFields(one) && typeof one.pid === 'number');
}

function isStarted(value: unknown): boolean {
  if (value === null) return true;
  return isFields(value) && Array.isArray(value.argv) && value.argv.every((word) => typeof word === 'string');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
