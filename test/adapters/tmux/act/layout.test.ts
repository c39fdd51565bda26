import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { layOut as layOutBy } from '../../../../src/adapters/tmux/act/lay-out.ts';
import { folderProblem } from '../../../../src/adapters/tmux/act/program.ts';
import { createTmuxRunner, type RunTmux } from '../../../../src/adapters/tmux/run-tmux.ts';
import type { WindowLayout, WindowPlan } from '../../../../src/core/sight/window.ts';
import type { Acted, SessionTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { UID } from '../look.ts';
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

/** Lays it out around its first pane. */
async function layOut(session: SessionTarget, windows: readonly WindowPlan[]): Promise<Acted> {
  const target = session.sessionId.startsWith('$') ? `${session.sessionId}:` : '=one:';
  const listed = await tmux.tmux('list-panes', '-s', '-t', target, '-F', '#{pane_id}').catch(() => '%0');
  const [paneId = ''] = listed.split('\n');
  return actuator.layOut({ session, paneId, pid: 1 }, windows);
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
    expect(await layOut(fresh, planOf(old ?? [], tmux.folder))).toEqual({ state: 'done' });
    expect(shape(await actuator.layout(fresh))).toEqual(shape(old));
  });

  it('puts each pane into its folder and leaves the first as it is', async () => {
    const odd = join(tmux.folder, '#(touch hacked) ;\'" é');
    mkdirSync(odd);
    const one = await session('one');
    const [window] = (await actuator.layout(one)) ?? [];
    const layout = await layoutOf('helper', 3);
    const panes = ['/gone', odd, tmux.folder].map((cwd) => ({ cwd, isActive: cwd === '/gone' }));
    expect(await layOut(one, [{ ...window!, layout, panes }])).toEqual({ state: 'done' });
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
    expect(await layOut(fresh, [{ ...window!, panes }])).toEqual({ state: 'done' });
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
    expect(await layOut(turned, [{ ...window!, layout, panes: words }])).toEqual({ state: 'done' });
    expect((await actuator.layout(turned))?.[0]?.panes[1]?.command).toEqual(odd);
  });

  it('tells of a command that is too long that it is not known', async () => {
    const { paneId } = await tmux.session('old', 'sh', '-c', 'sleep 1000; :', 'x'.repeat(9000));
    const { session: old } = await targetOf(tmux, paneId);
    expect((await actuator.layout(old))?.[0]?.panes[0]).toMatchObject({ command: null });
  });

  it('is laid out without what its panes run in the arguments of any process', async () => {
    const layout = await layoutOf('helper', 2);
    const one = await session('one');
    const [window] = planOf((await actuator.layout(one)) ?? [], '/');
    const [first] = window!.panes;
    // A word, not a number: a number may also be part of a time or of a pid.
    const panes = [
      { ...first!, isThere: true as const },
      { cwd: '/', isActive: false, command: ['tail', '-f', '/dev/null'] },
    ];
    const plan = [{ ...window!, layout, panes }];
    const env = { ...process.env, HOME: tmux.folder, TMUX_TMPDIR: tmux.folder };
    const real = createTmuxRunner({ env, timeoutMs: 15_000 });
    const told: string[][] = [];
    const run: RunTmux = (socketPath, argv, bounds) => {
      told.push([...argv]);
      return real(socketPath, argv, bounds);
    };
    const reach = { uid: UID, timeoutMs: 15_000, run, folderProblem };
    expect(await layOutBy(reach, await paneOf(one), plan)).toEqual({ state: 'done' });
    expect((await actuator.layout(one))?.[0]?.panes.map(({ command }) => command)).toEqual([
      ['sleep', '1000'],
      ['tail', '-f', '/dev/null'],
    ]);
    expect(told.flat().join(' ')).not.toContain('/dev/null');

    // One that cannot read its input (tmux 3.1) gets all but what would be shown to everybody.
    const old: RunTmux = async (socketPath, argv, bounds) => {
      if (bounds?.input === undefined) return run(socketPath, argv, bounds);
      const stderr = 'No such file or directory: -\n';
      return { ended: 'exit', code: 1, signal: null, stdout: Buffer.alloc(0), stderr };
    };
    const two = await session('two');
    expect(await layOutBy({ ...reach, run: old }, await paneOf(two), plan)).toMatchObject({
      ...{ state: 'failed', text: expect.stringContaining('shells run in its panes') },
    });
    expect((await actuator.layout(two))?.[0]?.panes.map(({ command }) => command)).toEqual([
      ['sleep', '1000'],
      undefined,
    ]);
    expect(told.flat().join(' ')).not.toContain('/dev/null');
  });

  /** A plan of windows with one pane each, the first of them with several. */
  const planned = async (session: SessionTarget, ...indexes: number[]): Promise<WindowPlan[]> => {
    const [window] = planOf((await actuator.layout(session)) ?? [], tmux.folder);
    const [pane] = window!.panes;
    const layout = await layoutOf(`helper-${indexes.length}`, 2);
    return [
      { ...window!, layout, isActive: false, panes: [pane!, { ...pane!, isActive: false }] },
      ...indexes.map((index) => ({ ...window!, index, name: `w${index}`, isActive: index === 2 })),
    ];
  };
  const paneOf = async (target: SessionTarget) => {
    const panes = await tmux.tmux('list-panes', '-t', target.sessionId, '-F', '#{pane_id}');
    return { session: target, paneId: panes.split('\n')[0] ?? '', pid: 1 };
  };
  const listed = async ({ sessionId }: SessionTarget) =>
    (await tmux.tmux('list-windows', '-t', sessionId, '-F', '#{window_index} #{window_name} #{window_panes}'))
      .split('\n')
      .slice(1);

  it('S45: leaves what somebody has added, makes the rest around it, and tells what is not as planned', async () => {
    const one = await session('one');
    const plan = await planned(one, 1, 2, 3);
    await tmux.tmux('split-window', '-t', `${one.sessionId}:`, 'sleep 1000');
    await tmux.tmux('new-window', '-n', 'mine', '-t', `${one.sessionId}:2`, 'sleep 1000');
    const laidOut = {
      state: 'failed',
      text: expect.stringMatching(/^window 0 '.*' has 1 of its 2 panes; window 2 'w2' is not made: another/),
    };
    expect(await layOut(one, plan)).toMatchObject(laidOut);
    expect(await listed(one)).toEqual(['1 w1 1', '2 mine 1', '3 w3 1']);
    expect(await tmux.tmux('display-message', '-p', '-t', one.sessionId, '#{window_name}')).toBe('mine');
    // Done again nothing is made twice, also of what has ended since.
    await tmux.tmux('kill-window', '-t', `${one.sessionId}:3`);
    expect(await layOut(one, plan)).toMatchObject({
      text: expect.stringContaining("window 3 'w3' has 0 of its 1 panes"),
    });
    expect(await listed(one)).toEqual(['1 w1 1', '2 mine 1']);
  });

  it('one window that cannot be made keeps no other from it', async () => {
    const one = await session('one');
    const plan = await planned(one, 1, 2, 3);
    // Its layout is of fewer panes.
    const odd = { ...plan[1]!, layout: plan[0]!.layout, panes: Array(3).fill(plan[1]!.panes[0]) };
    expect(await layOut(one, [plan[0]!, odd, ...plan.slice(2)])).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('have 3 panes but need 2'),
    });
    expect(await listed(one)).toEqual(['1 w1 3', '2 w2 1', '3 w3 1']);
    expect(await tmux.tmux('display-message', '-p', '-t', one.sessionId, '#{window_name}')).toBe('w2');
  });

  it('makes many of them in several commands', async () => {
    const one = await session('one');
    const indexes = Array.from({ length: 70 }, (_, index) => index + 1);
    expect(await layOut(one, await planned(one, ...indexes))).toEqual({ state: 'done' });
    expect(await listed(one)).toHaveLength(70);
    expect(await tmux.tmux('display-message', '-p', '-t', one.sessionId, '#{window_name}')).toBe('w2');
  });

  it('does nothing of a command that did not come whole', async () => {
    const one = await session('one');
    const plan = await planned(one, 1, 2);
    const runner = createTmuxRunner({ env: tmux.env, timeoutMs: 15_000 });
    const run: typeof runner = (path, command, { input, ...bounds }) =>
      runner(path, command, { ...bounds, ...(input && { input: input.slice(0, input.indexOf('w2')) }) });
    const reach = { run, uid: UID, timeoutMs: 15_000, folderProblem };
    expect(await layOutBy(reach, await paneOf(one), plan)).toMatchObject({ state: 'failed' });
    expect(await listed(one)).toEqual([]);
  });

  it('moves its own window to its place, and not where somebody else has it', async () => {
    const one = await session('one');
    const [own, next] = await planned(one, 0);
    const plan = [{ ...own!, index: 5 }, next!];
    expect(await layOut(one, plan)).toEqual({ state: 'done' });
    expect(await tmux.tmux('list-windows', '-t', one.sessionId, '-F', '#{window_index}')).toBe('0\n5');
    const two = await session('two');
    await tmux.tmux('new-window', '-d', '-t', `${two.sessionId}:5`, 'sleep 1000');
    expect(await layOut(two, plan)).toMatchObject({
      text: expect.stringMatching(
        /window 5 '.*' is window 0: another one has its place; window 0 'w0' is not made/,
      ),
    });
    expect(await tmux.tmux('list-panes', '-t', `${two.sessionId}:0`, '-F', 'x')).toBe('x\nx');
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
      expect((await layOut(other, plan)).state).not.toBe('done');
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
      expect(await layOut(one, [window!, { index: 9, ...odd }])).toMatchObject({ state: 'failed' });
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
