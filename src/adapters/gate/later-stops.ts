import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StopOrigin } from '../../core/gate/decision.ts';
import { GATE_MODES } from '../../core/gate/mode.ts';
import { tryOr } from '../../core/try-or.ts';
import type { LaterStop, LaterStops, StopEvent } from '../../ports/gate.ts';
import { isObject } from '../files/json-object.ts';
import { namesInOrThrow } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { folderProblem, makeOwnFolder } from '../files/own-folder.ts';
import { removeQuietly, replaceFile } from '../files/replace-file.ts';
import { isFlag, isNumber, isText, listOf, nullOr, oneOf, shape, textLike } from '../files/shape.ts';
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
  return tryOr(null, () => {
    const value: unknown = JSON.parse(readOwnText(path, MOST_BYTES) ?? 'null');
    return isLaterStop(value) ? value : null;
  });
}

const isMarks = listOf(shape({ pid: isNumber }));
const isStarted = nullOr(shape({ argv: listOf(isText) }));
const isAnything = () => true;

/** Whether a file holds a stop as it was left. What is inside of the payload is judged by whoever reads it. */
const isLaterStop = shape<LaterStop>({
  name: isText,
  contract: textLike(CONTRACT_ID),
  mode: oneOf(GATE_MODES),
  latencyMs: nullOr(isNumber),
  event: shape<StopEvent>({ agentKind: isText, event: isText, sender: isObject, payload: nullOr(isObject) }),
  origin: shape<StopOrigin>({
    serverPid: isAnything,
    paneId: isAnything,
    ancestors: isMarks,
    isByDaemon: isFlag,
    agent: isStarted,
    hook: isStarted,
    isServerAlive: isFlag,
    isOwnerAgentAlive: isFlag,
    agentsInPane: isMarks,
  }),
});
