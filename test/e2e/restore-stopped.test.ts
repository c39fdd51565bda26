import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { OwnProcess } from '../support/own-process.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

let own: OwnProcess;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    [
      'src/compose/hands.ts',
      'src/engine/act/restore/restore-session.ts',
      'src/engine/act/sleep/wake-session.ts',
    ],
    `import * as rollcall from './module.mjs';
    const [request] = args.map((one) => JSON.parse(one));
    Object.assign(process.env, request.env);
    const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
    let isDone = false;
    const onStep = (step, when) => {
      if (isDone || step !== request.step || when !== request.when) return;
      isDone = true;
      process.kill(process.pid, 'SIGSTOP');
    };
    const hands = await rollcall.composeHands(process.env, settings, { sockets: request.sockets, onStep });
    const { sessions } = await hands.look();`,
  );
});
afterAll(() => own.remove());

const ACTS = {
  restore: `
    const [lost] = rollcall.lostSessions(hands, sessions, { since: null, named: null, hasPrograms: false });
    console.log(JSON.stringify(await rollcall.restoreSession(hands, lost, { shell: '/bin/sh', argv: [] })));`,
  wake: `
    const entry = sessions.find(({ name }) => name === 'one');
    console.log(JSON.stringify(await rollcall.wakeSession(hands, { entry, argv: [] })));`,
};

type Act = keyof typeof ACTS;

class Stopped extends RestoreRoom {
  #child: ChildProcess | null = null;
  #said = '';

  /** Acts, and is stopped at one step of it, as by Ctrl-Z. */
  async stopsAt(act: Act, when: string, step: string): Promise<void> {
    const { XDG_STATE_HOME, TMUX_TMPDIR } = this.env;
    const request = {
      ...{ step, when, settings: this.settings, sockets: [this.tmux.socketPath] },
      env: { XDG_STATE_HOME, TMUX_TMPDIR, HOME: this.home },
    };
    const child = own.startWith(['ignore', 'pipe', 'inherit'], ACTS[act], JSON.stringify(request));
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    await until('it is stopped', () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').includes(') T '));
  }

  /** Lets it go on, and gives what came of it. */
  async goesOn(): Promise<unknown> {
    const ended = once(this.#child as ChildProcess, 'close');
    this.#child?.kill('SIGCONT');
    await ended;
    return JSON.parse(this.#said);
  }

  /** A person resumes in a pane. */
  async byHand(...words: string[]): Promise<void> {
    const place = ['-s', 'hand', '-c', this.tmux.folder, '-e', `HOME=${this.home}`];
    await this.tmux.tmux('new-session', '-d', ...place, this.claude, ...words);
    await until('it runs', () => this.running().length === 1);
  }

  override leave(): void {
    this.#child?.kill('SIGKILL');
    super.leave();
  }
}

const test = base.extend<{ room: Stopped }>({
  room: async ({ task: _ }, use) => {
    const room = new Stopped();
    await use(room);
    room.leave();
  },
});

async function lost(room: Stopped, act: Act): Promise<string> {
  const id = await room.agent('one');
  await room.seen('one');
  await room.crash();
  if (act === 'wake') await room.restore('--asleep', '--yes');
  return id;
}

const MOMENTS = [
  ['restore', 'after', 'intent'],
  ['restore', 'after', 'keep'],
  ['restore', 'before', 'start'],
  ['wake', 'after', 'intent'],
  ['wake', 'before', 'start'],
] as const;

describe.concurrent('S63: stopped between its look and its start', () => {
  test.for(MOMENTS)(
    '%s %s %s: who resumed meanwhile is the only one',
    async ([act, when, step], { room }) => {
      const id = await lost(room, act);
      await room.stopsAt(act, when, step);
      await room.byHand('--resume', id);
      await until('it has said so', () => room.spoken(id));
      const stoppedAt = performance.now();
      await until('the look is old', () => performance.now() - stoppedAt > 1_000);
      expect(await room.goesOn()).toMatchObject(
        act === 'restore' ? { result: 'already' } : { state: 'lives' },
      );
      expect(room.resumed()).toEqual([id]);
      expect(await room.names()).toEqual(act === 'restore' ? ['hand'] : ['hand', 'one']);
      const { sessions } = await room.restore('--yes');
      expect(sessions.map(({ result }) => result)).toEqual(act === 'restore' ? ['already'] : []);
      await room.done('verify');
    },
  );

  test.for(['restore', 'wake'] as const)(
    '%s: who has not said yet what it resumed',
    async (act, { room }) => {
      await lost(room, act);
      await room.stopsAt(act, 'before', 'start');
      await room.byHand('--continue');
      const stoppedAt = performance.now();
      await until('the look is old', () => performance.now() - stoppedAt > 1_000);
      expect(await room.goesOn()).toMatchObject(
        act === 'restore' ? { result: 'failed', hint: expect.stringContaining('wait') } : { state: 'silent' },
      );
      expect(room.running()).toHaveLength(1);
      await room.done('verify');
    },
  );

  test.for(['restore', 'wake'] as const)('%s goes on where nobody came', async (act, { room }) => {
    const id = await lost(room, act);
    await room.stopsAt(act, 'before', 'start');
    const stoppedAt = performance.now();
    await until('the look is old', () => performance.now() - stoppedAt > 1_000);
    expect(await room.goesOn()).toMatchObject(
      act === 'restore' ? { result: 'restored' } : { state: 'woken' },
    );
    await until('it runs', () => room.resumed().includes(id));
    expect(await room.names()).toEqual(['one']);
    await room.done('verify');
  });
});
