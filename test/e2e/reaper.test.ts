import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lives } from '../engine/act/closing-room.ts';
import { BoundedMemory, mayBoundMemory } from '../support/bounded-memory.ts';
import { rollcall } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const MIB = 1024 ** 2;
const LIMIT = 320 * MIB;

let tmux: PrivateTmux;
let agents: ScriptedAgents;
let env: NodeJS.ProcessEnv;
let bounded: BoundedMemory;
let pids: Map<string, number>;

beforeEach(async () => {
  tmux = new PrivateTmux('reaped');
  agents = new ScriptedAgents(tmux.folder);
  pids = new Map();
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
    // The budget of an hour is shared by all rollcalls of a user, so a test has one of its own.
    XDG_RUNTIME_DIR: join(tmux.folder, 'runtime'),
  };
  mkdirSync(env.XDG_RUNTIME_DIR ?? '', { mode: 0o700 });
  configure();
  await tmux.session('first');
  bounded = new BoundedMemory(LIMIT);
  bounded.enter(tmux.serverPid);
});

afterEach(async () => {
  await rollcall(['down'], env);
  tmux.stop();
  await bounded.remove();
});

function configure(): void {
  const folder = join(tmux.folder, 'config', 'rollcall');
  mkdirSync(folder, { recursive: true });
  const settings = {
    ...{ exitedAfter: '1s', confirmFor: '1s', startingFor: '0s' },
    daemon: { port: 0 },
    reaper: { idleAfter: '1s', confirm: '1s', grace: '1s', settle: '1s' },
    // Room to spare, so that the kernel kills nothing.
    pressure: { critical: { after: '0s', available: 40 }, fallAfter: '1s', transition: '0s' },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
}

const here = (command: string, ...argv: string[]) =>
  rollcall([command, '--server', tmux.socketPath, ...argv], env);

/** Starts an agent under care that takes so much memory. */
async function start(name: string, mebibytes: number): Promise<void> {
  const argv = agents.argv(name, `leaves+${mebibytes}m`, `talk-${name}-${basename(tmux.folder)}`);
  const ran = await here('run', '--name', name, '--cwd', tmux.folder, '--', ...argv);
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
  pids.set(name, await agents.pid(name));
}

const IDLE = ['idle-1', 'idle-2', 'idle-3', 'idle-4'];
const INNOCENT = ['working', 'waiting', 'attached', 'drafted', 'held', 'background'];

/** Everybody that must never be touched, each for another reason, and agents at rest. */
async function fill(): Promise<void> {
  await Promise.all([...INNOCENT.map((name) => start(name, 8)), ...IDLE.map((name) => start(name, 36))]);
  await agents.say('working', 'working');
  await agents.say('waiting', 'waiting', 'permission');
  await agents.say('drafted', 'idle', 'draft');
  await agents.say('background', 'idle', 'background');
  expect((await here('hold', 'held', '--reason', 'mine')).exitCode).toBe(0);
  // A person at a terminal of their own.
  await tmux.session('person', 'sh', '-c', `unset TMUX; exec tmux -S ${tmux.socketPath} attach -t =attached`);
  await until(
    'somebody is attached',
    async () => (await tmux.tmux('list-clients', '-t', '=attached')) !== '',
  );
}

const isThere = (name: string) => lives(pids.get(name) ?? 0);

interface Report {
  readonly events: readonly { readonly kind: string; readonly session: { readonly name: string } | null }[];
}

async function told(kind: string): Promise<string[]> {
  const { stdout, stderr } = await rollcall(['reap', 'report', '--json'], env);
  if (stdout === '') throw new Error(stderr);
  const { events } = JSON.parse(stdout) as Report;
  return events.flatMap((event) => (event.kind === kind && event.session ? [event.session.name] : []));
}

async function tier(): Promise<string> {
  const { stdout } = await rollcall(['status', '--json'], env);
  return (JSON.parse(stdout) as { pressure: { tier: string } }).pressure.tier;
}

async function up(): Promise<void> {
  const ran = await rollcall(['up'], env);
  expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
}

describe.runIf(mayBoundMemory)('under real memory pressure', () => {
  test('enforce closes what is idle, one at a time, until the pressure is over, and nobody else', {
    timeout: 120_000,
  }, async () => {
    await fill();
    expect(await tier()).toBe('critical');
    expect((await rollcall(['reap', 'mode', 'enforce'], env)).exitCode).toBe(0);
    await up();
    await until('the pressure is over', async () => (await tier()) === 'normal', Boolean, 90_000);
    const closed = await told('closed');
    const left = IDLE.filter(isThere);
    expect(closed.length).toBeGreaterThan(0);
    expect([...closed, ...left].sort()).toEqual(IDLE);
    expect(left.length).toBeGreaterThan(0);
    // Two more rounds of a calm machine take nothing.
    const rounds = async () => {
      const { stdout } = await rollcall(['status', '--json'], env);
      return (JSON.parse(stdout) as { supervision: { rounds: number } | null }).supervision?.rounds ?? 0;
    };
    const seen = await rounds();
    await until('it went on looking', async () => (await rounds()) > seen + 1, Boolean, 40_000);
    expect(IDLE.filter(isThere)).toEqual(left);
    expect(INNOCENT.filter(isThere)).toEqual(INNOCENT);
    // Each of them can be put back.
    const back = await here('reopen', closed[0] ?? '');
    expect([back.stderr, back.exitCode]).toEqual(['', 0]);
  });

  test('shadow touches nothing, and its report names what would have been', {
    timeout: 120_000,
  }, async () => {
    await fill();
    await up();
    await until('it has named one', async () => (await told('would-close')).length > 0, Boolean, 60_000);
    expect(IDLE).toContain((await told('would-close'))[0]);
    expect(await told('closed')).toEqual([]);
    expect([...IDLE, ...INNOCENT].filter(isThere)).toEqual([...IDLE, ...INNOCENT]);
    const { stdout } = await rollcall(['reap', 'report'], env);
    expect(stdout).toContain('idle-');
  });
});
