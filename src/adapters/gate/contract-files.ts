import { join } from 'node:path';
import type { GateContract } from '../../core/gate/contract.ts';
import { visible } from '../../core/text/visible.ts';
import { tryOr } from '../../core/try-or.ts';
import { namesInOrThrow, recordsIn } from '../files/look.ts';
import { readOwnText } from '../files/own-file.ts';
import { folderProblem, makeOwnFolder } from '../files/own-folder.ts';
import { removeQuietly, replaceFile } from '../files/replace-file.ts';
import { CONTRACT_ID, isContract } from './valid-contract.ts';

const MOST_BYTES = 256 * 1024;
/** More than this many are never looked at. */
const MOST_FILES = 1000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;
const KEPT_ENDED = 200;

/** The contracts, one file each. */
export function createContractFiles(folder: string, uid: number) {
  const pathOf = (id: string) => join(folder, `${id}.json`);

  /** Throws what stands against it. */
  const load = (id: string): GateContract | null => {
    const text = readOwnText(pathOf(id), MOST_BYTES);
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    if (!isContract(value) || value.id !== id) throw new Error('its content is not as expected');
    return value;
  };

  const all = (): { contracts: readonly GateContract[]; damaged: readonly string[] } => {
    const contracts: GateContract[] = [];
    const damaged: string[] = [];
    try {
      const objection = folderProblem(folder, uid);
      if (objection !== null) return { contracts, damaged: [visible(objection, 600)] };
      for (const id of recordsIn(folder, CONTRACT_ID, namesInOrThrow).sort().slice(0, MOST_FILES)) {
        try {
          const contract = load(id);
          if (contract !== null) contracts.push(contract);
        } catch (error) {
          damaged.push(visible(`${pathOf(id)}: ${(error as Error).message}`, 600));
        }
      }
    } catch (error) {
      damaged.push(visible(`${folder}: ${(error as Error).message}`, 600));
    }
    return { contracts, damaged };
  };

  return {
    all,
    read: (id: string): GateContract | null =>
      tryOr(null, () => (CONTRACT_ID.test(id) && folderProblem(folder, uid) === null ? load(id) : null)),
    write(contract: GateContract, before?: () => void): void {
      // What could not be read again must not take the place of what can.
      const text = `${JSON.stringify(contract)}\n`;
      if (!isContract(contract) || Buffer.byteLength(text) > MOST_BYTES) {
        throw new Error(`${pathOf(contract.id)}: this contract cannot be kept`);
      }
      makeOwnFolder(folder, { uid, isTightened: true });
      replaceFile(pathOf(contract.id), text, before && { before });
    },
    /** Forgets those that ended long ago. */
    prune(now: number): void {
      const ended = all()
        .contracts.filter(({ ended }) => ended !== null)
        .sort((one, other) => endOf(other) - endOf(one));
      for (const [index, contract] of ended.entries()) {
        if (index >= KEPT_ENDED || now - endOf(contract) > KEPT_MS) removeQuietly(pathOf(contract.id));
      }
    },
  };
}

function endOf({ ended }: GateContract): number {
  return ended?.at ?? 0;
}
