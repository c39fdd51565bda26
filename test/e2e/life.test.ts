import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { closeDocumentSchema, reopenDocumentSchema, rollDocumentSchema } from '../../src/contract/index.ts';
import { lives } from '../engine/act/closing-room.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let agents: ScriptedAgents;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  tmux = new PrivateTmux('life');
  agents = new ScriptedAgents(tmux.folder);
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  configure({ worker: { retainFor: '1h' }, '*': { retainFor: '1s' } });
});
afterEach(() => tmux.stop());

function configure(roles: object): void {
  const folder = join(tmux.folder, 'config', 'rollcall');
  mkdirSync(folder, { recursive: true });
  const settings = { exitedAfter: '1s', confirmFor: '1s', startingFor: '0s', roles };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
}

const here = (command: string, ...argv: string[]) =>
  rollcall([command, '--server', tmux.socketPath, ...argv], env);

async function told<T extends z.ZodType>(schema: T, command: string, ...argv: string[]): Promise<z.infer<T>> {
  const { stdout, stderr } = await here(command, '--json', ...argv);
  const parsed = schema.safeParse(JSON.parse(stdout));
  if (!parsed.success) throw new Error(`${command} ${argv.join(' ')}: ${stdout}${stderr}`);
  return parsed.data;
}

const session = async (name: string) =>
  (await told(rollDocumentSchema, 'roll')).sessions.find((one) => one.name === name);
const names = async () =>
  (await tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '')).split('\n').filter(Boolean);
const becomes = (name: string, lifecycle: string) =>
  until(
    `${name} is ${lifecycle}`,
    () => session(name),
    (one) => one?.lifecycle === lifecycle,
    40_000,
  );

// One conversation is never in two sessions, and rollcall sees those of other tests too.
const conversation = () => `talk-${basename(tmux.folder)}`;

/** An agent that was asked and stays is not waited for any longer. */
const SOON = ['--timeout', '3s'];

/** Starts an agent with the command itself, and waits until it has spoken. */
async function start(name: string, manner: string, ...flags: string[]): Promise<number> {
  const argv = agents.argv(name.replaceAll(' ', '-'), manner, conversation());
  const ran = await here('run', '--name', name, '--cwd', tmux.folder, ...flags, '--', ...argv);
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
  return agents.pid(name.replaceAll(' ', '-'));
}

/** Started, declared complete, and kept for long enough. */
async function due(name: string, manner: string): Promise<number> {
  const pid = await start(name, manner);
  expect((await here('complete', name)).exitCode).toBe(0);
  await becomes(name, 'safe-to-close');
  return pid;
}

