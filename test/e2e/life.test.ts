import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import { closeDocumentSchema, reopenDocumentSchema } from '../../src/contract/close-schemas.ts';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { lives } from '../engine/act/closing-room.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

// One conversation is never in two sessions, and rollcall sees those of other tests too.
const conversationIn = (tmux: PrivateTmux) => `talk-${basename(tmux.folder)}`;

/** An agent that was asked and stays is not waited for any longer. */
const SOON = ['--timeout', '90s'];

/** The command itself on a server of its own, with files of its own. */
class Life {
  readonly tmux = new PrivateTmux('life');
  readonly agents = new ScriptedAgents(this.tmux.folder);
  readonly env: NodeJS.ProcessEnv = {
    ...this.tmux.env,
    XDG_STATE_HOME: join(this.tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(this.tmux.folder, 'config'),
  };

  constructor() {
    this.configure({ worker: { retainFor: '1h' }, '*': { retainFor: '1s' } });
  }

  configure(roles: object): void {
    const folder = join(this.tmux.folder, 'config', 'rollcall');
    mkdirSync(folder, { recursive: true });
    const settings = { exitedAfter: '1s', confirmFor: '1s', startingFor: '0s', roles };
    // Several run at once: an answer that takes its time is none the worse.
    const patient = { tmux: { timeout: '20s' }, git: { timeout: '20s' } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...settings, ...patient }));
  }

  /** What only prepares the scene, or asks again and again, needs no process of its own. */
  inside(command: string, ...argv: string[]) {
    return rollcallInside([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  here(command: string, ...argv: string[]) {
    return rollcall([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  async told<T extends v.GenericSchema>(
    schema: T,
    call: 'here' | 'inside',
    command: string,
    ...argv: string[]
  ): Promise<v.InferOutput<T>> {
    const { stdout, stderr } = await this[call](command, '--json', ...argv);
    const parsed = v.safeParse(schema, JSON.parse(stdout));
    if (!parsed.success) throw new Error(`${command} ${argv.join(' ')}: ${stdout}${stderr}`);
    return parsed.output;
  }

  async session(name: string) {
    const { stdout } = await this.inside('roll', '--json');
    return v.parse(rollDocumentSchema, JSON.parse(stdout)).sessions.find((one) => one.name === name);
  }

  async names(): Promise<string[]> {
    const printed = await this.tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '');
    return printed.split('\n').filter(Boolean);
  }

  becomes(name: string, lifecycle: string) {
    return until(
      `${name} is ${lifecycle}`,
      () => this.session(name),
      (one) => one?.lifecycle === lifecycle,
      40_000,
      250,
    );
  }

  /** Starts an agent with the command itself, and waits until it has spoken. */
  async start(name: string, manner: string, ...flags: string[]): Promise<number> {
    const { tmux, agents } = this;
    const argv = agents.argv(name.replaceAll(' ', '-'), manner, conversationIn(tmux));
    const ran = await this.inside('run', '--name', name, '--cwd', tmux.folder, ...flags, '--', ...argv);
    expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
    return agents.pid(name.replaceAll(' ', '-'));
  }

  /** Started, declared complete, and kept for long enough. */
  async due(name: string, manner: string): Promise<number> {
    const pid = await this.start(name, manner);
    expect((await this.inside('complete', name)).exitCode).toBe(0);
    await this.becomes(name, 'safe-to-close');
    return pid;
  }

  /** Has rollcall run in a pane of that session, and gives what it said and how it ended. */
  async saidInside(name: string, ...argv: string[]): Promise<string> {
    const said = join(this.tmux.folder, 'said');
    const { XDG_STATE_HOME, XDG_CONFIG_HOME } = this.env;
    const state = `XDG_STATE_HOME=${XDG_STATE_HOME} XDG_CONFIG_HOME=${XDG_CONFIG_HOME}`;
    await this.tmux.tmux(
      ...['split-window', '-d', '-t', `=${name}:`],
      `env ${state} ${ROLLCALL} ${argv.join(' ')} > ${said} 2>&1; echo "rc=$?" >> ${said}`,
    );
    return until(
      'it has an answer',
      () => read(said),
      (text) => text.includes('rc='),
    );
  }
}

const test = base.extend<{ life: Life }>({
  life: async ({ task: _ }, use) => {
    const life = new Life();
    await use(life);
    life.tmux.stop();
  },
});

describe.concurrent('a whole life', () => {
  test('from run to reopen, and once more', async ({ life }) => {
    const pid = await life.start('worker', 'done', '--role', 'worker', '--task', 'T-1');
    expect((await life.inside('close', '--due')).stdout).toBe('nothing is due\n');

    // The agent itself says that it is done, in a pane of its session.
    const answer = await life.saidInside('worker', 'complete', '--task', 'T-1', '--evidence', 'merged');
    expect(answer).toBe('worker: declared complete\nrc=0\n');

    const kept = await life.becomes('worker', 'completed-retained');
    expect(kept).toMatchObject({ role: 'worker', task: 'T-1', retainedUntil: expect.any(Number) });
    expect((await life.inside('close', '--due')).stdout).toBe('nothing is due\n');
    expect(await life.inside('close', 'worker', '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/set aside: .*kept 5\d min more \(rested\)/),
    });
    life.configure({ worker: { retainFor: '1s' } });
    await life.becomes('worker', 'safe-to-close');
    const plan = await life.here('close', 'worker', '--dry-run');
    expect([plan.exitCode, plan.stdout]).toEqual([0, expect.stringContaining("type '/exit' to scripted")]);
    expect(lives(pid)).toBe(true);

    const closed = await life.told(
      closeDocumentSchema,
      'here',
      'close',
      'worker',
      '--reason',
      'over',
      ...SOON,
    );
    const [report] = closed.sessions;
    expect(report).toMatchObject({
      result: 'closed',
      exitCode: 0,
      receipt: { reason: 'over', isForced: false },
    });
    // The pane of a program that was started goes with it: by itself, or by the close where that comes first.
    const walked = report?.receipt?.rungs.filter(({ rung }) => rung !== 'remove') ?? [];
    expect(walked.map(({ rung, result }) => `${rung} ${result}`)).toEqual([
      ...['archive done', 'ask unanswered', 'terminate done', 'sweep skipped'],
    ]);
    expect(lives(pid)).toBe(false);
    const receipt = report?.receipt?.receipt ?? '';
    expect((await life.inside('log')).stdout).toMatch(new RegExp(`close +worker +receipt ${receipt}`));
    // What rollcall closed is not missed, though its server went with it.
    const { stdout: roll } = await rollcallInside(['--json'], life.env);
    const { problems } = v.parse(rollDocumentSchema, JSON.parse(roll));
    expect(problems.filter(({ socketPath }) => socketPath === life.tmux.socketPath)).toEqual([]);

    const reopened = await life.told(reopenDocumentSchema, 'here', 'reopen', receipt);
    expect(reopened).toMatchObject({
      name: 'worker',
      receipt,
      conversation: conversationIn(life.tmux),
      missing: [],
    });
    expect((await life.inside('reopen', receipt)).exitCode).toBe(3);
    await until(
      'it works on',
      () => life.agents.pid('worker'),
      (again) => again !== pid && lives(again),
    );
    expect(await life.session('worker')).toMatchObject({ task: 'T-1', role: 'worker', key: reopened.key });

    // Its server is another one now; its name still means the last of that name.
    expect((await life.inside('close', 'worker', '--force', ...SOON)).exitCode).toBe(0);
    expect(await life.told(reopenDocumentSchema, 'inside', 'reopen', 'worker')).toMatchObject({
      reopens: reopened.key,
    });
    expect((await life.inside('verify')).exitCode).toBe(0);
  });

  test('a hold keeps it until it is named', async ({ life }) => {
    const pid = await life.due('worker', 'leaves');
    expect((await life.here('hold', 'worker', '--reason', 'reading')).stdout).toBe('worker: held: reading\n');
    expect((await life.inside('close', '--due')).stdout).toBe('nothing is due\n');
    for (const more of [[], ['--force']]) {
      const { exitCode, stdout } = await life.inside('close', 'worker', ...more);
      expect(exitCode).toBe(3);
      expect(stdout).toMatch(/protected: held .*: reading \(held\)\n.*hint: --despite held/s);
    }
    expect(lives(pid)).toBe(true);
    const { sessions } = await life.told(
      closeDocumentSchema,
      'inside',
      'close',
      'worker',
      '--despite',
      'held',
    );
    expect(sessions).toMatchObject([{ result: 'closed', receipt: { despite: ['held'], isForced: false } }]);
  });

  test('of several one is refused, and the others go', async ({ life }) => {
    const pids = [await life.due('one', 'leaves'), await life.due('a second', 'leaves')];
    await life.start('busy', 'leaves');
    await life.agents.say('busy', 'working');
    const { exitCode, stdout } = await life.here('close', 'one', 'busy', 'a second');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^busy: not closed: it is active/m);
    expect(stdout).toMatch(/^one: closed, receipt/m);
    expect(stdout).toMatch(/^a second: closed, receipt/m);
    expect(pids.map(lives)).toEqual([false, false]);
    expect(await life.names()).toEqual(['busy']);
    // A name that is wrong stops all of them.
    const wrong = await life.inside('close', 'busy', 'nobody', '--force');
    expect([wrong.exitCode, wrong.stderr]).toEqual([4, expect.stringContaining('nothing was closed')]);
    expect(await life.names()).toEqual(['busy']);
  });

  test('cron closes what is due, with next to nothing in its environment', async ({ life }) => {
    const pid = await life.due('worker', 'done');
    await life.start('other', 'leaves');
    await life.tmux.session('by-hand');
    const cron = {
      PATH: '/usr/bin:/bin',
      HOME: life.tmux.folder,
      XDG_STATE_HOME: life.env.XDG_STATE_HOME,
      XDG_CONFIG_HOME: life.env.XDG_CONFIG_HOME,
      ROLLCALL_SCRIPTED_AGENT: life.agents.program,
    };
    const { exitCode, stdout, stderr } = await rollcall(
      ['close', '--due', '--server', life.tmux.socketPath, ...SOON],
      cron,
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^worker: closed, receipt \w+\n/)]);
    expect(stderr).toContain('terminate  done');
    expect(stdout + stderr).not.toContain('\u001b');
    expect(lives(pid)).toBe(false);
    expect((await life.names()).sort()).toEqual(['by-hand', 'other']);
    const again = await rollcallInside(['close', '--due', '--server', life.tmux.socketPath, ...SOON], cron);
    expect([again.exitCode, again.stdout]).toEqual([0, 'nothing is due\n']);
  });
});

describe.concurrent('what stands in the way', () => {
  test('S42: from inside of the session itself it is refused, whatever is said', async ({ life }) => {
    const pid = await life.due('worker', 'leaves');
    const close = ['close', 'worker', '--server', life.tmux.socketPath];
    const answer = await life.saidInside('worker', ...close, '--force', '--despite', 'held,attached');
    expect(answer).toContain('worker: not closed: rollcall itself runs in it');
    expect(answer).toContain('hint: call rollcall from another session');
    expect(answer).toMatch(/rc=3\n$/);
    expect(lives(pid)).toBe(true);
  });

  test('S41: a hook that makes the session again is told in the receipt, and the new one stands', async ({
    life,
  }) => {
    await life.due('worker', 'leaves');
    await life.tmux.session('stays');
    await life.tmux.tmux('set-hook', '-g', 'session-closed', 'new-session -d -s worker "sleep 1000"');
    const { exitCode, stdout } = await life.here('close', 'worker');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('another session took its name')]);
    const again = await life.session('worker');
    expect(stdout).toContain(again?.key);
    // Nothing that was declared of the first holds for it.
    expect(again).toMatchObject({ lifecycle: 'active', protections: [{ code: 'not-managed' }] });
    expect((await life.inside('close', '--due')).stdout).toBe('nothing is due\n');
    expect((await life.names()).sort()).toEqual(['stays', 'worker']);
  });

  test('S46: a stopped agent takes --force, which wakes it with SIGTERM', async ({ life }) => {
    // Not the pane's own process, which tmux would wake.
    const argv = life.agents.argv('worker', 'leaves').join(' ');
    const shell = ['sh', '-c', `${argv}; exec env PS1='$ ' HISTFILE= bash --norc --noprofile -i`];
    expect(
      (await life.inside('run', '--name', 'worker', '--cwd', life.tmux.folder, '--', ...shell)).exitCode,
    ).toBe(0);
    const pid = await life.agents.pid('worker');
    expect((await life.inside('complete', 'worker')).exitCode).toBe(0);
    await life.becomes('worker', 'safe-to-close');
    process.kill(pid, 'SIGSTOP');
    await until('it is stopped', () => read(`/proc/${pid}/stat`).includes(') T '));
    const refused = await life.inside('close', 'worker');
    expect([refused.exitCode, lives(pid)]).toEqual([3, true]);
    const { sessions } = await life.told(closeDocumentSchema, 'inside', 'close', 'worker', '--force');
    expect(sessions[0]?.receipt?.rungs.map(({ rung, result }) => `${rung} ${result}`)).toEqual([
      ...['archive done', 'ask skipped', 'terminate done', 'remove done', 'sweep skipped'],
    ]);
    expect(lives(pid)).toBe(false);
  });
});

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
