import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HookEvent } from '../../../src/core/agent/hook-memory.ts';
import { SpoolScene, speakPlainly } from './scene.ts';

let scene: SpoolScene;
let lateMs = 0;
const COUNTED = [
  'lstatSync',
  'statSync',
  'fstatSync',
  'openSync',
  'readdirSync',
  'readSync',
  'unlinkSync',
] as const;
const real = Object.fromEntries(COUNTED.map((name) => [name, fs[name]]));
beforeEach(() => {
  scene = new SpoolScene();
  lateMs = 0;
  const begun = process.uptime();
  vi.spyOn(process, 'uptime').mockImplementation(() => begun + lateMs / 1000);
});
afterEach(() => {
  vi.restoreAllMocks();
  restore();
  scene.remove();
});

function restore(): void {
  Object.assign(fs, real);
  syncBuiltinESMExports();
}

type Counted = (typeof COUNTED)[number];
const call = (name: Counted, ...words: unknown[]) => (real[name] as (...all: unknown[]) => unknown)(...words);

function patch(name: Counted, replacement: (...words: unknown[]) => unknown): void {
  Object.assign(fs, { [name]: replacement });
  syncBuiltinESMExports();
}

/** Counts the calls of the file system that a task makes. */
function callsOf(task: () => unknown): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const name of COUNTED) {
    patch(name, (...words) => {
      calls[name] = (calls[name] ?? 0) + 1;
      return call(name, ...words);
    });
  }
  task();
  restore();
  return calls;
}

it('costs one stat when nothing came, and reads each new file once', () => {
  for (let index = 0; index < 20; index += 1) scene.put({ payload: { conversation: `${index}` } });
  const log = scene.log();
  expect(log.about('claude').length).toBe(20);
  scene.rest();
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
  const total = 600;
  for (let index = 0; index < total; index += 1) {
    scene.put({ payload: { conversation: 'c', turn: 'running', subagentStarted: `${index}` } });
  }
  const order: unknown[] = [];
  const translate = () => (event: HookEvent) => {
    lateMs += 4;
    order.push(event.payload?.subagentStarted);
    return speakPlainly(event);
  };
  const log = scene.log({ translate });
  const left: number[] = [];
  while (scene.waiting().length > 0 && left.length < 100) {
    log.about('claude');
    left.push(scene.waiting().length);
    const waiting = scene.waiting().length;
    const text =
      waiting === 1 ? '1 hook event still waits to be read' : `${waiting} hook events still wait to be read`;
    expect(log.unheard()).toEqual(waiting > 0 ? [{ text, of: 'anyone' }] : []);
    if (waiting > 0) expect(log.problem()).toContain(text);
  }
  expect(log.problem()).toBeNull();
  expect(left.length).toBeGreaterThan(2);
  expect(order).toEqual([...Array(total).keys()].map(String));
});

it('keeps the order when a file is finished between two parts', () => {
  const at = Date.now() - 9000;
  for (let index = 0; index < 101; index += 1) {
    const payload = { conversation: 'c', subagentStarted: `${index}`, subagentEnded: `${index - 3}` };
    scene.put({ at: at + index, payload });
  }
  const late = scene.put({ at: at + 200, payload: { conversation: 'c', subagentStarted: 'late' }, end: '' });
  let isFirst = true;
  const log = scene.log({
    translate: () => (event) => {
      // The time is up before the unfinished file is read, which is then finished, and followed by another.
      lateMs += 10;
      if (isFirst) {
        fs.writeFileSync(join(scene.folder, late), `\nend=${late}\n`, { flag: 'a' });
        scene.put({ at: Date.now() + 10_000, payload: { conversation: 'c', subagentStarted: 'last' } });
      }
      isFirst = false;
      return speakPlainly(event);
    },
  });
  expect(scene.workedOff(log)[0]?.subagents.slice(-3)).toEqual(['100', 'late', 'last']);
});

it('removes no more at once than there is time for, and saves nothing again for that', () => {
  for (const id of ['1', '2', '3']) scene.put({ payload: { conversation: 'c', subagentStarted: id } });
  patch('unlinkSync', (path) => {
    lateMs += 400;
    return call('unlinkSync', path);
  });
  const log = scene.log();
  log.about('claude');
  expect(scene.waiting().length).toBe(1);
  const { id } = scene.saved();
  expect(log.about('claude')[0]?.subagents).toEqual(['1', '2', '3']);
  expect(scene.waiting()).toEqual([]);
  expect(scene.saved().id).toBe(id);
});

it('keeps the order when an unfinished file is finished while there is no time to list them all', () => {
  const late = scene.put({ payload: { conversation: 'c', subagentStarted: 'late' }, end: '' });
  const log = scene.log();
  expect(log.about('claude')).toEqual([]);
  // The time is up when the file has been listed again, still unfinished, and not another one.
  scene.put({ name: '9', at: Date.now() - 5000, payload: { conversation: 'c', subagentStarted: 'first' } });
  patch('lstatSync', (path, ...more) => {
    if (String(path).endsWith(late)) lateMs += 1000;
    return call('lstatSync', path, ...more);
  });
  log.about('claude');
  restore();
  fs.writeFileSync(join(scene.folder, late), `\nend=${late}\n`, { flag: 'a' });
  scene.put({ at: Date.now() + 10_000, payload: { conversation: 'c', subagentStarted: 'last' } });
  log.about('claude');
  expect(scene.workedOff(log)[0]?.subagents).toEqual(['first', 'late', 'last']);
});

it('S29: does not take in again what another one saved, although it had seen the file unfinished', () => {
  const first = scene.put({ payload: { conversation: 'c', subagentStarted: 'first' }, end: '' });
  const log = scene.log({ lock: () => null });
  // It has seen the unfinished file, and had no time for the other.
  scene.put({
    name: '9',
    at: Date.now() + 10_000,
    payload: { conversation: 'c', subagentStarted: 'second' },
  });
  patch('lstatSync', (path, ...more) => {
    if (String(path).endsWith(first)) lateMs += 1000;
    return call('lstatSync', path, ...more);
  });
  log.about('claude');
  restore();
  fs.writeFileSync(join(scene.folder, first), `\nend=${first}\n`, { flag: 'a' });
  // Another one saves, and does not come to removing.
  patch('unlinkSync', () => {
    throw new Error('killed');
  });
  scene.log().about('claude');
  restore();
  expect(scene.waiting().length).toBe(2);
  expect(log.about('claude')[0]?.subagents).toEqual(['first', 'second']);
  expect(log.about('claude')[0]?.subagents).toEqual(['first', 'second']);
});
