import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeStandIn } from '../laws/claude-stand-in.ts';
import { World } from '../laws/world.ts';
import type { Ran } from '../support/command.ts';
import { until } from '../support/until.ts';
import { DyingMount, hasFuse } from './dying-mount.ts';

const NO_ANSWER = /gave no answer within \d s: is its mount alive\?/;
/** Without the guard each of them hangs for as long as the mount does. How fast a look is beside a dead mount is for the benchmark. */
const MOST_MS = 300_000;
const SESSIONS = 50;

/** Where this cannot be mounted, `test/adapters/folders/` still plays the same with a process that waits for ever. */
describe.skipIf(!hasFuse)('a mount that gives no answer (a real one: FUSE)', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const timed = (argv: readonly string[]): Promise<Ran> => {
    const patient = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`${argv.join(' ')} hangs`)), MOST_MS).unref();
    });
    return Promise.race([world.rollcall(argv), patient]);
  };

  /** A daemon that lives answers; on a busy machine perhaps not at once, and then status says so. */
  const answered = (argv: readonly string[]): Promise<Ran> =>
    argv[0] === 'status'
      ? until(
          'the daemon answers',
          () => timed(argv),
          ({ exitCode }) => exitCode !== 9,
        )
      : timed(argv);

  /** A folder that lives answers; on a busy machine perhaps not at once. */
  const answersFor = async (name: string) => {
    const explained = async () => (await timed(['explain', name])).stdout;
    await until(`${name} answers`, explained, (text) => !NO_ANSWER.test(text));
  };

  const fill = async (count: number) => {
    await world.session('other');
    const more = `for i in $(seq ${count}); do tmux new-session -d -s "s$i" sleep 1000; done`;
    await world.sh(more);
  };

  it('costs one of fifty sessions its git facts: every command answers, the daemon keeps time and ends', async () => {
    const mount = await DyingMount.open(world);
    await fill(SESSIONS - 3);
    await world.tmux('new-session', '-d', '-s', 'dead', '-c', mount.project, 'bash', '--norc', '--noprofile');
    await world.tmux(
      'new-session',
      '-d',
      '-s',
      'agent',
      '-c',
      mount.project,
      'bash -c "exec -a claude sleep 1000"',
    );
    await world.rollcall(['adopt', 'other']);
    await world.rollcall(['up']);
    mount.die();
    await until('it has told of a round', () => existsSync(standingFile()));
    const roundsBefore = standing().rounds;

    const calls = [
      [[], ['--json'], ['explain', 'dead']],
      [['explain', 'other'], ['status'], ['doctor']],
      [['agents'], ['log'], ['wait', 'dead', '--until', 'exited', '--timeout', '1s']],
      [
        ['hold', 's1'],
        ['adopt', 's2'],
      ],
    ];
    const told = new Map<string, string>();
    for (const group of calls) {
      for (const [index, ran] of (await Promise.all(group.map(answered))).entries()) {
        const words = group[index]?.join(' ') ?? '';
        expect(ran.exitCode, `${words}: ${ran.stdout}${ran.stderr}`).toBe(words.startsWith('wait') ? 6 : 0);
        told.set(words, ran.stdout);
      }
    }
    expect(told.get('explain dead')).toMatch(NO_ANSWER);
    await answersFor('other');
    // A close looks several times, and may wait for git.
    expect((await timed(['close', 'other', '--force'])).exitCode).toBe(0);
    expect(await world.names()).not.toContain('other');
    // Whoever was left behind waits in the kernel: nobody runs on but the daemon's own.
    const daemon = standing().pid;
    const hosts = () => world.processes().filter(({ argv }) => argv.includes('__folders'));
    const left = () => hosts().filter(({ ppid, state }) => ppid !== daemon && state !== 'Z');
    await until('none is left', left, ({ length }) => length === 0);

    await keepsTime(roundsBefore);
    expect(await world.rollcall(['down'])).toMatchObject({
      exitCode: 0,
      stdout: `the daemon (pid ${daemon}) ended\n`,
    });
    expect(world.isAlive(daemon)).toBe(false);
  });

  interface Standing {
    readonly pid: number;
    readonly rounds: number;
    readonly roundMs: number;
  }

  /** The daemon's own record of its rounds. */
  const standingFile = () => join(world.stateFolder, 'daemon-status.json');
  const standing = (): Standing => JSON.parse(readFileSync(standingFile(), 'utf8')) as Standing;

  // Four rounds were once enough to hold all of its threads. Whatever is declared calls for one.
  const keepsTime = async (before: number) => {
    for (let word = 'unhold'; standing().rounds < before + 6; word = word === 'hold' ? 'unhold' : 'hold') {
      const { rounds } = standing();
      await world.rollcall([word, 's1']);
      const after = await until('another round is over', standing, (now) => now.rounds > rounds);
      expect(after.roundMs).toBeLessThan(MOST_MS);
    }
  };

  it('is told of too when it dies only as git asks it', async () => {
    const mount = await DyingMount.open(world, true);
    await world.session('other');
    await world.tmux('new-session', '-d', '-s', 'dead', '-c', mount.project, 'bash', '--norc', '--noprofile');
    for (const name of ['dead', 'other', 'dead']) {
      const { stdout } = await timed(['explain', name]);
      if (name === 'dead') expect(stdout).toMatch(/gave no answer within/);
      else await answersFor(name);
    }
  });

  it('behind a link in an agent’s own folder costs only what that agent says', async () => {
    const mount = await DyingMount.open(world);
    const home = join(world.folder, 'other-home');
    mkdirSync(home);
    symlinkSync(mount.project, join(home, '.claude'));
    await ClaudeStandIn.start(world, 'heard');
    await world.sh(
      `tmux -f /dev/null new-session -d -s hidden -e HOME=${home} bash -c 'exec -a claude sleep 1000'`,
    );
    await until('it is claude', () => world.processes().some(({ argv }) => argv[0] === 'claude'));
    mount.die();
    const versions = async () => {
      const { sessions } = JSON.parse((await timed(['--json'])).stdout) as {
        sessions: { name: string; agent: { version: string | null } }[];
      };
      return Object.fromEntries(sessions.map(({ name, agent }) => [name, agent.version]));
    };
    const told = await until('the one that lives is heard', versions, ({ heard }) => heard !== null);
    expect(told).toEqual({ heard: '2.1.325', hidden: null });
    expect((await timed(['explain', 'hidden'])).stdout).toMatch(NO_ANSWER);
    await answersFor('heard');
  });

  it('holds nobody who looks for open files and locks of other processes', async () => {
    const mount = await DyingMount.open(world);
    await mount.keepOpen(world);
    mount.die();
    const settings = join(world.env.HOME ?? '', '.claude', 'settings.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{}\n');
    for (const words of [['lock', 'status'], ['lock', '--', 'true'], ['status'], ['up'], ['down']]) {
      expect(await timed(words), words.join(' ')).toMatchObject({ exitCode: 0 });
    }
    expect(await timed(['hooks', 'install', 'claude', '--yes'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(settings, 'utf8')).toContain('hooks');
  });

  it('holds nobody who looks at a shell that reads from it, also below /dev', async () => {
    const mount = await DyingMount.open(world);
    await world.tmux('new-session', '-d', '-s', 'reader', 'bash', '--norc', '--noprofile');
    const there = join(world.folder, 'there');
    const loop = `while read line; do touch ${there}; sleep 1000; done < ${mount.project}/notes.txt`;
    await world.tmux('send-keys', '-t', 'reader', loop, 'Enter');
    await until('it has read from it', () => existsSync(there));
    mount.die();
    for (const words of [['explain', 'reader'], ['doctor'], ['up'], ['explain', 'reader'], ['down']]) {
      expect(await timed(words), words.join(' ')).toMatchObject({ exitCode: 0 });
    }
  });
});
