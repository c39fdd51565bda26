import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeHands } from '../../../src/compose/hands.ts';
import { actedDocumentSchema } from '../../../src/contract/acted-schema.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { ActingRoom, entriesOf, factsIn } from '../../engine/act/acting-room.ts';
import { until } from '../../support/until.ts';
import { run } from '../fake-outside.ts';

let room: ActingRoom;
beforeEach(() => {
  room = new ActingRoom();
});
afterEach(() => room.leave());

const call = (...argv: string[]) => callWith({}, ...argv);
const callWith = (changes: Partial<Hands>, ...argv: string[]) => {
  const env = Object.fromEntries(
    Object.entries({ ...room.env, HOME: room.tmux.folder }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  return run(argv, {
    env,
    cwd: room.tmux.folder,
    pid: process.pid,
    now: Date.now,
    // Several rooms are open at once: an answer that takes its time is none the worse.
    hands: async (config) => ({
      ...(await composeHands(
        room.env,
        { ...(await config()), tmux: room.settings.tmux, git: room.settings.git },
        { sockets: [room.tmux.socketPath] },
      )),
      ...changes,
    }),
  });
};
const json = async (...argv: string[]) => {
  const { stdout, exitCode } = await call(...argv, '--json');
  expect(exitCode).toBe(0);
  return v.parse(actedDocumentSchema, JSON.parse(stdout));
};
const actions = async () => entriesOf(await room.hands()).map(({ action }) => action);

describe('hold, unhold, retain and adopt', () => {
  it('answer in one line, do nothing twice, and show the session with --json', async () => {
    await room.tmux.session('mine');
    const lines = [
      [['hold', 'mine', '--reason', 'reading \u001b[31m'], 'mine: held: reading \\e[31m\n'],
      [['hold', 'mine', '--reason', 'reading \u001b[31m'], 'mine: held already: reading \\e[31m\n'],
      [['unhold', 'mine'], 'mine: no longer held\n'],
      [['unhold', 'mine'], 'mine: was not held\n'],
      [['retain', 'mine', '--release'], 'mine: was not kept\n'],
    ] as const;
    for (const [argv, text] of lines) {
      expect(await call(...argv), argv.join(' ')).toMatchObject({ exitCode: 0, stdout: text, stderr: '' });
    }
    const kept = await json('retain', 'mine', '--for', '2d', '--reason', 'demo');
    expect(kept).toMatchObject({ result: 'retained', name: 'mine' });
    expect(await json('retain', 'mine', '--release')).toMatchObject({ result: 'released' });
    expect(await json('hold', 'mine')).toMatchObject({ result: 'held' });
    expect(await json('adopt', 'mine', '--task', 'T-1', '--pr', '4')).toMatchObject({
      result: 'adopted',
      task: 'T-1',
      protections: expect.arrayContaining([expect.objectContaining({ code: 'held' })]),
    });
    expect(await call('adopt', 'mine')).toMatchObject({ stdout: 'mine: managed already\n' });
    expect(await call('adopt', 'mine', '--role', 'r')).toMatchObject({ stdout: 'mine: recorded, role r\n' });
    expect(await actions()).toEqual(['hold', 'unhold', 'retain', 'retain', 'hold', 'adopt', 'claim']);
  });

  it('S1: name a session exactly, or end with 4, and with 2 for what they do not understand', async () => {
    await room.tmux.session('mine');
    const exits: [string[], number][] = [
      [['hold', 'min'], 4],
      [['hold'], 2],
      [['hold', 'mine', 'other'], 2],
      [['retain', 'mine'], 2],
      [['retain', 'mine', '--for', '2d', '--until', '2999-01-01'], 2],
      [['retain', 'mine', '--for', 'long'], 2],
      [['retain', 'mine', '--until', '2001-01-01'], 2],
      [['retain', 'mine', '--release', '--reason', 'x'], 2],
      [['adopt', 'mine', '--task', 'x'.repeat(501)], 2],
      [['complete', 'mine', '--cancel', '--task', 'x'], 2],
      [['complete'], 2],
    ];
    for (const [argv, exitCode] of exits) {
      expect(await call(...argv), argv.join(' ')).toMatchObject({ exitCode });
    }
    expect(await actions()).toEqual([]);
  });
});

describe('run', () => {
  it('starts a session and says so in one line, or as the session with what it claims', async () => {
    const { exitCode, stdout, stderr } = await call('run', '--server', 'acts', '--', 'sleep', '1000');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: 'sleep: started as $0 on acts\n',
      stderr: '',
    });
    const { stdout: printed } = await call(
      ...[
        'run',
        '--json',
        '--server',
        room.tmux.socketPath,
        '--role',
        'worker',
        '--task',
        'T',
        '--owner',
        'ann',
      ],
      ...['--env', 'A=b', '--', 'sleep', '1000'],
    );
    expect(v.parse(actedDocumentSchema, JSON.parse(printed))).toMatchObject({
      ...{ result: 'started', name: 'sleep-2', role: 'worker', task: 'T', owner: 'ann' },
      panes: [{ cwd: room.tmux.folder, isDead: false }],
    });
  });

  it('refuses a name that is taken, with its owner', async () => {
    await call('run', '--server', 'acts', '--name', 'mine', '--owner', 'ann', '--', 'sleep', '1000');
    const refused = await call('run', '--server', 'acts', '--name', 'mine', '--', 'sleep', '1000');
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain("there is a session 'mine' already: owner ann");
    const next = await call(
      'run',
      '--server',
      'acts',
      '--name=mine',
      '--on-collision=suffix',
      '--',
      'sleep',
      '1000',
    );
    expect(next.stdout).toMatch(/^mine-2: started/);
  });

  it('shows how a program ended that ended at once', async () => {
    // Its first moments last until its end is seen: a busy machine may take longer for that than a moment.
    const at = Date.now();
    const patient = { now: () => at };
    const died = await callWith(
      patient,
      'run',
      '--server',
      'acts',
      '--name',
      'x',
      '--',
      'sh',
      '-c',
      'echo why; sleep 0.1; exit 4',
    );
    expect(died).toMatchObject({ exitCode: 1, stdout: '' });
    expect(died.stderr).toMatch(/'x' ended at once: exit status 4\n {2}why\n/);
    const remain = ['--server', 'acts', '--remain', '--name', 'x'];
    const kept = await callWith(patient, 'run', ...remain, '--', 'sh', '-c', 'exit 4');
    expect(kept).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('ended already: exit status 4'),
    });
  });

  it('says what is wrong with a command line before it does anything', async () => {
    const exits: [string[], RegExp][] = [
      [['run'], /needs a program/],
      [['run', 'sleep', '1'], /needs -- before/],
      [['run', '--'], /needs a program/],
      [['run', '--env', 'A_VARIABLE_THAT_IS_NOT_SET', '--', 'true'], /no such variable here/],
      [['run', '--env', '1KEY=secret', '--', 'true'], /--env=1KEY is no variable/],
      [['run', '--env', 'TMUX_PANE=%1', '--', 'true'], /cannot set TMUX_PANE/],
      [['run', '--server', 'a', '--server', 'b', '--', 'true'], /one server/],
      [['run', '--name', 'a\u001bb', '--', 'true'], /cannot be called 'a\\eb'/],
      [['run', '--lock-name', 'x', '--', 'true'], /needs --lock/],
    ];
    for (const [argv, text] of exits) {
      expect(await call(...argv), argv.join(' ')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(text),
      });
    }
    expect(await actions()).toEqual([]);
  });

  it('S50: first ends what an earlier command left behind, and says so', async () => {
    const hands = await room.hands();
    const body = { run: 'word', server: { socketPath: room.tmux.socketPath } };
    hands.ledger.append({ kind: 'intent', action: 'run', session: { key: null, name: 'lost one' }, body });
    await room.tmux.session('mine');
    // As long as nobody can tell, for instance while the program of a session starts, it is left to the next command.
    const stderr = await until('it is told', async () => (await call('hold', 'mine')).stderr || null);
    expect(stderr).toBe(
      "! an earlier run of 'lost one' was cut short; it failed: it was stopped, and no session of it is there\n",
    );
    expect(factsIn(hands).size).toBe(1);
  });
});
