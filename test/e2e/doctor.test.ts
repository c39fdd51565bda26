import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createModeFile } from '../../src/adapters/reaper/mode-file.ts';
import { composeDoctor } from '../../src/compose/doctor/doctor.ts';
import { composeHands } from '../../src/compose/hands.ts';
import type { DoctorDocument } from '../../src/contract/doctor-schema.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { run as startSession } from '../../src/engine/act/run.ts';
import { type Ran, run } from '../cli/fake-outside.ts';
import { lives } from '../engine/act/closing-room.ts';
import { DoctorRoom, PROCESS_CHECKS } from '../engine/doctor/doctor-room.ts';
import { until } from '../support/until.ts';

type Check = DoctorDocument['checks'][number];
type Found = Check['findings'][number];

let room: DoctorRoom;
let hands: Hands;

beforeEach(async () => {
  room = new DoctorRoom();
  hands = await room.hands();
  await room.tmux.session('keeper', 'sleep', '1000');
  await room.second.session('second-keeper', 'sleep', '1000');
});

afterEach(() => room.leave());

/** `rollcall doctor`, with the real sensors and hands on the two servers of the room. */
function doctor(flags: readonly string[], env: NodeJS.ProcessEnv = room.env): Promise<Ran> {
  const { settings, sockets } = room;
  return run(['doctor', ...flags], {
    doctor: () => composeDoctor({ env, settings, sockets }, room.tmux.folder),
    hands: () => composeHands(env, settings, { sockets }),
  });
}

