import { execFileSync } from 'node:child_process';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { REOPEN_ASLEEP_STEPS, REOPEN_STEPS } from '../../src/engine/act/reopen/order.ts';
import { lostSessions, restoreSession } from '../../src/engine/act/restore/restore-session.ts';
import { type Moment, momentsOf } from '../support/moments.ts';
import { killedInside } from '../support/mortal.ts';
import { OwnProcess } from '../support/own-process.ts';
import { sliceOf } from '../support/slice.ts';
import { until } from '../support/until.ts';
import { isAlive, RestoreRoom } from './restore-room.ts';

let own: OwnProcess;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    ['src/compose/hands.ts', 'src/engine/act/recover.ts', 'src/engine/act/restore/restore-session.ts'],
    `import * as rollcall from './module.mjs';
    const [request] = args.map((one) => JSON.parse(one));`,
  );
});
afterAll(() => own.remove());

/** Restores everything, and is killed at one step of it. */
const RESTORE = `
  Object.assign(process.env, request.env);
  const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
  const onStep = (step, when) => {
    if (step !== request.step || when !== request.when) return;
    process.kill(process.pid, 'SIGKILL');
  };
  const hands = await rollcall.composeHands(process.env, settings, { sockets: request.sockets, onStep });
  await rollcall.recoverAll(hands);
  const { sessions } = await hands.look();
  const order = { shell: '/bin/sh', argv: [], isAsleep: request.isAsleep };
  for (const lost of rollcall.lostSessions(hands, sessions, { since: null, named: null, hasPrograms: false }))
    await rollcall.restoreSession(hands, lost, order);`;

/** Where a real process is really killed; at the other steps it is hands in this process that die. */
const REALLY = ['start', 'asleep'];

class Crashes extends RestoreRoom {
  async killedAt(
    victim: 'rollcall' | 'server',
    moment: readonly [string, string],
    isAsleep = false,
  ): Promise<unknown> {
    const [when, step] = moment;
    if (victim === 'server' || !REALLY.includes(step)) return this.#killedInside(victim, moment, isAsleep);
    const { XDG_STATE_HOME, TMUX_TMPDIR } = this.env;
    const request = {
      ...{ step, when, isAsleep, settings: this.settings, sockets: [this.tmux.socketPath] },
      env: { XDG_STATE_HOME, TMUX_TMPDIR, HOME: this.home },
    };
    const end = await own.end(RESTORE, JSON.stringify(request));
    return end === 'SIGKILL' ? 'killed' : end;
  }

  async #killedInside(victim: string, [when, step]: readonly [string, string], isAsleep: boolean) {
    let isDone = false;
    const strikes = (name: string, at: string) => {
      if (isDone || name !== step || at !== when) return false;
      isDone = true;
      if (victim === 'server') this.#killServer();
      return victim === 'rollcall';
    };
    const end = await killedInside(
      (changes) => this.hands(changes),
      strikes,
      async (hands) => {
        await recoverAll(hands);
        const { sessions } = await hands.look();
        const order = { shell: '/bin/sh', argv: [], isAsleep };
        for (const lost of lostSessions(hands, sessions, { since: null, named: null, hasPrograms: false }))
          await restoreSession(hands, lost, order);
      },
    );
    if (!isDone) throw new Error(`the step never came: ${JSON.stringify(end)}`);
    return end;
  }

  #killServer(): void {
    const argv = ['-S', this.tmux.socketPath, 'display-message', '-p', '#{pid}'];
    const pid = Number(execFileSync('tmux', argv, { encoding: 'utf8' }));
    process.kill(pid, 'SIGKILL');
    // What it had started ends with its terminal a moment later, and would be an agent that outlived its session.
    while (isAlive(pid) || this.running().length > 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }

  /** Two sessions, one of them held and with another pane, lost with their server. */
  async lost(): Promise<string[]> {
    const ids = [await this.agent('one'), await this.agent('two')];
    await this.tmux.tmux('split-window', '-d', '-t', '=one:', 'sleep 1000');
    await this.done('hold', this.at('one'));
    await this.crash();
    return ids.sort();
  }

  /** Everything is there asleep, nothing runs, and each wakes. */
  async wakesWhole(ids: readonly string[]): Promise<void> {
    const { sessions } = await this.restore('--asleep', '--yes', ...this.server);
    expect(sessions.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(this.running()).toEqual([]);
    for (const name of ['one', 'two']) await this.done('wake', this.at(name));
    await this.isWhole(ids);
  }

  /** Everything is there, each once, and the ledger is whole. */
  async isWhole(ids: readonly string[]): Promise<void> {
    const { sessions } = await this.restore('--yes', ...this.server);
    expect(sessions.filter(({ result }) => result === 'failed')).toEqual([]);
    await until('both agents run', () => this.resumed().length >= 2);
    expect(this.resumed()).toEqual(ids);
    expect((await this.names()).sort()).toEqual(['one', 'two']);
    const panes = await this.tmux.tmux('list-panes', '-s', '-t', '=one:', '-F', '#{pane_id}');
    expect(panes.split('\n')).toHaveLength(2);
    const roll = JSON.parse(await this.done('--json', ...this.server));
    const held = roll.sessions.filter(({ protections }: { protections: { code: string }[] }) =>
      protections.some(({ code }) => code === 'held'),
    );
    expect(held).toMatchObject([{ name: 'one' }]);
    expect(await this.restore('--yes', ...this.server)).toMatchObject({ exitCode: 0, sessions: [] });
    expect(this.starts().filter((line) => line.includes('fix it'))).toHaveLength(2);
    await this.done('verify');
  }
}

