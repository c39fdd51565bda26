import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WindowLayout, WindowPlan } from '../../../../src/core/window.ts';
import type { SessionTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux, { SHELL: '/bin/sh' });
});

async function session(name: string): Promise<SessionTarget> {
  const { paneId } = await tmux.session(name, 'sleep', '1000');
  return (await targetOf(tmux, paneId)).session;
}

/** The same without what only tmux decides. */
function shape(windows: readonly WindowLayout[] | null) {
  return windows?.map(({ layout, panes, ...window }) => ({
    ...window,
    // The checksum, and at the end of each cell the number of its pane.
    cells: layout.slice(5).replace(/(\d+x\d+,\d+,\d+),\d+/g, '$1'),
    active: panes.findIndex(({ isActive }) => isActive),
    count: panes.length,
  }));
}

const planOf = (windows: readonly WindowLayout[], cwd: string): WindowPlan[] =>
  windows.map((window) => ({ ...window, panes: window.panes.map(({ isActive }) => ({ cwd, isActive })) }));

describe('the layout of a session', () => {
  it('S51: is read and laid out again: windows, names, panes, places and what is active', async () => {
    const { sessionId, ...rest } = await session('old');
    const id = `${sessionId}:`;
    await tmux.tmux('move-window', '-s', id, '-t', `${id}3`);
    await tmux.tmux('rename-window', '-t', `${id}3`, '--', "-od##d; 'na##{pid}me");
    await tmux.tmux('split-window', '-h', '-t', `${id}3`, 'sleep 1000');
    await tmux.tmux('split-window', '-v', '-l', '5', '-t', `${id}3`, 'sleep 1000');
    await tmux.tmux('select-pane', '-t', `${id}3.1`);
    await tmux.tmux('new-window', '-d', '-n', 'plain', '-t', `${id}7`, 'sleep 1000');
    for (let split = 0; split < 6; split += 1) {
      await tmux.tmux('split-window', '-d', '-t', `${id}7`, 'sleep 1000');
      await tmux.tmux('select-layout', '-t', `${id}7`, 'even-vertical');
    }
    await tmux.tmux('select-window', '-t', `${id}7`);
    const old = await actuator.layout({ sessionId, ...rest });
    expect(shape(old)).toMatchObject([
      { index: 3, name: "-od#d; 'na#{pid}me", isActive: false, active: 1, count: 3 },
      { index: 7, name: 'plain', isActive: true, active: 0, count: 7 },
    ]);

    await tmux.tmux('set-option', '-g', 'base-index', '1');
    await tmux.tmux('set-option', '-g', 'pane-base-index', '1');
    const fresh = await session('new');
    expect(await actuator.layOut(fresh, planOf(old ?? [], tmux.folder))).toEqual({ state: 'done' });
    expect(shape(await actuator.layout(fresh))).toEqual(shape(old));
  });

  it('puts each pane into its folder and leaves the first as it is', async () => {
    const odd = join(tmux.folder, '#(touch hacked) ;\'" é');
    mkdirSync(odd);
    const one = await session('one');
    const [window] = (await actuator.layout(one)) ?? [];
    const layout = await layoutOf('helper', 3);
    const panes = ['/gone', odd, tmux.folder].map((cwd) => ({ cwd, isActive: cwd === '/gone' }));
    expect(await actuator.layOut(one, [{ ...window!, layout, panes }])).toEqual({ state: 'done' });
    const paths = await tmux.tmux('list-panes', '-t', `${one.sessionId}:`, '-F', '#{pane_start_path}');
    expect(paths.split('\n')).toEqual([tmux.folder, odd, tmux.folder]);
    const [first] = (await actuator.layout(one)) ?? [];
    expect(first?.panes.map(({ isActive }) => isActive)).toEqual([true, false, false]);
    expect(first?.panes[0]?.paneId).toBe(window!.panes[0]!.paneId);
    expect(existsSync(join(tmux.folder, 'hacked'))).toBe(false);
  });

  it('tells what its panes were given to run, word by word, and runs it again at its place', async () => {
    const odd = [
      'sh',
      '-c',
      'sleep 1000; :',
      '',
      'a b',
      "it's",
      '"q"',
      '$HOME ~ $ {x} #{pid} %',
      ';',
      '~',
      'tab\tline\n',
      'é🤖\\',
      '\u0001',
    ];
    // The client would take a semicolon for the end of the command.
    const { paneId } = await tmux.session('old', ...odd.map((one) => (one === ';' ? '\\;' : one)));
    const { session: old } = await targetOf(tmux, paneId);
    await tmux.tmux('split-window', '-d', '-b', '-h', '-t', paneId, 'sleep 1001; :');
    await tmux.tmux('split-window', '-d', '-t', paneId, '-c', '/');
    const [window] = (await actuator.layout(old)) ?? [];
    expect(window?.panes.map(({ command }) => command)).toEqual([['sleep 1001; :'], odd, undefined]);
    const fresh = await session('new');
    const panes = (window?.panes ?? []).map(({ command, isActive }, at) => ({
      ...{ cwd: '/', isActive, ...(at === 1 ? { isThere: true as const } : command && { command }) },
    }));
    const before = (await actuator.layout(fresh))?.[0]?.panes[0]?.paneId;
    expect(await actuator.layOut(fresh, [{ ...window!, panes }])).toEqual({ state: 'done' });
    const [again] = (await actuator.layout(fresh)) ?? [];
    expect(shape([again!])).toEqual(shape([window!]));
    expect(again?.panes.map(({ command }) => command)).toEqual([
      ['sleep 1001; :'],
      ['sleep', '1000'],
      undefined,
    ]);
    expect(again?.panes[1]?.paneId).toBe(before);
    const turned = await session('turned');
    const words = [
      { cwd: '/', isActive: true },
      { cwd: '/', isActive: false, command: odd },
    ];
    const layout = await layoutOf('helper', 2);
    expect(await actuator.layOut(turned, [{ ...window!, layout, panes: words }])).toEqual({ state: 'done' });
    expect((await actuator.layout(turned))?.[0]?.panes[1]?.command).toEqual(odd);
  });

  it('tells of a command that is too long that it is not known', async () => {
    const { paneId } = await tmux.session('old', 'sh', '-c', 'sleep 1000; :', 'x'.repeat(9000));
    const { session: old } = await targetOf(tmux, paneId);
    expect((await actuator.layout(old))?.[0]?.panes[0]).toMatchObject({ command: null });
  });

  it('S45: lays out nothing where somebody has added a pane', async () => {
    const one = await session('one');
    const plan = planOf((await actuator.layout(one)) ?? [], tmux.folder);
    await tmux.tmux('split-window', '-t', `${one.sessionId}:`, 'sleep 1000');
    expect(await actuator.layOut(one, plan)).toEqual({ state: 'changed', text: 'it has other panes by now' });
  });

  it('S2: is told of the very session only', async () => {
    const one = await session('one');
    await session('two');
    for (const other of [
      { ...one, createdAtSeconds: one.createdAtSeconds - 1 },
      { ...one, server: { ...one.server, pid: one.server.pid + 1 } },
      { ...one, sessionId: '$99' },
      { ...one, sessionId: 'one' },
    ]) {
      expect(await actuator.layout(other)).toBe(null);
      const plan = planOf((await actuator.layout(one)) ?? [], tmux.folder);
      expect((await actuator.layOut(other, plan)).state).not.toBe('done');
    }
  });

  it('S55: refuses a layout, a window or a folder that is none, before anything is done', async () => {
    const one = await session('one');
    const [window] = planOf((await actuator.layout(one)) ?? [], tmux.folder);
    const { index: _, ...elsewhere } = window!;
    const two = [...window!.panes, { cwd: join(tmux.folder, 'missing'), isActive: false }];
    for (const odd of [
      { ...elsewhere, layout: '-x; kill-server' },
      { ...elsewhere, index: -1 },
      { ...elsewhere, panes: [] },
      { ...elsewhere, panes: two },
    ]) {
      expect(await actuator.layOut(one, [window!, { index: 9, ...odd }])).toMatchObject({ state: 'failed' });
    }
    expect(await tmux.tmux('list-panes', '-s', '-t', one.sessionId, '-F', 'x')).toBe('x');
  });
});

/** A layout of that many panes, as tmux writes it. */
async function layoutOf(name: string, count: number): Promise<string> {
  const { sessionId } = await session(name);
  for (let split = 1; split < count; split += 1)
    await tmux.tmux('split-window', '-t', `${sessionId}:`, 'sleep 1000');
  return tmux.tmux('display-message', '-p', '-t', `${sessionId}:`, '#{window_layout}');
}
