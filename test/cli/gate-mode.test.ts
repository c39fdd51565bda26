import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateModeDocumentSchema, gateSwitchDocumentSchema } from '../../src/contract/gate-schemas.ts';
import { GateScene } from './gate-scene.ts';

let scene: GateScene;
beforeEach(() => {
  scene = new GateScene();
});
afterEach(() => scene.leave());

describe('rollcall gate mode', () => {
  it('shows what holds here, by whose word, and that shadow blocks nothing', async () => {
    expect((await scene.call('mode')).stdout).toBe(
      [
        'the gate is in mode shadow here: it decides and records what it would have said; nothing is blocked',
        '  user: not set, which is shadow  (holds here)',
        `  project ${scene.project}: not set`,
        '  rollcall gate report shows what it would have done; rollcall gate mode enforce switches',
        '',
      ].join('\n'),
    );
    expect(await scene.actions()).toEqual([]);
  });

  it('sets the user’s or the project’s, of which the project’s counts first, and takes it back', async () => {
    await scene.call('mode', 'enforce');
    expect((await scene.call('mode', 'off', '--project')).stdout).toContain(
      'the gate is now in mode off here',
    );
    const document = v.parse(gateModeDocumentSchema, await scene.json('mode'));
    expect(document).toMatchObject({
      ...{ mode: 'off', user: 'enforce', project: { root: scene.project, mode: 'off' }, problem: null },
      projects: { [scene.project]: 'off' },
    });
    mkdirSync(join(scene.project, 'deep'));
    scene.cwd = join(scene.project, 'deep');
    expect(await scene.json('mode')).toMatchObject({ mode: 'off' });
    scene.cwd = scene.folder;
    expect(await scene.json('mode')).toMatchObject({ mode: 'enforce', project: null });
    expect((await scene.call('mode')).stdout).toContain(`project ${scene.project}: off`);
    scene.cwd = scene.project;
    expect(await scene.json('mode', '--unset', '--project')).toMatchObject({ mode: 'enforce', projects: {} });
    expect(await scene.json('mode', '--unset')).toMatchObject({ mode: 'shadow', user: null });
    const bodies = (await scene.entries()).map(({ action, body }) => [action, body]);
    expect(bodies).toEqual([
      ['gate-mode', { from: null, to: 'enforce', project: null }],
      ['gate-mode', { from: null, to: 'off', project: scene.project }],
      ['gate-mode', { from: 'off', to: null, project: scene.project }],
      ['gate-mode', { from: 'enforce', to: null, project: null }],
    ]);
  });

  it('S53: enforce that cannot be recorded does not hold; what keeps it from blocking does', async () => {
    await scene.call('mode', 'enforce');
    scene.ledgerFails = true;
    expect(await scene.call('mode', 'enforce', '--project')).toMatchObject({ exitCode: 1 });
    expect(scene.store.modes().projects).toEqual({});
    expect(await scene.call('mode', 'off')).toMatchObject({ exitCode: 1 });
    expect(scene.store.modes().user).toBe('off');
  });

  it('S53: a project cannot switch it on by its own files, and what is damaged is shadow', async () => {
    for (const name of ['.rollcall.json', 'rollcall.json'])
      scene.write(name, JSON.stringify({ gate: { mode: 'enforce' }, gateMode: 'enforce' }));
    expect(await scene.json('mode')).toMatchObject({ mode: 'shadow' });
    await scene.call('mode', 'enforce');
    writeFileSync(join(scene.store.folder, 'mode.json'), '{"user":"enfor');
    const { stdout } = await scene.call('mode');
    expect(stdout).toContain('the gate is in mode shadow here');
    expect(stdout).toContain('; nothing is enforced');
  });

  it('knows only its words', async () => {
    expect(await scene.call('mode', 'kill')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the modes are off, shadow, enforce'),
    });
    expect(await scene.call('mode', 'enforce', '--unset')).toMatchObject({ exitCode: 2 });
    scene.cwd = scene.folder;
    expect(await scene.call('mode', 'enforce', '--project')).toMatchObject({ exitCode: 4 });
    expect(scene.store.modes()).toMatchObject({ user: null, projects: {} });
  });
});

describe('rollcall gate', () => {
  it('names every command of the group where none is given', async () => {
    const { exitCode, stderr } = await scene.call();
    expect(exitCode).toBe(2);
    for (const member of ['start', 'status', 'finish', 'abandon', 'mode', 'report', 'off', 'on'])
      expect(stderr).toContain(`rollcall gate ${member}`);
  });
});

describe('rollcall gate off and on', () => {
  const file = () => join(scene.store.folder, 'off');

  it('S53: trip and lift the switch, at once and whatever the mode', async () => {
    await scene.call('mode', 'enforce');
    const off = await scene.call('off', '--now', '--reason', 'release\u001b day');
    expect(off).toMatchObject({ exitCode: 0, stderr: '' });
    expect(off.stdout).toBe(
      'the gate is off: every stop is let through, in every session, until rollcall gate on: release\\e day\n',
    );
    expect(existsSync(file())).toBe(true);
    expect((await scene.call('status')).stdout).toMatch(
      /! switched off (?:now|\d+s ago): release\\e day; every stop is let through/,
    );
    expect((await scene.call('mode')).stdout).toMatch(/switched off (?:now|\d+s ago)/);
    expect(await scene.json('off')).toMatchObject({ result: 'already-off' });
    expect(v.parse(gateSwitchDocumentSchema, await scene.json('on'))).toMatchObject({
      ...{ result: 'on', switchedOff: null, warnings: [] },
    });
    expect(existsSync(file())).toBe(false);
    expect((await scene.call('on')).stdout).toBe('the gate was not off\n');
    expect(await scene.actions()).toEqual(['gate-mode', ...Array(4).fill('gate-switch')]);
  });

  it('S53: hold also where the ledger cannot be written and the config is broken', async () => {
    scene.ledgerFails = true;
    mkdirSync(join(scene.folder, '.config', 'rollcall'), { recursive: true });
    writeFileSync(join(scene.folder, '.config', 'rollcall', 'config.json'), '{ broken');
    const off = await scene.call('off', '--now');
    expect(off).toMatchObject({
      exitCode: 0,
      stderr: '! it holds, but could not be recorded: the disk is full\n',
    });
    expect(existsSync(file())).toBe(true);
    expect(await scene.json('on')).toMatchObject({
      result: 'on',
      warnings: [expect.stringContaining('disk')],
    });
    // Whoever acts on sessions is told of the config.
    expect(await scene.call('start', 'fix-12')).toMatchObject({ exitCode: 2 });
  });

  it('need neither tmux nor a look', async () => {
    scene.sessions = [];
    await scene.call('off');
    expect(scene.looks).toBe(0);
  });
});
