import { type SpawnOptions, spawn as spawnChild } from 'node:child_process';
import type { Acted, Terms, TmuxActuator } from '../../../ports/actuator.ts';
import type { Spawn } from '../../programs/run-program.ts';
import { createTmuxRunner, type RunTmux } from '../run-tmux.ts';
import type { Reach } from './act-if.ts';
import type { EndPlace } from './end-hook.ts';
import { captureHistory } from './history.ts';
import { pressKey, typeText } from './keys.ts';
import { layOut } from './lay-out.ts';
import { readLayout } from './layout.ts';
import { enterOnAttach } from './on-attach.ts';
import { letGo, markHeld, readRun, setEnd, stampPane, wakeServer } from './own-marks.ts';
import { folderProblem } from './program.ts';
import { signalIf } from './signal-if.ts';
import { actOnStance, confirmStance, readStance } from './stance.ts';
import { startInPane } from './start-in-pane.ts';
import { startSession } from './start-session.ts';

export interface TmuxActuatorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** What a server that has to be started gives to its sessions; `env` where there is none. */
  readonly serverEnv?: NodeJS.ProcessEnv;
  readonly uid: number;
  /** How long one act may take: longer than a look, because giving up leaves it unknown whether it was done. */
  readonly timeoutMs?: number;
  readonly tmuxPath?: string;
  readonly spawn?: Spawn;
  /** Looked at in this process unless somebody else is asked. */
  readonly folderProblem?: Reach['folderProblem'];
  /** Where ends of programs are written down. */
  readonly ends?: EndPlace;
  readonly platform?: NodeJS.Platform;
}

/** Reading the user's configuration may run programs of its own. */
const START_TIMEOUT_MS = 20_000;

/** Makes the actuator. It starts no server but for a session that is to be started, and ends none. */
export function createTmuxActuator(options: TmuxActuatorOptions): TmuxActuator {
  const { uid, timeoutMs = 10_000, platform = process.platform } = options;
  const run = createTmuxRunner({ ...options, timeoutMs });
  const reach: Reach = { folderProblem, ...options, run, uid, timeoutMs };
  return {
    startSession: (socketPath, wish) =>
      startSession({ ...reach, run: createStarter(options, wish.withoutEnv) }, socketPath, wish),
    startInPane: (pane, wish, terms) => startInPane(reach, pane, wish, terms),
    enterOnAttach: (pane, isOn) => enterOnAttach(reach, pane, isOn),
    setEnd: (pane, how) => setEnd(reach, pane, how),
    stamp: (pane, stamp) => stampPane(reach, pane, stamp),
    runOf: (pane) => readRun(reach, pane),
    letGo: (pane) => letGo(reach, pane),
    markHeld: (session, since) => markHeld(reach, session, since),
    wake: (session) => wakeServer(reach, session),
    stance: (session) => readStance(reach, session),
    confirm: (terms) => confirmStance(reach, terms),
    // Elsewhere a shell cannot tell when a process began.
    signal:
      platform === 'linux' ? (terms, processes, signal) => signalIf(reach, terms, processes, signal) : null,
    type: (pane, text, terms) => typeText(reach, pane, text, terms),
    press: (pane, key, terms, times) => pressKey(reach, pane, key, terms, times),
    history: (pane) => captureHistory(reach, pane),
    layout: (session) => readLayout(reach, session),
    layOut: (pane, windows) => layOut(reach, pane, windows),
    removeSession: (terms) => removeSession(reach, terms),
  };
}

/**
 * A server keeps the environment and the folder of the client that starts it, for every session it will ever have: so
 * the user's own environment less what must not leak, and no folder that somebody may want to remove. A session of its
 * own, so that neither rollcall's terminal nor its end reaches what it starts.
 */
function createStarter(options: TmuxActuatorOptions, withoutEnv: readonly string[]): RunTmux {
  const withheld = new Set(['TMUX', 'TMUX_PANE', ...withoutEnv]);
  const env = Object.fromEntries(
    Object.entries(options.serverEnv ?? options.env).filter(([name]) => !withheld.has(name)),
  );
  const spawn = options.spawn ?? spawnChild;
  return createTmuxRunner({
    ...options,
    timeoutMs: Math.max(START_TIMEOUT_MS, options.timeoutMs ?? 0),
    spawn: (file, argv, given: SpawnOptions) =>
      spawn(file, argv, { ...given, env, cwd: '/', detached: true }),
  });
}

/** Removes the session if all of it still stands as it stood. */
function removeSession(reach: Reach, terms: Terms): Promise<Acted> {
  return actOnStance(reach, terms, ({ sessionId }) => [['kill-session', '-t', sessionId]]);
}