describe('a whole life', () => {
  test('from run to reopen, and once more', async () => {
    const pid = await start('worker', 'done', '--role', 'worker', '--task', 'T-1');
    expect((await here('close', 'worker')).exitCode).toBe(3);

    // The agent itself says that it is done, in a pane of its session.
    const said = join(tmux.folder, 'said');
    const state = `XDG_STATE_HOME=${env.XDG_STATE_HOME} XDG_CONFIG_HOME=${env.XDG_CONFIG_HOME}`;
    await tmux.tmux(
      ...['split-window', '-d', '-t', '=worker:'],
      `env ${state} ${ROLLCALL} complete --task T-1 --evidence merged > ${said} 2>&1; echo "rc=$?" >> ${said}`,
    );
    const answer = await until(
      'it has said so',
      () => read(said),
      (text) => text.includes('rc='),
    );
    expect(answer).toBe('worker: declared complete\nrc=0\n');

    const kept = await becomes('worker', 'completed-retained');
    expect(kept).toMatchObject({ role: 'worker', task: 'T-1', retainedUntil: expect.any(Number) });
    expect(await here('close', 'worker')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/kept 59 min more \(rested\)/),
    });
    configure({ worker: { retainFor: '1s' } });
    await becomes('worker', 'safe-to-close');
    const plan = await here('close', 'worker', '--dry-run');
    expect([plan.exitCode, plan.stdout]).toEqual([0, expect.stringContaining("type '/exit' to scripted")]);
    expect(lives(pid)).toBe(true);

    const closed = await told(closeDocumentSchema, 'close', 'worker', '--reason', 'over', ...SOON);
    const [report] = closed.sessions;
    expect(report).toMatchObject({
      result: 'closed',
      exitCode: 0,
      receipt: { reason: 'over', isForced: false },
    });
    expect(report?.receipt?.rungs.map(({ rung, result }) => `${rung} ${result}`)).toEqual([
      ...['archive done', 'ask unanswered', 'terminate done', 'sweep skipped'],
    ]);
    expect(lives(pid)).toBe(false);
    const receipt = report?.receipt?.receipt ?? '';
    expect((await here('log')).stdout).toMatch(new RegExp(`close +worker +receipt ${receipt}`));
    // What rollcall closed is not missed, though its server went with it.
    const { stdout: roll } = await rollcall(['--json'], env);
    const { problems } = rollDocumentSchema.parse(JSON.parse(roll));
    expect(problems.filter(({ socketPath }) => socketPath === tmux.socketPath)).toEqual([]);

    const reopened = await told(reopenDocumentSchema, 'reopen', receipt);
    expect(reopened).toMatchObject({ name: 'worker', receipt, conversation: conversation(), missing: [] });
    expect((await here('reopen', receipt)).exitCode).toBe(3);
    await until(
      'it works on',
      () => agents.pid('worker'),
      (again) => again !== pid && lives(again),
    );
    expect(await session('worker')).toMatchObject({ task: 'T-1', role: 'worker', key: reopened.key });

    // Its server is another one now; its name still means the last of that name.
    expect((await here('close', 'worker', '--force', ...SOON)).exitCode).toBe(0);
    expect(await told(reopenDocumentSchema, 'reopen', 'worker')).toMatchObject({ reopens: reopened.key });
    expect((await here('verify')).exitCode).toBe(0);
  }, 120_000);

  test('a hold keeps it until it is named', async () => {
    const pid = await due('worker', 'leaves');
    expect((await here('hold', 'worker', '--reason', 'reading')).stdout).toBe('worker: held: reading\n');
    expect((await here('close', '--due')).stdout).toBe('nothing is due\n');
    for (const more of [[], ['--force']]) {
      const { exitCode, stdout } = await here('close', 'worker', ...more);
      expect(exitCode).toBe(3);
      expect(stdout).toMatch(/protected: held .*: reading \(held\)\n.*hint: --despite held/s);
    }
    expect(lives(pid)).toBe(true);
    const { sessions } = await told(closeDocumentSchema, 'close', 'worker', '--despite', 'held');
    expect(sessions).toMatchObject([{ result: 'closed', receipt: { despite: ['held'], isForced: false } }]);
  }, 90_000);

  test('of several one is refused, and the others go', async () => {
    const pids = [await due('one', 'leaves'), await due('a second', 'leaves')];
    await start('busy', 'leaves');
    await agents.say('busy', 'working');
    const { exitCode, stdout } = await here('close', 'one', 'busy', 'a second');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^busy: not closed: it is active/m);
    expect(stdout).toMatch(/^one: closed, receipt/m);
    expect(stdout).toMatch(/^a second: closed, receipt/m);
    expect(pids.map(lives)).toEqual([false, false]);
    expect(await names()).toEqual(['busy']);
    // A name that is wrong stops all of them.
    const wrong = await here('close', 'busy', 'nobody', '--force');
    expect([wrong.exitCode, wrong.stderr]).toEqual([4, expect.stringContaining('nothing was closed')]);
    expect(await names()).toEqual(['busy']);
  }, 120_000);

  test('cron closes what is due, with next to nothing in its environment', async () => {
    const pid = await due('worker', 'done');
    await start('other', 'leaves');
    await tmux.session('by-hand');
    const cron = {
      PATH: '/usr/bin:/bin',
      HOME: tmux.folder,
      XDG_STATE_HOME: env.XDG_STATE_HOME,
      XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
    };
    const { exitCode, stdout, stderr } = await rollcall(
      ['close', '--due', '--server', tmux.socketPath, ...SOON],
      cron,
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^worker: closed, receipt \w+\n/)]);
    expect(stderr).toContain('terminate  done');
    expect(stdout + stderr).not.toContain('\u001b');
    expect(lives(pid)).toBe(false);
    expect((await names()).sort()).toEqual(['by-hand', 'other']);
    const again = await rollcall(['close', '--due', '--server', tmux.socketPath, ...SOON], cron);
    expect([again.exitCode, again.stdout]).toEqual([0, 'nothing is due\n']);
  }, 90_000);
});

