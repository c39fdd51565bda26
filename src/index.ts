import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeDaemonControl } from './compose/daemon/control.ts';
import { composeDoctor } from './compose/doctor/doctor.ts';
import { startFoldersWith } from './compose/folders/folders.ts';
import { composeGateParts } from './compose/gate/gate.ts';
import { composeHands } from './compose/hands.ts';
import { composeHistoryReader } from './compose/history.ts';
import { openLedger } from './compose/ledger.ts';
import { composeLook } from './compose/look/parts.ts';
import { composePressure } from './compose/pressure.ts';
import { labelSocket } from './compose/system/own-user.ts';
import { loadConfig } from './config/load.ts';
import type { Look } from './engine/look/look.ts';
import type { At } from './operations/at.ts';
import { brokenConfig } from './operations/config-failure.ts';
import { readLog } from './operations/log.ts';
import { type Operations, operationsAt } from './operations/runs.ts';
import { seeMachine } from './operations/status.ts';
import { entriesIn, withHands, withLedger } from './operations/with-hands.ts';

export type { ClientPlace, DaemonEvent, RollcallClient } from './client/index.ts';
export { createClient, DaemonUnreachable, RollcallProblem } from './client/index.ts';
export type { Input, OperationName, Output } from './contract/operations.ts';
export type { PaneEntry, Problem, Roll, SessionEntry } from './core/sight/roll.ts';
export type { Evidence } from './core/verdict/evidence.ts';
export type {
  Activity,
  Blocker,
  Check,
  Lifecycle,
  Protection,
  Reason,
  WaitingFor,
} from './core/verdict/verdict.ts';
export { ACTIVITIES, LIFECYCLES, WAITING_FOR } from './core/verdict/verdict.ts';
export type { Look, LookOptions } from './engine/look/look.ts';
export { Failure } from './operations/failure.ts';

export interface RollcallOptions {
  /** Where tmux, agents and rollcall keep their files; that of this process otherwise. */
  readonly env?: NodeJS.ProcessEnv;
  /** A config file to read instead of the user's own. */
  readonly config?: string;
  /** The folder whose project may have a config too; that of this process otherwise. */
  readonly cwd?: string;
}

/** What the command can do, in this process. Everything throws a Failure where it cannot do what was asked. */
export interface Rollcall extends Operations {
  /** One look, compared with the one before it: the roll with all evidence. */
  readonly look: Look;
}

/** Makes a rollcall with the settings of this user. Throws a Failure where a config file is wrong. */
export async function createRollcall(options: RollcallOptions = {}): Promise<Rollcall> {
  const { env = process.env, cwd = process.cwd() } = options;
  const loading = loadConfig({ path: options.config, env, cwd });
  if (loading.state === 'broken') throw brokenConfig(loading.errors);
  const { settings } = loading.config;
  // The command beside this file is what sleepers and hooks start, and what looks at folders that may give no answer.
  const own = [process.execPath, fileURLToPath(new URL('./rollcall.cjs', import.meta.url))];
  startFoldersWith(own);
  const look = composeLook({ env, settings });
  const socketOf = (word = 'default') => (word.includes('/') ? resolve(cwd, word) : labelSocket(word, env));
  const open = () => composeHands(env, settings, { actorKind: 'library', own });
  const ledger = () => openLedger(env, 'library');
  const at: At = {
    now: Date.now,
    policies: settings.policy,
    shell: env.SHELL ?? '/bin/sh',
    argv: ['library'],
    cwd,
    isCallerHere: true,
    isBrief: false,
    look,
    socketOf,
    readLog: (wish) => withLedger(ledger, (open) => readLog(open, wish)),
    seeMachine: (servers) =>
      seeMachine(
        {
          look,
          settings,
          daemonControl: () => composeDaemonControl(env),
          pressure: async () => composePressure(env, settings),
          ledger,
        },
        servers,
      ),
    entries: () => entriesIn(ledger),
    doctor: () => composeDoctor({ env, settings }, cwd),
    gate: async () => composeGateParts(env, settings),
    history: async () => composeHistoryReader(env),
    withHands: (work) => withHands(open, work),
  };
  return { ...operationsAt(at), look };
}