async function document(
  flags: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<DoctorDocument & { exitCode: number }> {
  const { stdout, stderr, exitCode } = await doctor([...flags, '--json'], env);
  if (stdout === '') throw new Error(stderr);
  return { ...JSON.parse(stdout), exitCode };
}

async function checksOf(flags: readonly string[], env?: NodeJS.ProcessEnv): Promise<Map<string, Check>> {
  return new Map((await document(flags, env)).checks.map((check) => [check.name, check]));
}

async function findings(flags: readonly string[], env?: NodeJS.ProcessEnv): Promise<Found[]> {
  return (await document(flags, env)).checks.flatMap((check) => check.findings);
}

/** A session under care whose program has ended with status 0, and whose pane is kept. */
async function ended(name: string, tmux = room.tmux): Promise<void> {
  const argv = ['sh', '-c', 'exit 0'];
  const ran = await startSession(hands, room.wish({ name, argv, remain: true, socketPath: tmux.socketPath }));
  expect(ran.state).toBe('started');
  await tmux.exitStatus(name);
}

const DEAD = ['--only', 'dead-panes'];
const PROCESSES = ['--only', PROCESS_CHECKS.join(',')];

describe('10: --server', () => {
  test('10: --fix closes on the named server, and touches nothing on another', async () => {
    await ended('here');
    await ended('there', room.second);
    await until('both can be closed', async () => {
      const seen = await findings(DEAD);
      return seen.filter(({ fixable }) => fixable).length === 2;
    });
    const [only] = (await document([...DEAD, '--server', 'second'])).checks;
    expect(only?.findings.map(({ text }) => text)).toEqual(['there (second): 1 dead pane of 1']);

    const fixed = await document([...DEAD, '--fix', '--yes', '--server', room.second.socketPath]);
    expect(fixed.fixes.map(({ finding, result }) => [finding, result])).toEqual([
      ['there (second): 1 dead pane of 1', 'mended'],
    ]);
    expect(fixed.exitCode).toBe(0);
    expect(await room.names()).toEqual(['here', 'keeper']);
  });

  test('10: what belongs to no server is left out, unless its check is named', async () => {
    writeFileSync(join(room.state, 'rollcall', 'open.txt'), '');
    chmodSync(join(room.state, 'rollcall', 'open.txt'), 0o644);
    const checks = await checksOf(['--server', 'second']);
    expect([...checks.keys()]).toContain('tmux-version');
    expect([...checks.keys()]).not.toContain('state-folder');
    expect(checks.get('tmux-version')?.findings.every(({ text }) => text.startsWith('second'))).toBe(true);
    const [named] = (await document(['--server', 'second', '--only', 'state-folder'])).checks;
    expect(named?.findings.map((one) => one.class)).toEqual(['too-wide']);
  });

  test('10: a server that does not exist is not found, and nothing is mended', async () => {
    await ended('here');
    await until('it can be closed', async () => (await findings(DEAD)).some(({ fixable }) => fixable));
    for (const flags of [[], ['--fix', '--yes'], ['--fix', '--dry-run']]) {
      const { exitCode, stderr } = await doctor([...DEAD, ...flags, '--server', 'nowhere']);
      expect([exitCode, stderr]).toEqual([4, expect.stringContaining("no tmux server 'nowhere' runs")]);
    }
    expect(await room.names()).toContain('here');
  });
});

describe('10: what outlives tmux kill-session while its server lives', () => {
  test('10: an agent is left running and can be ended by its number; a job of the server is the server’s', async () => {
    const codex = room.script(
      'codex-like',
      `#!/bin/bash\ntrap '' HUP\necho $$ > ${room.file('agent.pid')}\nexec -a codex sh -c 'sleep 1000; :'\n`,
    );
    const started = await startSession(hands, room.wish({ name: 'worker', argv: [codex] }));
    expect(started.state).toBe('started');
    const agent = await room.pid('agent');
    await room.tmux.tmux('run-shell', '-b', '-t', '=worker:', room.stays('job'));
    const job = await room.pid('job');
    const classesOf = async () => {
      const seen = new Map((await findings(PROCESSES)).map((one) => [one.pid, one]));
      return { agent: seen.get(agent), job: seen.get(job) };
    };
    // It has told its pid before it is the agent.
    await until('it is seen', classesOf, (seen) => seen.agent?.class === 'belongs-to-a-live-session');

    await room.tmux.tmux('kill-session', '-t', '=worker');
    const left = await until('it is left', classesOf, (seen) => seen.agent?.class === 'left-running');
    expect(left.agent).toMatchObject({ severity: 'warning', fixable: false });
    expect(left.agent?.text).toContain("it outlived session 'worker'");
    expect(left.job?.class ?? 'belongs-to-a-live-session').toBe('belongs-to-a-live-session');

    await doctor([...PROCESSES, '--fix', '--yes']);
    expect([lives(agent), lives(job)]).toEqual([true, true]);
    const { stdout } = await doctor([...PROCESSES, '--fix', '--yes', '--force', '--pid', String(agent)]);
    expect(stdout).toContain('it has ended');
    expect([lives(agent), lives(job)]).toEqual([false, true]);
    process.kill(job, 'SIGKILL');
  });
});

describe('10: cannot look is never ok', () => {
  /** A PATH that has these programs and no others. */
  function pathWith(...programs: string[]): NodeJS.ProcessEnv {
    const folder = room.file(`path-${programs.join('-')}`);
    mkdirSync(folder);
    const folders = (process.env.PATH ?? '').split(delimiter);
    for (const program of programs) {
      const [found = ''] = folders.map((one) => join(one, program)).filter((path) => existsSync(path));
      symlinkSync(found, join(folder, program));
    }
    return { ...room.env, PATH: folder };
  }

  test('10: without tmux on PATH, as under cron, no check of sessions is ok, and the exit code is 8', async () => {
    const env = pathWith('git');
    const { exitCode, checks } = await document([], env);
    expect(exitCode).toBe(8);
    const ok = checks.filter(({ severity }) => severity === 'ok' || severity === 'info');
    expect(ok.filter(({ group }) => group !== 'machine')).toEqual([]);
    expect(checks.find(({ name }) => name === 'dead-panes')?.unseen).toEqual([
      'no tmux server was asked: tmux is not installed, or not on PATH',
    ]);
    const page = await doctor([], env);
    expect(page.stdout).not.toContain('nothing that matters');
    expect(page.stdout).toContain('could not look everywhere');
    expect((await doctor(['--fix', '--yes', ...DEAD], env)).exitCode).toBe(8);
  });

  test('10: without git that is said, with exit code 8', async () => {
    const { exitCode, checks } = await document(['--only', 'programs'], pathWith('tmux'));
    expect([exitCode, checks[0]?.severity]).toEqual([8, 'warning']);
    expect(checks[0]?.findings.map((one) => one.class)).toEqual(['git-missing']);
    expect((await doctor(['--only', 'programs'])).exitCode).toBe(0);
  });

  test('10: a hung server is named by every check that it hides from; another one is still mended', async () => {
    await ended('here');
    await until('it can be closed', async () => (await findings(DEAD)).some(({ fixable }) => fixable));
    const { serverPid } = room.second;
    process.kill(serverPid, 'SIGSTOP');
    await until('it is stopped', () => readFileSync(`/proc/${serverPid}/stat`, 'utf8').includes(') T '));
    const fixed = await document([...DEAD, '--fix', '--yes']);
    expect(fixed.fixes.map(({ result }) => result)).toEqual(['mended']);
    expect(fixed.exitCode).toBe(8);
    expect(fixed.checks[0]).toMatchObject({
      ...{ severity: 'warning', problem: null },
      unseen: ['the tmux server second: the server process is stopped'],
    });
    // Asked about the other one alone, the doctor sees everything.
    expect((await doctor([...DEAD, '--server', 'acts'])).exitCode).toBe(0);
    expect((await doctor([...DEAD, '--server', 'second'])).exitCode).toBe(8);
  });
});

describe.skipIf(process.getuid?.() !== 0)('10: other users', () => {
  test('10: their processes are not listed, and --pid says whose it is', async () => {
    const server = await room.tmux.tmux('display-message', '-p', '#{pid}');
    const marks = { TMUX: `${room.tmux.socketPath},${server},99`, TMUX_PANE: '%99' };
    const own = room.outside(['sleep', '1000'], marks);
    const theirs = room.outside(['sleep', '1000'], marks, 65_534);
    const seen = await until(
      'ours is listed',
      () => findings(PROCESSES),
      (all) => all.some(({ pid }) => pid === own),
    );
    expect(seen.map(({ pid }) => pid)).not.toContain(theirs);
    const { exitCode, stderr } = await doctor([...PROCESSES, '--fix', '--yes', '--pid', String(theirs)]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another user (uid 65534)')]);
  });
});

describe('10: names, breaker and gates', () => {
  test('10: advice names sessions as people do, and a key only where the name is taken twice', async () => {
    await startSession(hands, room.wish({ name: 'worker' }));
    await startSession(hands, room.wish({ name: 'twin' }));
    await startSession(hands, room.wish({ name: 'twin', socketPath: room.second.socketPath }));
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await room.tmux.tmux('kill-session', '-t', '=twin');
    const lost = await until(
      'both are lost',
      () => findings(['--only', 'lost-sessions']),
      (all) => all.length === 2,
    );
    const advice = lost.map((one) => one.advice.join('\n')).sort();
    expect(advice[0]).toMatch(/reopen \S+\.s\d+\.\d+\nor let it go, .*rollcall close acts:twin,/);
    expect(advice[1]).toMatch(/^put it back: rollcall reopen worker\nor let it go, .*rollcall close worker,/);
  });

  test('10: a tripped breaker is told, and how to reset it', async () => {
    const modes = createModeFile(join(room.state, 'rollcall'));
    modes.set('enforce');
    expect((await document(['--only', 'reaper'])).exitCode).toBe(0);
    const session = { key: 'k', name: 'build' };
    modes.trip({ at: Date.now(), code: 'close-failed', text: 'it did not end', session });
    const { exitCode, checks } = await document(['--only', 'reaper']);
    expect([exitCode, checks[0]?.findings[0]?.class]).toEqual([1, 'breaker-tripped']);
    expect(checks[0]?.findings[0]?.advice.at(-1)).toContain('rollcall reap mode enforce');
  });

  test('10: a gate that is not met is told, and warned of where no agent works on it', async () => {
    await startSession(hands, room.wish({ name: 'worker', argv: ['sh', '-c', 'exec sleep 1000'] }));
    const { key, name } = await room.entry(hands, 'worker');
    const now = hands.now();
    const body = { gate: '0a1b2c3d', task: 'fix 12', expiresAt: now + 3_600_000, owner: { paneId: '%1' } };
    hands.ledger.append({ kind: 'declared', action: 'gate-start', session: { key, name }, body });
    const [open] = await findings(['--only', 'unmet-gates']);
    expect(open?.text).toMatch(/^worker \(acts\): its work is not finished \(fix 12\); /);
    expect(open?.advice[0]).toContain('rollcall gate status worker --run');
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const lost = await until(
      'it is lost',
      () => document(['--only', 'unmet-gates']),
      ({ checks }) => checks[0]?.findings[0]?.class === 'owner-lost',
    );
    expect(lost.exitCode).toBe(1);
  });
});