describe('what stands in the way', () => {
  test('S42: from inside of the session itself it is refused, whatever is said', async () => {
    const pid = await due('worker', 'leaves');
    const said = join(tmux.folder, 'said');
    const state = `XDG_STATE_HOME=${env.XDG_STATE_HOME} XDG_CONFIG_HOME=${env.XDG_CONFIG_HOME}`;
    await tmux.tmux(
      ...['split-window', '-d', '-t', '=worker:'],
      `env ${state} ${ROLLCALL} close worker --server ${tmux.socketPath} --force --despite held,attached > ${said} 2>&1; echo "rc=$?" >> ${said}`,
    );
    const answer = await until(
      'it has an answer',
      () => read(said),
      (text) => text.includes('rc='),
    );
    expect(answer).toContain('worker: not closed: rollcall itself runs in it');
    expect(answer).toContain('hint: call rollcall from another session');
    expect(answer).toMatch(/rc=3\n$/);
    expect(lives(pid)).toBe(true);
  }, 90_000);

  test('S41: a hook that makes the session again is told in the receipt, and the new one stands', async () => {
    await due('worker', 'leaves');
    await tmux.session('stays');
    await tmux.tmux('set-hook', '-g', 'session-closed', 'new-session -d -s worker "sleep 1000"');
    const { exitCode, stdout } = await here('close', 'worker');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('another session took its name')]);
    const again = await session('worker');
    expect(stdout).toContain(again?.key);
    // Nothing that was declared of the first holds for it.
    expect(again).toMatchObject({ lifecycle: 'active', protections: [{ code: 'not-managed' }] });
    expect((await here('close', '--due')).stdout).toBe('nothing is due\n');
    expect((await names()).sort()).toEqual(['stays', 'worker']);
  }, 90_000);

  test('S46: a stopped agent takes --force, which wakes it with SIGTERM', async () => {
    // Not the pane's own process, which tmux would wake.
    const argv = agents.argv('worker', 'leaves').join(' ');
    const shell = ['sh', '-c', `${argv}; exec env PS1='$ ' sh -i`];
    expect((await here('run', '--name', 'worker', '--cwd', tmux.folder, '--', ...shell)).exitCode).toBe(0);
    const pid = await agents.pid('worker');
    expect((await here('complete', 'worker')).exitCode).toBe(0);
    await becomes('worker', 'safe-to-close');
    process.kill(pid, 'SIGSTOP');
    const refused = await here('close', 'worker');
    expect([refused.exitCode, lives(pid)]).toEqual([3, true]);
    const { sessions } = await told(closeDocumentSchema, 'close', 'worker', '--force');
    expect(sessions[0]?.receipt?.rungs.map(({ rung, result }) => `${rung} ${result}`)).toEqual([
      ...['archive done', 'ask skipped', 'terminate done', 'remove done', 'sweep skipped'],
    ]);
    expect(lives(pid)).toBe(false);
  }, 90_000);
});

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
