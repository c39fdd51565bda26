import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { LaterStop, LaterStops } from '../../ports/gate.ts';
import { namesInOrThrow } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { makeOwnFolder } from '../files/own-folder.ts';
import { removeQuietly, replaceFile } from '../files/replace-file.ts';
import { objectionTo } from './own-folder.ts';
import { isLaterStop } from './valid-later-stop.ts';

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
      if (objectionTo(folder, uid) !== null) return null;
      for (const name of waiting(contract)) {
        const stop = read(join(folder, name));
        // Whoever takes the file away has it, so that none is looked at twice.
        if (removeQuietly(join(folder, name)) && stop?.contract === contract) return stop;
      }
      return null;
    },
    isWaiting: (contract) => objectionTo(folder, uid) === null && waiting(contract).length > 0,
    forget() {
      if (objectionTo(folder, uid) !== null) return;
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
