import { afterAll, beforeAll, expect, it } from 'vitest';
import type { At } from '../../src/operations/at.ts';
import { Failure } from '../../src/operations/failure.ts';
import { operationsAt } from '../../src/operations/runs.ts';
import { withHands } from '../../src/operations/with-hands.ts';
import { run } from '../cli/fake-outside.ts';
import { ActingRoom } from '../engine/act/acting-room.ts';

const room = new ActingRoom();
beforeAll(() => room.tmux.session('stays'));
afterAll(() => room.leave());

/** As the library does it. */
const called = operationsAt({
  ...{ now: Date.now, cwd: room.tmux.folder, isBrief: false },
  withHands: (work) => withHands(() => room.hands(), work),
} as At).run;

const typed = async (...argv: readonly string[]) => {
  const { exitCode, stdout } = await run(['run', '--server', room.tmux.socketPath, '--json', ...argv], {
    ...{ hands: () => room.hands(), cwd: room.tmux.folder, now: Date.now },
  });
  return { exitCode, document: JSON.parse(stdout) };
};

const server = room.tmux.socketPath;

it('answers the same to the command and in the library', async () => {
  const claims = ['--role=worker', '--task=T-1'];
  const here = await typed('--name=typed', ...claims, '--', 'sleep', '1000');
  expect(here.exitCode).toBe(0);
  const there = await called({
    ...{ program: ['sleep', '1000'], name: 'called', role: 'worker', task: 'T-1', server },
  });
  expect(there).toMatchObject({ result: 'started', name: 'called', role: 'worker', task: 'T-1' });
  expect(Object.keys(there).sort()).toEqual(Object.keys(here.document).sort());
  expect(here.document).toMatchObject({ result: 'started', name: 'typed', role: 'worker', task: 'T-1' });
});

it.each([
  [['--name=stays', '--', 'sleep', '1'], { program: ['sleep', '1'], name: 'stays' }],
  [['--env=TMUX=x', '--', 'sleep', '1'], { program: ['sleep', '1'], env: ['TMUX=x'] }],
  [['--', 'false'], { program: ['false'] }],
])('refuses %j with the same words', async (argv, wish) => {
  const here = await typed(...argv);
  const there = await called({ ...wish, server }).then(
    () => null,
    (error: unknown) => error,
  );
  if (!(there instanceof Failure)) throw new Error(`it was started: ${String(there)}`);
  const { code, exitCode, message, hint } = here.document.error;
  expect([there.code, there.exitCode, there.message, there.hint]).toEqual([code, exitCode, message, hint]);
  expect(here.exitCode).toBe(exitCode);
});

it('starts nothing where there is no program, or a field is wrong', async () => {
  await expect(called({ program: [] })).rejects.toMatchObject({ code: 'usage' });
  await expect(called({ program: ['sleep'], guard: true } as never)).rejects.toMatchObject({ code: 'usage' });
});
