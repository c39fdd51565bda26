import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SpoolScene } from './scene.ts';

let scene: SpoolScene;
const real = { ...fs };
beforeEach(() => {
  scene = new SpoolScene();
});
afterEach(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  scene.remove();
});

/** Counts the calls of the file system that a task makes. */
function callsOf(task: () => unknown): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const name of [
    'lstatSync',
    'statSync',
    'fstatSync',
    'openSync',
    'readdirSync',
    'readSync',
    'unlinkSync',
  ] as const) {
    Object.assign(fs, {
      [name]: (...words: unknown[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return (real[name] as (...all: unknown[]) => unknown)(...words);
      },
    });
  }
  syncBuiltinESMExports();
  task();
  Object.assign(fs, real);
  syncBuiltinESMExports();
  return calls;
}

it('costs one stat when nothing came, and reads each new file once', () => {
  for (let index = 0; index < 20; index += 1) scene.put({ payload: { conversation: `${index}` } });
  const log = scene.log();
  expect(log.about('claude').length).toBe(20);
  // As a folder that has not changed for a while.
  const old = Date.now() / 1000 - 60;
  fs.utimesSync(scene.folder, old, old);
  log.about('claude');
  expect(callsOf(() => log.about('claude'))).toEqual({ lstatSync: 1 });
  expect(callsOf(() => log.about('codex'))).toEqual({ lstatSync: 1 });
  for (let index = 0; index < 7; index += 1) scene.put({ payload: { conversation: `new-${index}` } });
  const calls = callsOf(() => log.about('claude'));
  expect(calls.readdirSync).toBe(2);
  expect(calls.unlinkSync).toBe(7);
  // The files, the first bytes of the memory, the lock, and the new memory.
  expect(calls.openSync).toBe(7 + 3);
  expect(log.about('claude').length).toBe(27);
});

it('works off a spool that nobody read for weeks a part at a time, in order', () => {
  const total = 21_000;
  for (let index = 0; index < total; index += 1) {
    scene.put({ payload: { conversation: 'c', turn: 'running', subagentStarted: `${index}` } });
  }
  const log = scene.log();
  let calls = 0;
  let longest = 0;
  let problems = 0;
  while (scene.waiting().length > 0 && calls < 100) {
    const from = performance.now();
    log.about('claude');
    longest = Math.max(longest, performance.now() - from);
    problems += log.problem()?.includes('still wait to be read') ? 1 : 0;
    calls += 1;
  }
  expect(calls).toBeGreaterThan(1);
  expect(problems).toBe(calls - 1);
  expect(longest).toBeLessThan(5_000);
  expect(log.about('claude')[0]?.subagents).toEqual(
    [...Array(100).keys()].map((index) => `${total - 100 + index}`),
  );
}, 120_000);
