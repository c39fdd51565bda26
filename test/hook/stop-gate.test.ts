import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toldPid } from '../support/told-pid.ts';
import { until } from '../support/until.ts';
import { BLOCK, ended, GateRoom, IN_PANE, isReading, OTHERS, OWNED, patient } from './gate-room.ts';
import { SHELLS } from './shells.ts';

let room: GateRoom;
beforeEach(() => {
  room = new GateRoom();
});
afterEach(() => room.remove());

const STOPS = { status: 0, out: '', err: '' };
const BLOCKS = { status: 0, out: `${BLOCK}\n`, err: '' };
/** For what is about how long the script waits. */
const AS_IT_IS = (text: string) => text;
/** A rollcall that blocks and, as it does then, takes the event away. */
const BLOCKING = `rm "$2/stops/$3"; echo '${BLOCK}'; exit 10`;

/** Each shell once: the other names are the same programs. */
const EACH_SHELL = SHELLS.filter(({ name }) => name !== '#!/bin/sh' && name !== 'bash --posix');

describe.each(EACH_SHELL)('a stop under $name', ({ words: shell }) => {
  it('S53: of the owner asks rollcall, once, and prints what makes it go on', async () => {
    room.answers(BLOCKING);
    expect(await room.run('{"a":1}', { shell })).toMatchObject(BLOCKS);
    expect(room.asked).toEqual([[expect.stringMatching(/^\d{16}\./)]]);
    expect({ recorded: room.recorded, left: room.left, passed: room.passed }).toEqual({
      recorded: [],
      left: [],
      passed: null,
    });
  });

  it('S53: that is approved is recorded as ever, with where it came from', async () => {
    expect(await room.run('{"a":1}', { shell })).toMatchObject(STOPS);
    expect(room.asked).toHaveLength(1);
    expect({ recorded: room.recorded, left: room.left }).toEqual({ recorded: ['{"a":1}'], left: [] });
  });

  it.each([
    ['without a file of owners', null, IN_PANE, null],
    ['in a pane that owns nothing', OTHERS, IN_PANE, 'claude 77 %3\n'],
    ['in the same pane of another server', OWNED, { ...IN_PANE, TMUX: '/s,78,0' }, 'claude 78 %3\n'],
    ['outside tmux', OWNED, {}, 'claude\n'],
    ['with an empty pane', OWNED, { ...IN_PANE, TMUX_PANE: '' }, 'claude\n'],
    ['with a pane that is none', OWNED, { ...IN_PANE, TMUX_PANE: '%3 x' }, 'claude\n'],
    ['with a pane and no server', OWNED, { TMUX_PANE: '%3' }, 'claude\n'],
    ['with a server that is none', OWNED, { ...IN_PANE, TMUX: 'x,7x,0' }, 'claude\n'],
    ['where only agents of another kind have a daemon', `${OTHERS}kind codex\n`, IN_PANE, 'claude 77 %3\n'],
    ['where the owners are written in another form', OWNED.replace('=1', '=2'), IN_PANE, 'claude 77 %3\n'],
    ['where the file of owners is garbage', '\0\xff{"a":\n\n\n', IN_PANE, 'claude 77 %3\n'],
    ['where the file of owners is empty', '', IN_PANE, 'claude 77 %3\n'],
  ])('S53: passes %s', async (_where, owners, env, passed) => {
    room.answers(BLOCKING);
    room.owners(owners);
    expect(await room.run('{"a":1}', { shell, env })).toMatchObject(STOPS);
    expect({ asked: room.asked, recorded: room.recorded, passed: room.passed }).toEqual({
      asked: [],
      recorded: ['{"a":1}'],
      passed,
    });
  });

  it('S53: passes while the switch is off, and leaves no other trace', async () => {
    room.answers(BLOCKING);
    for (const make of [
      (off: string) => writeFileSync(off, ''),
      (off: string) => symlinkSync('/nowhere', off),
      (off: string) => mkdirSync(off),
    ]) {
      make(join(room.gate, 'off'));
      expect(await room.run('{}', { shell })).toMatchObject(STOPS);
      rmSync(join(room.gate, 'off'), { recursive: true });
    }
    expect({ asked: room.asked, recorded: room.recorded, passed: room.passed }).toEqual({
      asked: [],
      recorded: ['{}', '{}', '{}'],
      passed: null,
    });
  });

  it('S53: of an agent whose hooks come from a daemon asks, whatever pane they bear', async () => {
    room.owners(`${OTHERS}kind codex\n`);
    room.answers(BLOCKING);
    for (const env of [IN_PANE, {}, { ...IN_PANE, TMUX_PANE: '%1' }]) {
      expect(await room.run('{}', { shell, env, words: ['codex', 'Stop'] })).toMatchObject(BLOCKS);
    }
    expect(room.asked).toHaveLength(3);
  });

  it('is only what ends a turn: other events are recorded and nothing is asked', async () => {
    for (const words of [
      ['claude', 'SubagentStop'],
      ['claude', 'StopFailure'],
      ['gemini', 'Stop'],
      ['gemini', 'AfterTool'],
      ['opencode', 'session.idle'],
    ]) {
      expect(await room.run('{}', { shell, words })).toMatchObject(STOPS);
    }
    expect({ asked: room.asked, count: room.recorded.length, passed: room.passed }).toEqual({
      asked: [],
      count: 5,
      passed: null,
    });
    await room.run('{}', { shell, words: ['gemini', 'AfterAgent'] });
    expect(room.asked).toHaveLength(1);
  });

  it.each([
    ['crashes', 'kill -SEGV $$'],
    ['fails with an answer', `echo '${BLOCK}'; exit 1`],
    ['approves with an answer', `echo '${BLOCK}'; exit 0`],
    ['blocks without an answer', 'exit 10'],
    ['blocks with garbage', 'echo go on; exit 10'],
    ['blocks with half an answer', 'printf "{"; exit 10'],
    ['blocks with more than one line', `echo '{"a":1'; echo '}'; exit 10`],
    ['blocks with bytes', 'printf "\\000\\377\\001"; exit 10'],
    ['asks for time with what would block', `echo '${BLOCK}'; exit 11`],
    ['asks for no time', 'exit 11'],
    ['asks for time that is no number', 'echo 5s; exit 11'],
    ['asks for no seconds', 'echo 0; exit 11'],
    ['asks for less than no time', 'echo -5; exit 11'],
    ['asks for more than there is', 'echo 601; exit 11'],
    ['asks for ever', 'echo 99999999999999999999; exit 11'],
    ['asks for two times', 'echo 5; echo 5; exit 11'],
    ['asks with a command', 'echo "5 touch x"; exit 11'],
    ['complains', 'echo trouble >&2; exit 3'],
  ])('S53: is approved by a rollcall that %s', async (_what, answer) => {
    room.answers(answer);
    expect(await room.run('{"a":1}', { shell })).toMatchObject(STOPS);
    expect({ asked: room.asked.length, recorded: room.recorded, left: room.left }).toEqual({
      asked: 1,
      recorded: ['{"a":1}'],
      left: [],
    });
  });

  it.each([
    ['there is no Node', { node: '/nowhere/node' }],
    ['there is no rollcall', { program: '/nowhere/rollcall.cjs' }],
    ['Node is a folder', { node: '/' }],
  ])('S53: is approved where %s', async (_what, parts) => {
    room.install(parts);
    expect(await room.run('{"a":1}', { shell })).toMatchObject(STOPS);
    expect({ recorded: room.recorded, left: room.left }).toEqual({ recorded: ['{"a":1}'], left: [] });
  });

  it('S53: is approved in time by a rollcall that hangs, which is ended', async () => {
    room.install({}, AS_IT_IS);
    room.answers('echo $$ >"$2/pid"; trap "" 1 2 15; sleep 600 & wait; wait');
    const ran = await room.run('{"a":1}', { shell });
    expect(ran).toMatchObject(STOPS);
    // Within two seconds where the machine has nothing else to do; the benchmark measures that.
    expect(ran.ms).toBeLessThan(100_000);
    expect(ran.ms).toBeGreaterThan(1_600);
    expect(room.recorded).toEqual(['{"a":1}']);
    // One that was killed ends when it is given a core; by itself it would last longer than this waits.
    const hung = await toldPid(join(room.gate, 'pid'));
    await until('it has ended', () => !isAlive(hung));
  });

  it('does not wait for what a rollcall leaves behind with its output open', async () => {
    room.answers('setsid sleep 600 & echo $! >"$2/pid"; exit 0');
    const ran = await room.run('{}', { shell });
    process.kill(await toldPid(join(room.gate, 'pid')), 'SIGKILL');
    expect(ran).toMatchObject(STOPS);
    expect(ran.ms).toBeLessThan(100_000);
  });

  it('gives checks the time that was asked for, and prints what comes of them', async () => {
    // Longer than the first answer may take.
    room.install({}, AS_IT_IS);
    room.answers(`[ "$4" = run ] || { echo 60; exit 11; }; sleep 2; ${BLOCKING}`);
    expect(await room.run('{}', { shell })).toMatchObject(BLOCKS);
    const [first = [], second] = room.asked;
    expect(second).toEqual([...first, 'run']);
    expect({ recorded: room.recorded, left: room.left }).toEqual({ recorded: [], left: [] });
  });

  it('S53: is approved by checks that take longer than that, and never asks a third time', async () => {
    room.answers('[ "$4" = run ] || { echo 1; exit 11; }; exec sleep 600');
    const ran = await room.run('{"a":1}', { shell });
    expect(ran).toMatchObject(STOPS);
    expect(ran.ms).toBeLessThan(100_000);
    expect(room.recorded).toEqual(['{"a":1}']);
    room.answers('echo 1; exit 11');
    expect(await room.run('{}', { shell })).toMatchObject(STOPS);
    expect(room.asked).toHaveLength(4);
  });

  it('S53: is recorded in the spool where the gate cannot take it', async () => {
    room.answers(BLOCKING);
    rmSync(join(room.gate, 'stops'), { recursive: true });
    expect(await room.run('{"a":1}', { shell })).toMatchObject(STOPS);
    writeFileSync(join(room.gate, 'stops'), '');
    expect(await room.run('{"a":2}', { shell })).toMatchObject(STOPS);
    rmSync(room.gate, { recursive: true });
    expect(await room.run('{"a":3}', { shell })).toMatchObject(STOPS);
    expect(room.recorded.sort()).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
    expect(room.asked).toEqual([]);
  });

  it('S53: waits for nothing that is no file in the place of the gate’s files', async () => {
    room.owners(OTHERS);
    execFileSync('mkfifo', [join(room.gate, 'passed')]);
    expect(await room.run('{}', { shell })).toMatchObject(STOPS);
    room.owners(null);
    execFileSync('mkfifo', [join(room.gate, 'owners')]);
    expect(await room.run('{}', { shell })).toMatchObject(STOPS);
    expect(room.recorded).toEqual(['{}', '{}']);
  });

  it('S57: of 10 MB, of no text and with stdin closed reaches rollcall whole', async () => {
    room.answers('cp "$2/stops/$3" "$2/seen"');
    const huge = Buffer.alloc(10_000_000, 'ä');
    expect(await room.run(huge, { shell })).toMatchObject(STOPS);
    expect(readFileSync(join(room.gate, 'seen')).includes(huge)).toBe(true);
    expect(await room.run(Buffer.from([0, 255, 10, 10, 0]), { shell })).toMatchObject(STOPS);
    const outcome = execFileSync(
      'sh',
      ['-c', '"$@" <&- 2>&1; echo $?', 'sh', ...shell, room.script, 'claude', 'Stop'],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, ...IN_PANE },
      },
    );
    expect(outcome).toBe('0\n');
    expect(room.asked).toHaveLength(3);
    expect(room.recorded).toHaveLength(3);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'S53: keeps the event when %s comes while the payload does',
    async (signal) => {
      const child = room.start({ shell });
      const done = ended(child);
      child.stdin?.write('{"a":');
      await until('it reads', () => isReading(child.pid));
      child.kill(signal);
      child.stdin?.end('1}');
      expect(await done).toMatchObject(STOPS);
      expect({ recorded: room.recorded, left: room.left }).toEqual({ recorded: ['{"a":1}'], left: [] });
    },
  );

  it('S53: keeps the event when it is ended while rollcall works, and ends rollcall too', async () => {
    room.answers('[ "$4" = run ] || { echo 600; exit 11; }; echo $$ >"$2/pid"; exec sleep 600');
    const child = room.start({ shell });
    const done = ended(child);
    child.stdin?.end('{"a":1}');
    await until('the checks run', () => room.asked.length === 2);
    const checks = await toldPid(join(room.gate, 'pid'));
    // What it runs under may not have come to wait for it yet, and a signal before that would find nobody to pass it on.
    const limiter = Number(statOf(checks)[1]);
    await until('they wait', () => [child.pid ?? 0, limiter].every((pid) => statOf(pid)[0] === 'S'));
    const sentAt = performance.now();
    child.kill('SIGTERM');
    expect(await done).toMatchObject(STOPS);
    expect(performance.now() - sentAt).toBeLessThan(100_000);
    expect({ recorded: room.recorded, left: room.left }).toEqual({ recorded: ['{"a":1}'], left: [] });
    await until('they have ended', () => !isAlive(checks));
  });

  it('S53: goes on although the terminal hangs up while rollcall works', async () => {
    room.answers(`sleep 0.5; ${BLOCKING}`);
    const child = room.start({ shell });
    const done = ended(child);
    child.stdin?.end('{}');
    await until('rollcall is asked', () => room.asked.length === 1);
    child.kill('SIGHUP');
    child.kill('SIGINT');
    expect(await done).toMatchObject(BLOCKS);
  });

  it('S53: takes up what a hook left that was killed, and nothing of one that lives', async () => {
    room.install({}, AS_IT_IS);
    room.answers('sleep 60');
    const child = room.start({ shell });
    const done = ended(child);
    child.stdin?.end('{"a":1}');
    await until('rollcall is asked', () => room.asked.length === 1);
    child.kill('SIGKILL');
    await done;
    expect(room.left.length).toBeGreaterThan(0);
    const alive = `0000000000000001.${String(process.pid).padStart(10, '0')}.1.0`;
    for (const name of [alive, `.${alive}`, 'odd', '1.x.2.3'])
      writeFileSync(join(room.gate, 'stops', name), '');
    room.answers('exit 0');
    expect(await room.run('{"a":2}', { shell })).toMatchObject(STOPS);
    expect(room.recorded.sort()).toEqual(['{"a":1}', '{"a":2}']);
    expect(room.left.sort()).toEqual([`.${alive}`, alive, '1.x.2.3', 'odd'].sort());
  });

  it('ends well when nobody reads its answer any more', () => {
    room.answers(`sleep 0.3; ${BLOCKING}`);
    const outcome = execFileSync(
      'sh',
      [
        '-c',
        '{ "$@" </dev/null; echo $? >"$0/status"; } | :',
        room.root,
        ...shell,
        room.script,
        'claude',
        'Stop',
      ],
      { env: { PATH: process.env.PATH, ...IN_PANE } },
    );
    expect(outcome.toString()).toBe('');
    expect(readFileSync(join(room.root, 'status'), 'utf8')).toBe('0\n');
  });
});

