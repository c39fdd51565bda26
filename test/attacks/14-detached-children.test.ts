import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCommandRunner } from '../../src/adapters/commands/run-command.ts';
import { createSend } from '../../src/adapters/notify/create-send.ts';
import { createEndStarted } from '../../src/adapters/proc/end-started.ts';
import { createProcessActuator } from '../../src/adapters/proc/process-actuator.ts';
import type { Notification } from '../../src/core/notify/notification.ts';
import type { NotifyRule } from '../../src/core/notify/rule.ts';
import { until } from '../support/until.ts';

/** In the environment of everything that a test starts, so that nothing is left behind. */
const MINE = 'DETACHED_CHILDREN_TEST';
/** Long enough for whatever is started to be there. */
const TIME_MS = 1500;

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'detached-'));
  env = { ...process.env, [MINE]: folder };
});
afterEach(() => {
  const actuator = createProcessActuator();
  for (const { pid, startTicks } of mine()) actuator.signal({ pid, startTicks }, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** What a test has started and still runs, by its words. */
function mine(): { readonly pid: number; readonly startTicks: number; readonly words: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${MINE}=${folder}`))
        return [];
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').join(' ').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const startTicks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
      return words === '' ? [] : [{ pid: Number(pid), startTicks, words }];
    } catch {
      return [];
    }
  });
}

const running = () => mine().map(({ words }) => words);
const noneLeft = () => until('nothing is left', running, (left) => left.length === 0);
const run = (script: string, timeoutMs: number) =>
  createCommandRunner(env, createEndStarted())(['sh', '-c', script], { cwd: folder, timeoutMs });

/** Ways out of the process group, each with a sleep of its own length. */
const ESCAPES = `out() { echo >there-$1; exec setsid "$2" "$3" $4; }
  exec 3>&1 4>&2 >/dev/null 2>&1
  out 1 sleep 1001 &
  out 2 nohup sleep 1002 &
  ( ( out 3 sleep 1003 ) & ( out 4 sleep 1004 ) & )
  exec >&3 2>&4 3>&- 4>&-`;
/** Goes on once all of them are there: each writes its number before it becomes the program. */
const ALL_THERE = `until [ "$(cat there-* 2>/dev/null | wc -l)" = 4 ]; do sleep 0.01; done`;

describe('children of a check that left its group', () => {
  test('end when its time is over', async () => {
    expect((await run(`${ESCAPES}\n${ALL_THERE}\nsleep 1005`, TIME_MS)).state).toBe('timed-out');
    await noneLeft();
  });

  test('end when it ends, and with whoever waits for it', async () => {
    expect(await run(`${ESCAPES}\n${ALL_THERE}`, 20_000)).toMatchObject({ state: 'exited', exitCode: 0 });
    await noneLeft();
    const ending = new AbortController();
    const runner = createCommandRunner(env, createEndStarted());
    const ended = runner(['sh', '-c', `${ESCAPES}\nsleep 1005`], {
      ...{ cwd: folder, timeoutMs: 20_000, signal: ending.signal },
    });
    await until(
      'they run',
      running,
      (words) => words.filter((one) => one.startsWith('sleep 100')).length === 5,
    );
    ending.abort();
    await ended;
    await noneLeft();
  });

  test('stay where they serve others; nobody else is touched', async () => {
    // The socket is there a moment before anybody can connect to it.
    const server = `require('net').createServer().listen('${folder}/socket', () => require('fs').writeFileSync('there', ''))`;
    const script = `setsid node -e "${server}" >/dev/null 2>&1 &
      setsid sleep 1001 >/dev/null 2>&1 &
      until [ -e there ]; do sleep 0.01; done`;
    // Started by the test itself: the same environment without the mark.
    const bystander = createCommandRunner(env)(['sleep', '1006'], { cwd: folder, timeoutMs: 600_000 });
    await until('it runs', running, (words) => words.includes('sleep 1006'));
    expect((await run(script, 20_000)).state).toBe('exited');
    const left = await until('the other is gone', running, ({ length }) => length <= 2);
    expect(left.sort()).toEqual([expect.stringContaining('node -e'), 'sleep 1006']);
    for (const { pid, startTicks } of mine()) createProcessActuator().signal({ pid, startTicks }, 'SIGKILL');
    await bystander;
  });
});

test('a terminal window that a check opened stays, with the shell in it and what started it', async () => {
  // As every terminal window, `script` keeps the other end of a person's terminal, and has none itself here.
  // The shell in it does not carry the mark: only what the window has open speaks for it.
  const shell = 'echo >there; exec env -u ROLLCALL_STARTED sleep 1007';
  const script = `setsid sh -c 'script -qc "${shell}" window; true' <>/dev/null >/dev/null 2>&1 &
    setsid sleep 1001 >/dev/null 2>&1 &
    until [ -s there ]; do sleep 0.01; done`;
  expect((await run(script, 20_000)).state).toBe('exited');
  const left = await until(
    'the other is gone, and the shell is what it becomes',
    running,
    (words) => words.length <= 3 && words.includes('sleep 1007'),
  );
  expect(left.map((words) => words.slice(0, 10)).sort()).toEqual(['script -qc', 'sh -c scri', 'sleep 1007']);
});

test('children of a notifier that left its group end with its time, and not before', async () => {
  const script = `( echo >'${folder}/there'; exec setsid sleep 1001 ) >/dev/null 2>&1 &
    until [ -s '${folder}/there' ]; do sleep 0.01; done`;
  const rule = {
    ...{ name: 'tell', timeoutMs: 2 * TIME_MS },
    sink: { kind: 'command', argv: ['sh', '-c', script] },
  } as unknown as NotifyRule;
  const notification = {
    event: 'test',
    title: 't',
    text: 't',
    host: 'h',
    session: null,
  } as unknown as Notification;
  const send = createSend({ env, endStarted: createEndStarted() });
  // Where its time was over before anybody could look, it is sent again.
  await until('it has told, and its child lives', async () => {
    await noneLeft();
    rmSync(join(folder, 'there'), { force: true });
    const { state } = await send(rule, notification);
    return state === 'sent' && running().length === 1;
  });
  await noneLeft();
});
