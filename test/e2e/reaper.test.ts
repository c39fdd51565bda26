import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lives } from '../engine/act/closing-room.ts';
import { BoundedMemory, mayBoundMemory } from '../support/bounded-memory.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const MIB = 1024 ** 2;
const LIMIT = 320 * MIB;

const IDLE = ['idle-1', 'idle-2', 'idle-3', 'idle-4'];
const INNOCENT = ['working', 'waiting', 'attached', 'drafted', 'held', 'background'];

interface Event {
  readonly kind: string;
  readonly session: { readonly name: string } | null;
}

/** A tmux server in a cgroup with a limit, and a daemon that sees nothing but it. */
class TightRoom {
  readonly tmux = new PrivateTmux('tight');
  readonly #agents = new ScriptedAgents(this.tmux.folder);
  readonly #bounded = new BoundedMemory(LIMIT);
  readonly #pids = new Map<string, number>();
  readonly env: NodeJS.ProcessEnv = {
    ...this.tmux.env,
    XDG_STATE_HOME: join(this.tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(this.tmux.folder, 'config'),
    // Supervisors with several state folders share what the runtime folder counts, so a test has one of its own.
    XDG_RUNTIME_DIR: join(this.tmux.folder, 'runtime'),
  };

  /** Everybody that must never be touched, each for another reason, and agents at rest. */
  static async filled(): Promise<TightRoom> {
    const room = new TightRoom();
    onTestFinished(() => room.leave());
    room.#configure();
    await room.tmux.session('first');
    room.#bounded.enter(room.tmux.serverPid);
    const all = [...INNOCENT.map((name) => [name, 8] as const), ...IDLE.map((name) => [name, 36] as const)];
    await Promise.all(all.map(([name, mebibytes]) => room.#start(name, mebibytes)));
    await room.#agents.say('working', 'working');
    await room.#agents.say('waiting', 'waiting', 'permission');
    await room.#agents.say('drafted', 'idle', 'draft');
    await room.#agents.say('background', 'idle', 'background');
    expect((await room.inside('hold', 'held', '--reason', 'mine')).exitCode).toBe(0);
    // A person at a terminal of their own.
    const attach = `unset TMUX; exec tmux -S ${room.tmux.socketPath} attach -t =attached`;
    await room.tmux.session('person', 'sh', '-c', attach);
    const clients = () => room.tmux.tmux('list-clients', '-t', '=attached');
    await until('somebody is attached', async () => (await clients()) !== '');
    return room;
  }

  #configure(): void {
    const folder = join(this.tmux.folder, 'config', 'rollcall');
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(this.tmux.folder, 'runtime'), { mode: 0o700 });
    const settings = {
      ...{ exitedAfter: '1s', confirmFor: '1s', startingFor: '0s', daemon: { port: 0 } },
      ...{ tmux: { timeout: '20s' }, git: { timeout: '20s' } },
      reaper: { idleAfter: '1s', confirm: '1s', grace: '1s', settle: '1s', prefer: 'close' },
      // Room to spare, so that the kernel kills nothing.
      pressure: { critical: { after: '0s', available: 40 }, fallAfter: '1s', transition: '0s' },
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  }

  /** Starts an agent under care that takes so much memory. */
  async #start(name: string, mebibytes: number): Promise<void> {
    const conversation = `talk-${name}-${basename(this.tmux.folder)}`;
    const argv = this.#agents.argv(name, `leaves+${mebibytes}m`, conversation);
    const ran = await this.inside('run', '--name', name, '--cwd', this.tmux.folder, '--', ...argv);
    expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
    this.#pids.set(name, await this.#agents.pid(name));
  }

  /** What only prepares the scene, or asks again and again, needs no process of its own. */
  inside(command: string, ...argv: string[]) {
    return rollcallInside([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  call(command: string, ...argv: string[]) {
    return rollcall([command, '--server', this.tmux.socketPath, ...argv], this.env);
  }

  async up(): Promise<number> {
    const ran = await this.call('up', '--json');
    expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
    return (JSON.parse(ran.stdout) as { daemon: { pid: number } }).daemon.pid;
  }

  living(names: readonly string[]): string[] {
    return names.filter((name) => lives(this.#pids.get(name) ?? 0));
  }

  async told(kind: string): Promise<string[]> {
    const { stdout, stderr } = await rollcallInside(['reap', 'report', '--json'], this.env);
    if (stdout === '') throw new Error(stderr);
    const { events } = JSON.parse(stdout) as { readonly events: readonly Event[] };
    return events.flatMap((event) => (event.kind === kind && event.session ? [event.session.name] : []));
  }

  async status(): Promise<{ pressure: { tier: string }; supervision: { rounds: number } | null }> {
    return JSON.parse((await this.inside('status', '--json')).stdout);
  }

  async untilCalm(): Promise<void> {
    const isCalm = async () => (await this.status()).pressure.tier === 'normal';
    await until('the pressure is over', isCalm, Boolean, 90_000);
  }

  async leave(): Promise<void> {
    await this.inside('down');
    this.tmux.stop();
    await this.#bounded.remove();
  }
}

describe.runIf(mayBoundMemory).concurrent('under real memory pressure', () => {
  test('S38: enforce closes what is idle, one at a time, until the pressure is over, and nobody else', async () => {
    const room = await TightRoom.filled();
    expect((await room.status()).pressure.tier).toBe('critical');
    expect((await rollcall(['reap', 'mode', 'enforce'], room.env)).exitCode).toBe(0);
    await room.up();
    await room.untilCalm();
    const rounds = async () => (await room.status()).supervision?.rounds ?? 0;
    const twoMoreRounds = async () => {
      const seen = await rounds();
      await until('it went on looking', async () => (await rounds()) > seen + 1);
    };
    // Memory is free before the close that freed it is done and told.
    await twoMoreRounds();
    const closed = await room.told('closed');
    const left = room.living(IDLE);
    expect([...closed, ...left].sort()).toEqual(IDLE);
    expect([closed.length > 0, left.length > 0]).toEqual([true, true]);
    // Two more rounds of a calm machine take nothing.
    await twoMoreRounds();
    expect(room.living(IDLE)).toEqual(left);
    expect(room.living(INNOCENT)).toEqual(INNOCENT);
    // Each of them can be put back.
    const back = await room.call('reopen', closed[0] ?? '');
    expect([back.stderr, back.exitCode]).toEqual(['', 0]);
  });

  test('shadow touches nothing, and its report names what would have been', async () => {
    const room = await TightRoom.filled();
    await room.up();
    await until('it has named one', async () => (await room.told('would-close')).length > 0);
    expect(IDLE).toContain((await room.told('would-close'))[0]);
    expect(await room.told('closed')).toEqual([]);
    expect(room.living([...IDLE, ...INNOCENT])).toEqual([...IDLE, ...INNOCENT]);
    expect((await rollcall(['reap', 'report'], room.env)).stdout).toContain('idle-');
  });

  test('S50: killed again and again while it reaps, it closes nothing twice and nobody else', async () => {
    const room = await TightRoom.filled();
    expect((await rollcall(['reap', 'mode', 'enforce'], room.env)).exitCode).toBe(0);
    const log = join(room.tmux.folder, 'state', 'rollcall', 'daemon.log');
    const reaped = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('reaper chosen')).length;
    for (let time = 0; time < 3; time += 1) {
      const pid = await room.up();
      const before = reaped();
      // Something is chosen, or on its way out; then at any point of what follows.
      await until('it is about to reap', () => reaped() > before);
      const stop = performance.now() + Math.random() * 1500;
      await until('some moment of it', () => performance.now() > stop);
      process.kill(pid, 'SIGKILL');
      await until('it is gone', () => !lives(pid));
    }
    await room.up();
    await room.untilCalm();
    expect(room.living(INNOCENT)).toEqual(INNOCENT);
    const received = async () => {
      const { stdout } = await room.inside('log', '--json');
      const { entries } = JSON.parse(stdout) as {
        entries: { kind: string; action: string; session: { name: string } }[];
      };
      return entries.flatMap(({ kind, action, session }) =>
        kind === 'receipt' && action === 'close' ? [session.name] : [],
      );
    };
    // Memory is free before the close that freed it is done and recorded.
    const receipts = await until(
      'whoever has left has a receipt',
      received,
      (names) => names.length + room.living(IDLE).length >= IDLE.length,
    );
    expect([...receipts].sort()).toEqual([...new Set(receipts)].sort());
    expect([...receipts, ...room.living(IDLE)].sort()).toEqual(IDLE);
    expect((await room.inside('verify')).exitCode).toBe(0);
  });
});