it('asks in the surroundings that the agent gave, without what changes a Node', async () => {
  room.answers('umask >"$2/umask"; env >"$2/env"; readlink /proc/self/fd/0 >"$2/stdin"');
  chmodSync(room.script, 0o755);
  const env = {
    ...IN_PANE,
    PATH: `/opt/own/bin:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    NODE_OPTIONS: '--require /nowhere.js',
    NODE_PATH: '/nowhere',
    NODE_CHANNEL_FD: '9',
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '3',
  };
  const before = process.umask(0o027);
  try {
    expect(await room.run('{}', { env })).toMatchObject(STOPS);
  } finally {
    process.umask(before);
  }
  const seen = readFileSync(join(room.gate, 'env'), 'utf8').split('\n');
  expect(seen).toEqual(
    expect.arrayContaining([
      `PATH=${env.PATH}`,
      'LC_ALL=C.UTF-8',
      'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=3',
      'TMUX_PANE=%3',
    ]),
  );
  expect(seen.filter((line) => line.startsWith('NODE_'))).toEqual([]);
  expect(readFileSync(join(room.gate, 'umask'), 'utf8').trim()).toBe('0027');
  expect(readFileSync(join(room.gate, 'stdin'), 'utf8').trim()).toBe('/dev/null');
});

it('is approved where there is no timeout: nothing is asked that could not be ended', async () => {
  const tools = join(room.root, 'tools');
  mkdirSync(tools);
  for (const tool of ['dd', 'mv', 'rm']) symlinkSync(`/bin/${tool}`, join(tools, tool));
  room.answers(BLOCKING);
  room.install({}, (text) => text.replace(/^PATH=.*$/m, `PATH=${tools}`));
  expect(await room.run('{"a":1}')).toMatchObject(STOPS);
  expect({ asked: room.asked, recorded: room.recorded }).toEqual({ asked: [], recorded: ['{"a":1}'] });
});

it('that nobody owns calls no more than two programs', async () => {
  room.owners(OTHERS);
  const [tools, trace] = [join(room.root, 'tools'), join(room.root, 'trace')];
  mkdirSync(tools);
  for (const tool of ['timeout', 'dd', 'rm', 'mv', 'cat', 'env', 'sh', 'node']) {
    writeFileSync(
      join(tools, tool),
      `#!/bin/sh\necho ${tool} >>'${trace}'\nexec $(PATH=/usr/bin:/bin command -v ${tool}) "$@"\n`,
      { mode: 0o755 },
    );
  }
  room.install({}, (text) => patient(text).replace('PATH=/usr/bin:/bin', `PATH=${tools}`));
  expect(await room.run('{}')).toMatchObject(STOPS);
  expect(room.passed).toBe('claude 77 %3\n');
  expect(readFileSync(trace, 'utf8')).toBe('timeout\ndd\n');
});

it('finds a server whose socket has commas in its path', async () => {
  await room.run('{}', { env: { TMUX: '/tmp/a,b,1,2/default,77,4', TMUX_PANE: '%3' } });
  expect(room.asked).toHaveLength(1);
});

it('S53: concurrent stops are asked one by one, and none is lost', async () => {
  room.answers('sleep 0.1; exit 0');
  const runs = await Promise.all(Array.from({ length: 12 }, (_, index) => room.run(`{"n":${index}}`)));
  for (const ran of runs) expect(ran).toMatchObject(STOPS);
  expect(new Set(room.asked.map(([name]) => name)).size).toBe(12);
  expect(new Set(room.recorded).size).toBe(12);
  expect(room.left).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** State, parent, … of a process. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
}
