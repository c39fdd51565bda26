import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type RollcallProblem } from '../../src/client/index.ts';
import { PROGRAM, ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { until } from '../support/until.ts';

const tmux = new PrivateTmux('stands');
const state = join(tmux.folder, 'state');
const env = { ...tmux.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(tmux.folder, 'config') };
const configure = (settings: object) =>
  writeFileSync(join(tmux.folder, 'config/rollcall/config.json'), JSON.stringify(settings));
const SETTINGS = { daemon: { port: 0 }, tmux: { timeout: '10s' } };
const LOOKED = /^rollcall: debug: the daemon looked/m;
let daemon = 0;

beforeAll(async () => {
  mkdirSync(join(tmux.folder, 'config/rollcall'), { recursive: true });
  configure(SETTINGS);
  const agents = new ScriptedAgents(tmux.folder);
  await tmux.session('calm');
  await tmux.session('worker', ...agents.argv('worker', 'leaves'));
  await agents.pid('worker');
  await rollcallInside(['hold', 'worker', '--reason', 'mine'], env);
  const up = await rollcall(['up', '--json'], env);
  daemon = JSON.parse(up.stdout).daemon.pid;
});
afterAll(async () => {
  await rollcallInside(['down'], env);
  tmux.stop();
});

/** Looks through the daemon; where the machine is busy, that may give no sign in time. */
const looked = (argv: readonly string[]) =>
  until(
    'the daemon has looked',
    () => rollcall([...argv, '--debug'], env),
    ({ stderr }) => LOOKED.test(stderr),
  );

/** Looks itself, for this reason. */
const left = (argv: readonly string[], why: RegExp, own: NodeJS.ProcessEnv = env) =>
  until(
    `it looks itself: ${why}`,
    () => rollcall([...argv, '--debug'], own),
    ({ stderr }) => why.test(stderr),
  );

/** What is the same, whoever looked and when. */
const timeless = (text: string) => text.replace(/\d+(\.\d+)?/g, '#').replace(/[─ ]+/g, ' ');
const ago = /(just now|# (ms|s|min|h))/g;

const ROLLS = [
  ['--json'],
  [],
  ['--json', '--lifecycle=active,stale,unknown'],
  ['--json', 'worker'],
  ['calm'],
  ['--all'],
  ['--json', '--all'],
  ['--agent=none'],
];
const EXPLAINS = [
  ['explain', 'worker', '--json'],
  ['explain', 'worker'],
  ['explain', 'stands:calm'],
  ['explain', '$0', '--json'],
];
const ANY = '--until=none,unknown,idle,working,waiting,starting,exited';
const WAITS = [
  ['wait', 'calm', 'worker', ANY, '--json'],
  ['wait', 'calm', ANY],
];

describe('a running daemon looks in the place of a command', () => {
  test.each([...ROLLS, ...EXPLAINS, ...WAITS])('and it says the same: %s %s %s', async (...argv) => {
    const words = argv.filter((word) => word !== undefined);
    const asked = async () => {
      const there = await rollcall([...words, '--debug'], env);
      const here = await rollcallInside([...words, '--no-daemon', '--debug'], env);
      return { there, here };
    };
    const shown = ({ stdout, exitCode }: { stdout: string; exitCode: number | null }) =>
      [exitCode, timeless(stdout).replace(ago, 'AGO')] as const;
    // One of the two may be the first to see something.
    const { there, here } = await until('both say the same', asked, (both) => {
      const [one, other] = [shown(both.there), shown(both.here)];
      return both.there.stderr.match(LOOKED) !== null && JSON.stringify(one) === JSON.stringify(other);
    });
    expect(there.exitCode).toBe(0);
    expect(here.stderr).toContain('debug: looks here: --no-daemon');
  });

  test.each([
    [['nobody'], 4],
    [['explain', 'nobody'], 4],
    [['explain', 'nobody', '--json'], 4],
    [['wait', 'nobody', '--until=idle', '--json'], 4],
    [['--lifecycle=none'], 2],
  ])('and what it does not know is looked for here: %j ends with %i', async (argv, exit) => {
    const [there, here] = [await rollcall(argv, env), await rollcall([...argv, '--no-daemon'], env)];
    expect(there).toEqual(here);
    expect(there.exitCode).toBe(exit);
  });

  test('and sees what was done a moment ago', async () => {
    await tmux.session('newborn');
    const { stdout } = await looked(['--json']);
    expect(JSON.parse(stdout).sessions.map(({ name }: { name: string }) => name)).toContain('newborn');
    await rollcallInside(['hold', 'newborn'], env);
    const held = JSON.parse((await looked(['newborn', '--json'])).stdout).sessions[0];
    expect(held.protections.map(({ code }: { code: string }) => code)).toContain('held');
    await tmux.tmux('kill-session', '-t', '=newborn');
  });

  test('and marks the session that the command runs in, not its own', async () => {
    const out = join(tmux.folder, 'inside');
    const variables = [
      'XDG_STATE_HOME',
      'XDG_CONFIG_HOME',
      'ROLLCALL_SOCKETS_WITHIN',
      'TMUX_TMPDIR',
    ] as const;
    const given = variables.map((name) => `${name}=${env[name as keyof typeof env]}`).join(' ');
    const ask = `${given} ${ROLLCALL} --json --debug > ${out} 2> ${out}.err`;
    const command = `until ${ask}; grep -q 'the daemon looked' ${out}.err; do :; done; : > ${out}.done; sleep 1000`;
    await tmux.session('inside', 'sh', '-c', command);
    await until('it has looked', () => existsSync(`${out}.done`));
    const { sessions } = JSON.parse(readFileSync(out, 'utf8'));
    const own = sessions.filter(({ protections }: { protections: { code: string }[] }) =>
      protections.some(({ code }) => code === 'own-session'),
    );
    expect(own.map(({ name }: { name: string }) => name)).toEqual(['inside']);
    await tmux.tmux('kill-session', '-t', '=inside');
  });

  test('and for a stream of rolls', async () => {
    const watch = spawn(process.execPath, [PROGRAM, 'watch', '--json', '--every=1s', '--debug'], { env });
    let [out, said] = ['', ''];
    watch.stdout.on('data', (text) => {
      out += text;
    });
    watch.stderr.on('data', (text) => {
      said += text;
    });
    try {
      await until('it has printed a roll', () => out.includes('\n'));
      const names = JSON.parse(out.split('\n')[0] ?? '').sessions.map(({ name }: { name: string }) => name);
      expect(names.sort()).toEqual(['calm', 'worker']);
      await until('it says who looked', () => /debug: (the daemon looked|looks here after)/.test(said));
    } finally {
      watch.kill();
      await once(watch, 'close');
    }
  });

  test('not where the command has other settings, or another environment', async () => {
    const OTHER = /looks here after \d+ ms: the daemon has other settings/;
    configure({ ...SETTINGS, idleAfter: '3m' });
    await left(['--json'], OTHER);
    // Files are compared letter by letter: understanding them takes longer than a look.
    configure({ ...SETTINGS, notify: { again: '1h' } });
    await left(['--json'], OTHER);
    configure(SETTINGS);
    await looked(['--json']);
    const elsewhere = { ...env, CODEX_HOME: '/nowhere' };
    await left(['--json'], OTHER, elsewhere);
    expect((await rollcall(['--json', '--debug', '--server', tmux.socketPath], env)).stderr).toContain(
      'looks here: --server',
    );
  });

  test('S29: and closes nothing that config protects by now', async () => {
    const client = createClient({ socketPath: join(state, 'rollcall/rollcall.sock') });
    const planned = () =>
      client.close('worker', { dryRun: true, despite: ['held'] }).then(
        ({ sessions }) => sessions[0]?.protections,
        (error: RollcallProblem) => error.problem.report?.protections,
      );
    const codes = async () => (await planned())?.map(({ code }) => code) ?? [];
    expect(await codes()).not.toContain('human-managed');
    configure({ ...SETTINGS, protect: ['work*'] });
    expect(await codes()).toContain('human-managed');
    configure(SETTINGS);
  });

  test('S68: and one that hangs keeps nobody', async () => {
    process.kill(daemon, 'SIGSTOP');
    try {
      const { exitCode, stdout, stderr } = await rollcall(['--json'], { ...env, ROLLCALL_DEBUG: '1' });
      expect([exitCode, JSON.parse(stdout).sessions.length]).toEqual([0, 2]);
      expect(stderr).toMatch(/looks here after \d+ ms: no sign of it within 300 ms/);
    } finally {
      process.kill(daemon, 'SIGCONT');
    }
  });
});
