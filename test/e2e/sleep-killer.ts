import { execFileSync } from 'node:child_process';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import type { ClosingRoom } from '../engine/act/closing-room.ts';
import { lives, SHORT } from '../engine/act/closing-room.ts';
import { killedInside } from '../support/mortal.ts';
import { OwnProcess } from '../support/own-process.ts';

/** What is killed: rollcall itself, the tmux server, or what runs in the pane of the worker. */
export type Victim = 'rollcall' | 'server' | 'sleeper';
export type Moment = readonly ['before' | 'after', string];

/** Where a real process is really killed; at the other steps it is hands in this process that die. */
const REALLY: Readonly<Record<Action, readonly string[]>> = {
  hibernate: ['enter', 'sleep'],
  wake: ['start'],
  recover: ['receipt'],
};

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

type Action = keyof typeof BODIES;

const TIMINGS = { ...SHORT, askMs: 200, settleMs: 10_000 };

/** The same as the bodies, with hands of this process. */
const ACTS: Readonly<Record<Action, (room: ClosingRoom, hands: Hands) => Promise<unknown>>> = {
  hibernate: (room, hands) =>
    room.close(hands, 'worker', { isToSleep: true }, { reason: 'crash', argv: [], timings: TIMINGS }),
  wake: async (room, hands) => wakeSession(hands, { entry: await room.entry(hands, 'worker'), argv: [] }),
  recover: (_, hands) => recoverAll(hands),
};

/** Acts, and kills at one step. */
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

  /**
   * Whether rollcall was killed, or lived on and said this. It fails where the step never came. `through` changes the hands of
   * this process.
   */
  async kill(
    room: ClosingRoom,
    action: Action,
    moment: Moment,
    kills: readonly Victim[] = ['rollcall'],
    through: (hands: Hands) => Hands = (hands) => hands,
  ): Promise<'killed' | 'lived on' | string> {
    if (kills.includes('rollcall') && REALLY[action].includes(moment[1]))
      return this.#inOwnProcess(room, action, moment, kills);
    return inThisProcess(room, (hands) => ACTS[action](room, through(hands)), moment, kills);
  }

  async #inOwnProcess(
    room: ClosingRoom,
    action: Action,
    [when, step]: Moment,
    kills: readonly Victim[],
  ): Promise<string> {
    const { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT } = room.env;
    const request = {
      ...{ step, when, kills, settings: room.settings, sockets: [room.tmux.socketPath] },
      ...{ serverPid: room.tmux.serverPid, timings: TIMINGS },
      env: { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT },
    };
    const body = `${BODIES[action]}\nif (!isDone) throw new Error(JSON.stringify(result));`;
    const end = await this.#own.end(body, JSON.stringify(request));
    return end === 'SIGKILL' ? 'killed' : String(end);
  }

  remove(): void {
    this.#own.remove();
  }
}

async function inThisProcess(
  room: ClosingRoom,
  act: (hands: Hands) => Promise<unknown>,
  [when, step]: Moment,
  kills: readonly Victim[],
): Promise<string> {
  let isDone = false;
  const strikes = (name: string, at: string) => {
    if (isDone || name !== step || at !== when) return false;
    const pids = kills.flatMap((name) => (name === 'rollcall' ? [] : [pidOf(room, name)]));
    // A step that found the pane stirred did nothing, and is taken again.
    if (!pids.every(lives)) return false;
    isDone = true;
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL');
      while (lives(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
    return kills.includes('rollcall');
  };
  const end = await killedInside((changes) => room.hands(changes), strikes, act);
  if (!isDone) throw new Error(`the step never came: ${JSON.stringify(end)}`);
  return end === 'killed' ? end : 'lived on';
}

function pidOf({ tmux }: ClosingRoom, victim: Exclude<Victim, 'rollcall'>): number {
  if (victim === 'server') return tmux.serverPid;
  const argv = ['-S', tmux.socketPath, 'display-message', '-p', '-t', '=worker:', '#{pane_pid}'];
  return Number(execFileSync('tmux', argv, { encoding: 'utf8' }));
}
