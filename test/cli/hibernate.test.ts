import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { closeDocumentSchema, wakeDocumentSchema } from '../../src/contract/close-schemas.ts';
import { type ClosingRoom, lives } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';
import { run as runWith } from './fake-outside.ts';

/** Runs a command line with real hands; the command closes the ledger that it was given. */
const run = (room: ClosingRoom, ...argv: string[]) => runWith(argv, { hands: () => room.hands() });

const activity = async (room: ClosingRoom, name: string) =>
  (await room.entry(await room.hands(), name)).activity;

async function asleep(room: ClosingRoom, name = 'worker'): Promise<string> {
  await room.agent(name, 'leaves');
  const { stdout } = await run(room, 'hibernate', name, '--json');
  return v.parse(closeDocumentSchema, JSON.parse(stdout)).sessions[0]?.receipt?.receipt ?? stdout;
}

describe.concurrent('rollcall hibernate', () => {
  test('lets the agent leave, says what came back, and how it is woken', async ({ staying: room }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const { exitCode, stdout, stderr } = await run(room, 'hibernate', 'worker', '--reason', 'lunch');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^worker: asleep, gave back \d+\.\d MiB, receipt r\w{12}\n {2}kept in /),
    ]);
    expect(stdout).toContain('hint: rollcall wake worker wakes it');
    expect(stderr).toMatch(/archive {4}done [\s\S]*ask {8}done .*it left at '\/exit'[\s\S]*sleep {6}done /);
    expect(lives(pid)).toBe(false);
    expect(await activity(room, 'worker')).toBe('asleep');
  });

  test('prints a document that its schema knows; what sleeps already is fine', async ({ staying: room }) => {
    await room.agent('worker', 'leaves');
    const first = await run(room, 'hibernate', 'worker', '--json', '--reason', 'lunch');
    const { sessions } = v.parse(closeDocumentSchema, JSON.parse(first.stdout));
    expect(sessions).toMatchObject([
      {
        ...{ name: 'worker', result: 'asleep', exitCode: 0 },
        receipt: { result: 'asleep', reason: 'lunch', sleeper: { paneId: expect.stringMatching(/^%\d+$/) } },
      },
    ]);
    const receipt = sessions[0]?.receipt?.receipt ?? '';
    const again = await run(room, 'hibernate', 'worker');
    expect([again.exitCode, again.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^worker: it fell asleep .* ago, receipt ${receipt}\n`)),
    ]);
    const json = await run(room, 'hibernate', 'worker', '--json');
    expect(v.parse(closeDocumentSchema, JSON.parse(json.stdout)).sessions).toMatchObject([
      { result: 'already-asleep', exitCode: 0 },
    ]);
  });

  test('says with --dry-run what it would do, and does nothing', async ({ staying: room }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const { exitCode, stdout } = await run(room, 'hibernate', 'worker', '--dry-run');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^worker: would be put to sleep\n[\s\S]*\n {2}sleep {6}once it has left: /),
    ]);
    expect(stdout).not.toMatch(/^ {2}(remove|sweep) /m);
    const json = await run(room, 'hibernate', 'worker', '--dry-run', '--json');
    expect(v.parse(closeDocumentSchema, JSON.parse(json.stdout))).toMatchObject({
      ...{ isDryRun: true, sessions: [{ result: 'would-sleep' }] },
    });
    expect(lives(pid)).toBe(true);
    expect((await room.hands()).ledger.read().isEmpty).toBe(true);
  });

  test('says with --dry-run what does not sleep by itself already', async ({ staying: room }) => {
    await asleep(room);
    const { exitCode, stdout } = await run(room, 'hibernate', 'worker', 'stays', '--dry-run');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('worker: it fell asleep ');
    expect(stdout).toContain('stays: would not be put to sleep: ');
  });

  test('refuses work, and a session without an agent', async ({ staying: room }) => {
    const { pid } = await room.agent('worker', 'leaves');
    await room.agents.say('worker', 'working');
    const busy = await run(room, 'hibernate', 'worker');
    expect([busy.exitCode, busy.stdout]).toEqual([
      3,
      expect.stringMatching(/^worker: not put to sleep: it is active/),
    ]);
    expect(busy.stdout).toContain('(at-rest)');
    expect(busy.stdout).not.toContain('--force');
    expect(lives(pid)).toBe(true);
    const plain = await run(room, 'hibernate', 'stays');
    expect([plain.exitCode, plain.stdout]).toEqual([3, expect.stringMatching(/^stays: not put to sleep: /)]);
    expect(plain.stdout).not.toContain('--force');
  });

  test('refuses what is held, until that is set aside', async ({ staying: room }) => {
    await room.agent('worker', 'leaves');
    expect((await run(room, 'hold', 'worker')).exitCode).toBe(0);
    const { exitCode, stdout } = await run(room, 'hibernate', 'worker');
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('(held)')]);
    expect((await run(room, 'hibernate', 'worker', '--despite', 'held')).exitCode).toBe(0);
    expect(await activity(room, 'worker')).toBe('asleep');
  });

  test('puts several to sleep; one that is refused does not keep the others', async ({ staying: room }) => {
    for (const name of ['a', 'b', 'c']) await room.agent(name, 'leaves');
    await room.agents.say('b', 'working');
    const { exitCode } = await run(room, 'hibernate', 'a', 'b', 'c', '--timeout', '10m');
    expect(exitCode).toBe(3);
    for (const name of ['a', 'c']) expect(await activity(room, name)).toBe('asleep');
    expect(await activity(room, 'b')).toBe('working');
  });

  test('does nothing where one name is wrong, or nothing is named', async ({ staying: room }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const { exitCode, stderr } = await run(room, 'hibernate', 'worker', 'wroker');
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('nothing was put to sleep')]);
    expect((await run(room, 'hibernate')).exitCode).toBe(2);
    expect((await run(room, 'hibernate', 'worker', '--timeout', '1ms')).exitCode).toBe(2);
    expect((await run(room, 'hibernate', 'worker', '--force')).exitCode).toBe(2);
    expect(lives(pid)).toBe(true);
  });
});

describe.concurrent('rollcall wake', () => {
  test('wakes by name, says what it started, and never twice', async ({ staying: room }) => {
    const receipt = await asleep(room);
    const { exitCode, stdout } = await run(room, 'wake', 'worker');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^worker: awake again in its pane, from receipt ${receipt}\n {2}started: `),
      ),
    ]);
    await until(
      'it is awake',
      () => activity(room, 'worker'),
      (now) => now === 'idle',
    );
    const again = await run(room, 'wake', 'worker');
    expect([again.exitCode, again.stdout]).toEqual([0, 'worker: nothing sleeps in it\n']);
  });

  test('wakes by the receipt, with documents that their schema knows', async ({ staying: room }) => {
    const receipt = await asleep(room);
    const woken = await run(room, 'wake', receipt, '--json');
    expect(v.parse(wakeDocumentSchema, JSON.parse(woken.stdout))).toMatchObject({
      ...{ result: 'woken', name: 'worker', receipt, conversation: 'talk-worker', missing: [], putBack: [] },
    });
    const again = await run(room, 'wake', 'worker', '--json');
    expect(v.parse(wakeDocumentSchema, JSON.parse(again.stdout))).toMatchObject({
      ...{ result: 'awake', name: 'worker', receipt: null, argv: null },
    });
  });

  test('says what nobody knows', async ({ staying: room }) => {
    expect((await run(room, 'wake', 'nobody')).exitCode).toBe(4);
    expect((await run(room, 'wake')).exitCode).toBe(2);
    expect((await run(room, 'wake', 'stays')).stdout).toBe('stays: nothing sleeps in it\n');
  });

  test('says where its sleeper is gone, and what starts its agent again', async ({ staying: room }) => {
    const receipt = await asleep(room);
    await room.tmux.tmux('respawn-pane', '-k', '-t', '=worker:', 'sleep 1000');
    const { exitCode, stderr } = await run(room, 'wake', 'worker');
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining('its sleeper is not there any more: something else runs in pane %'),
    ]);
    expect(stderr).toContain(`rollcall reopen ${receipt} starts its agent again`);
    const json = await run(room, 'wake', receipt, '--json');
    expect([json.exitCode, JSON.parse(json.stdout || json.stderr)]).toMatchObject([3, {}]);
  });

  test('is handed over in the pane of its sleeper, which it replaces', async ({ staying: room }) => {
    const asked: (readonly string[])[] = [];
    const ran = await runWith(['wake', 'r-1', '--json'], {
      ...{ env: { HOME: '/nowhere', ROLLCALL_RUN: 'r-1' }, hands: () => room.hands() },
      handOver: async (_, argv) => {
        asked.push(argv);
        return { code: 3, stdout: 'said', stderr: 'why' };
      },
    });
    expect(asked).toEqual([['node', 'rollcall.cjs', 'wake', 'r-1', '--json']]);
    expect(ran).toMatchObject({ exitCode: 3, stdout: 'said', stderr: 'why' });
  });
});