const test = base.extend<{ room: Crashes }>({
  room: async ({ task: _ }, use) => {
    const room = new Crashes();
    await use(room);
    room.leave();
  },
});

/** The only step that a restore that stays awake does not have. */
const isAsleepOne = ([, step]: Moment) => step === 'asleep';

describe.concurrent('S63: restore, killed on the way', () => {
  test.for(sliceOf(momentsOf(REOPEN_STEPS), 3))('rollcall %s %s', async (moment, { room }) => {
    const ids = await room.lost();
    expect(await room.killedAt('rollcall', moment)).toBe('killed');
    await room.isWhole(ids);
  });

  test.for(sliceOf(momentsOf(REOPEN_ASLEEP_STEPS), 3, isAsleepOne))(
    'rollcall %s %s, asleep',
    async (moment, { room }) => {
      const ids = await room.lost();
      expect(await room.killedAt('rollcall', moment, true)).toBe('killed');
      await room.wakesWhole(ids);
    },
  );

  test.for([
    ['after', 'start'],
    ['after', 'asleep'],
  ] as const)('the tmux server %s %s, asleep', async (moment, { room }) => {
    const ids = await room.lost();
    await room.killedAt('server', moment, true);
    await room.wakesWhole(ids);
  });

  test.for(
    sliceOf(
      [
        ['after', 'start'],
        ['after', 'lay-out'],
        ['before', 'outcome'],
        ['after', 'outcome'],
      ] as const,
      2,
    ),
  )('the tmux server %s %s', async (moment, { room }) => {
    const ids = await room.lost();
    await room.killedAt('server', moment);
    await room.isWhole(ids);
  });

  test('what somebody left with status 0 before that was recorded stays left', async ({ room }) => {
    const id = await room.agent('left-again');
    await room.crash();
    expect(await room.killedAt('rollcall', ['after', 'start'])).toBe('killed');
    await until('it runs again', () => room.resumed().length === 1);
    await room.tmux.tmux('send-keys', '-t', '=left-again:', 'exit', 'Enter');
    await until('it is gone', async () => {
      // Before 3.6 tmux may miss that a program ended until another child of its own does.
      await room.tmux.tmux('run-shell', '-b', 'true').catch(() => {});
      return (await room.names()).length === 0;
    });
    expect(await room.restoreAsUser('--yes')).toMatchObject({ exitCode: 0, sessions: [] });
    expect(await room.names()).toEqual([]);
    await room.done('reopen', 'left-again');
    await until('it runs by its name', () => room.resumed().includes(id));
    await room.done('verify');
  });
});
