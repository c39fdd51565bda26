import type { ClosingRoom } from '../engine/act/closing-room.ts';
import { SHORT } from '../engine/act/closing-room.ts';
import { OwnProcess } from '../support/own-process.ts';

/** What is killed: rollcall itself, the tmux server, or what runs in the pane of the worker. */
export type Victim = 'rollcall' | 'server' | 'sleeper';
export type Moment = readonly ['before' | 'after', string];

export const eachAfter = (steps: readonly string[]): readonly Moment[] =>
  steps.map((step) => ['after', step] as const);

// Whoever is killed is gone before the process goes on.
const PREAMBLE = `
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as rollcall from './module.mjs';
const [request] = args.map((one) => JSON.parse(one));
Object.assign(process.env, request.env);
const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
const isGone = (pid) => {
  try { return readFileSync('/proc/' + pid + '/stat', 'utf8').includes(') Z '); } catch { return true; }
};
const pane = ['-S', request.sockets[0], 'display-message', '-p', '-t', '=worker:', '#{pane_pid}'];
const victims = {
  rollcall: () => process.pid,
  server: () => request.serverPid,
  sleeper: () => Number(execFileSync('tmux', pane, { encoding: 'utf8' })),
};
let isDone = false;
const onStep = (step, when) => {
  if (isDone || step !== request.step || when !== request.when) return;
  const pids = request.kills.map((name) => victims[name]());
  // A step that found the pane stirred did nothing, and is taken again.
  if (pids.some(isGone)) return;
  isDone = true;
  for (const pid of pids) {
    process.kill(pid, 'SIGKILL');
    while (!isGone(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
};
const hands = await rollcall.composeHands(process.env, settings, { sockets: request.sockets, onStep });
const entry = (await hands.look()).sessions.find(({ name }) => name === 'worker');
let result = null;`;

const BODIES = {
  hibernate: `
    const wish = { isForced: false, despite: [], isAutomatic: false, isToSleep: true };
    result = await rollcall.closeSession(hands, {
      entry, wish, reason: 'crash', argv: [], timings: request.timings, onProgress() {},
    });`,
  wake: 'result = await rollcall.wakeSession(hands, { entry, argv: [] });',
  recover: 'result = await rollcall.recoverAll(hands);',
};

/** Acts in a process of its own, which kills at one step. */
export class SleepKiller {
  readonly #own: OwnProcess;

  private constructor(own: OwnProcess) {
    this.#own = own;
  }

  static async prepare(): Promise<SleepKiller> {
    const act = ['close/close-session', 'sleep/wake-session', 'recover'].map(
      (name) => `src/engine/act/${name}.ts`,
    );
    return new SleepKiller(await OwnProcess.prepare(['src/compose/hands.ts', ...act], PREAMBLE));
  }

  /** How the process ended: by its own SIGKILL, or with 0. It fails where the step never came. */
  kill(
    room: ClosingRoom,
    action: keyof typeof BODIES,
    [when, step]: Moment,
    kills: readonly Victim[] = ['rollcall'],
  ): Promise<NodeJS.Signals | string | 0> {
    const { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT } = room.env;
    const request = {
      ...{ step, when, kills, settings: room.settings, sockets: [room.tmux.socketPath] },
      ...{ serverPid: room.tmux.serverPid, timings: { ...SHORT, askMs: 200, settleMs: 10_000 } },
      env: { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT },
    };
    const body = `${BODIES[action]}\nif (!isDone) throw new Error(JSON.stringify(result));`;
    return this.#own.end(body, JSON.stringify(request));
  }

  remove(): void {
    this.#own.remove();
  }
}
