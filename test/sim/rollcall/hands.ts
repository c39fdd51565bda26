import { createWriterLock } from '../../../src/adapters/lock/writer-lock.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { createLook } from '../../../src/engine/look/create-look.ts';
import type { GateStore } from '../../../src/ports/gate.ts';
import { archive } from '../ports/archive.ts';
import { ledger } from '../ports/ledger.ts';
import { locksOf } from '../ports/locks.ts';
import { processActuator, processOwners, processSensor } from '../ports/process-ports.ts';
import { conversations, ends, layouts, starts } from '../ports/records.ts';
import { OWN_PROGRAM, type Seat } from '../ports/seat.ts';
import { tmuxActuator } from '../ports/tmux-acts.ts';
import type { Given } from './given.ts';
import { partsOf } from './parts.ts';

/** Everything that changes sessions, as src/compose/hands.ts has it. */
export function handsOf(given: Given, actorKind: string): Hands {
  const { seat, settings } = given;
  const { machine } = seat;
  const parts = partsOf(given);
  const locks = locksOf(seat);
  return {
    look: createLook(parts, (ms) => seat.wait(ms)),
    ledger: ledger(seat, actorKind),
    ...{ locks, writer: createWriterLock(locks) },
    ...{ ends: ends(seat), starts: starts(seat), layouts: layouts(seat) },
    tmux: tmuxActuator(seat),
    screens: parts.tmux,
    processes: { ...processSensor(seat), ...processActuator(seat) },
    owners: processOwners(seat),
    agents: parts.agents,
    hooks: parts.hooks,
    archive: archive(seat),
    conversations: conversations(seat),
    gates: NO_GATES,
    runCommand: () => seat.later(50, () => ({ state: 'exited', exitCode: 0, output: '' }) as const),
    wakesOnAttach: settings.wake.isOnAttach,
    own: ['/usr/bin/node', OWN_PROGRAM],
    callerEnv: { HOME: machine.home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash', USER: machine.user },
    brokenVariables: [],
    socketOf: (server) => socketOf(seat, server),
    findProgram: (word) => (word.startsWith('/') ? word : `/usr/bin/${word}`),
    isFolder: (path) => !machine.missingFolders.has(path),
    realFolder: (path) => path,
    now: () => machine.clock.at,
    moment: () => machine.clock.moment(),
    wait: (ms) => seat.wait(ms),
    onStep(step, when) {
      seat.step();
      machine.journal.note(seat.by, { what: 'step', seat: seat.name, step, when });
    },
  };
}

/** The socket of a server by its label or path. */
export function socketOf({ machine, pane }: Pick<Seat, 'machine' | 'pane'>, server?: string): string {
  if (server === undefined && pane !== null) return pane.server.socketPath;
  return server?.includes('/') ? server : `/tmp/tmux-${machine.uid}/${server ?? 'default'}`;
}

/** Nobody in this world makes contracts. */
const NO_GATES: GateStore = {
  ...{ problem: null, folder: 'gates' },
  contracts: () => ({ contracts: [], damaged: [] }),
  contract: () => null,
  save: () => {},
  syncOwners: () => {},
  modes: () => ({ user: null, projects: {}, problem: null }),
  setMode: () => {},
  switch: () => null,
  setSwitch: () => {},
  passed: () => [],
  emptyPassed: () => {},
};
