import { join } from 'node:path';
import type { GateContract } from '../../core/gate/contract.ts';
import { succeeds, tryOr } from '../../core/try-or.ts';
import type { GateStore } from '../../ports/gate.ts';
import { readOwnText } from '../files/own-file.ts';
import { folderProblem, makeOwnFolder } from '../files/own-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { createContractFiles } from './contract-files.ts';
import { readModes, readSwitch, writeMode, writeSwitch } from './mode-files.ts';
import { createPassedFile } from './passed-file.ts';

const MOST_BYTES = 256 * 1024;

/**
 * Updates the small file that the hook reads: a line for each pane that owns something, and one for each kind of agent
 * whose hooks may come from a daemon. Without open contracts only its first line is left.
 */
function writeOwners(path: string, contracts: readonly GateContract[], hasDaemon: (kind: string) => boolean) {
  const open = contracts.filter(({ phase }) => phase === 'open');
  const panes = open.map(({ owner }) => `pane ${owner.server.pid} ${owner.paneId}`);
  const kinds = open.flatMap(({ owner: { agent } }) => (hasDaemon(agent.kind) ? [`kind ${agent.kind}`] : []));
  const text = `${['rollcall-owners=1', ...new Set([...panes, ...kinds])].join('\n')}\n`;
  // Most changes of a contract change no owner, and each replacement waits for the disk.
  if (tryOr(null, () => readOwnText(path, MOST_BYTES)) !== text) replaceFile(path, text);
}

export interface GateStoreOptions {
  /** `gate` of a state folder that was found to be the user's own. */
  readonly folder: string;
  readonly uid: number;
  readonly now: () => number;
  /** Whether hooks of this kind of agent may come from a daemon outside of its pane. */
  readonly hasDaemon: (kind: string) => boolean;
}

/** Contracts, modes and the switch, in small files of one folder. */
export function createGateStore({ folder, uid, now, hasDaemon }: GateStoreOptions): GateStore {
  const contracts = createContractFiles(join(folder, 'contracts'), uid);
  const passed = createPassedFile(join(folder, 'passed'), uid);
  const make = () => {
    makeOwnFolder(folder, { uid, isTightened: true });
    // The hook leaves its event there, and makes no folder.
    makeOwnFolder(join(folder, 'stops'), { uid, isTightened: true });
  };
  const owners = join(folder, 'owners');
  const syncOwners = () => writeOwners(owners, contracts.all().contracts, hasDaemon);
  // Where this fails the contract is kept all the same, and the next change does it.
  const tidy = () =>
    succeeds(() => {
      contracts.prune(now());
      syncOwners();
    });
  return {
    problem: problemOf(folder, uid),
    folder,
    contracts: contracts.all,
    contract: contracts.read,
    save(contract, before) {
      make();
      // A line too many costs a stop some time; one too few lets an owner go that should not.
      if (contract.phase === 'open') {
        const others = contracts.all().contracts.filter(({ id }) => id !== contract.id);
        writeOwners(owners, [...others, contract], hasDaemon);
      }
      contracts.write(contract, before);
      if (contract.phase !== 'open') tidy();
    },
    syncOwners,
    modes: () => readModes(join(folder, 'mode.json')),
    setMode(project, mode) {
      make();
      writeMode(join(folder, 'mode.json'), project, mode);
    },
    switch: () => readSwitch(join(folder, 'off')),
    setSwitch(state) {
      make();
      writeSwitch(join(folder, 'off'), state);
    },
    passed: passed.read,
    emptyPassed: passed.empty,
  };
}

/** What callers get where the state folder itself is refused. */
export function noGateStore(folder: string, problem: string): GateStore {
  const refuse = () => {
    throw new Error(problem);
  };
  return {
    problem,
    folder,
    contracts: () => ({ contracts: [], damaged: [] }),
    contract: () => null,
    save: refuse,
    syncOwners: refuse,
    modes: () => ({ user: null, projects: {}, problem }),
    setMode: refuse,
    switch: () => null,
    setSwitch: refuse,
    passed: () => [],
    emptyPassed: () => {},
  };
}

function problemOf(folder: string, uid: number): string | null {
  try {
    return folderProblem(folder, uid);
  } catch (error) {
    return `${folder}: ${(error as Error).message}`;
  }
}
