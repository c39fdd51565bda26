import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStateFolder } from '../../../src/adapters/state/state-folder.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';
import { prepareState } from './own-process.ts';

const uid = process.getuid?.() ?? 0;
const isRoot = uid === 0;
let home: string;
let ownProcess: OwnProcess;
beforeAll(async () => {
  ownProcess = await prepareState();
});
afterAll(() => ownProcess.remove());
beforeEach(() => {
  home = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'state-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = (owner = uid) => openStateFolder({ env: { XDG_STATE_HOME: home }, uid: owner });
const folder = () => join(home, 'rollcall');
const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe('where state is kept', () => {
  it('is in XDG_STATE_HOME, made for this user only, and the same again', () => {
    expect(open()).toEqual({ state: 'ready', path: folder() });
    expect(modeOf(folder())).toBe(0o700);
    expect(open()).toEqual({ state: 'ready', path: folder() });
  });

  it.each([undefined, '', 'relative/path'])('is under HOME when XDG_STATE_HOME is %j', (xdg) => {
    const env = xdg === undefined ? { HOME: home } : { HOME: home, XDG_STATE_HOME: xdg };
    const path = join(home, '.local/state/rollcall');
    expect(openStateFolder({ env, uid })).toEqual({ state: 'ready', path });
    for (const made of ['.local', '.local/state', '.local/state/rollcall']) {
      expect(modeOf(join(home, made))).toBe(0o700);
    }
  });

  it('is nowhere without a home', () => {
    for (const env of [{}, { HOME: '' }, { HOME: 'relative' }]) {
      expect(openStateFolder({ env, uid })).toMatchObject({
        state: 'refused',
        hint: expect.stringContaining('HOME'),
      });
    }
  });
});

describe('what is not trusted', () => {
  it('S55: closes an own folder that others could read', () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o775);
    expect(open()).toMatchObject({ state: 'ready' });
    expect(modeOf(folder())).toBe(0o700);
  });

  it('S55: refuses a symbolic link, to whatever it leads, and leaves its target alone', () => {
    const target = join(home, 'target');
    mkdirSync(target);
    chmodSync(target, 0o755);
    for (const to of [target, join(home, 'nowhere')]) {
      symlinkSync(to, folder());
      expect(open()).toMatchObject({ state: 'refused', text: expect.stringContaining('symbolic link') });
      expect(lstatSync(folder()).isSymbolicLink()).toBe(true);
      rmSync(folder());
    }
    expect(modeOf(target)).toBe(0o755);
    expect(readdirSync(home)).toEqual(['target']);
  });

  it('accepts a symbolic link above, which is how people move their state to another disk', () => {
    mkdirSync(join(home, 'disk'));
    symlinkSync(join(home, 'disk'), join(home, 'link'));
    const env = { XDG_STATE_HOME: join(home, 'link') };
    expect(openStateFolder({ env, uid })).toMatchObject({ state: 'ready' });
  });

  it('S55: refuses a file in its place', () => {
    writeFileSync(folder(), '');
    expect(open()).toMatchObject({ state: 'refused', text: expect.stringContaining('not a folder') });
  });

  it.runIf(isRoot)('S55: refuses a folder that another user made before', () => {
    mkdirSync(folder(), { mode: 0o700 });
    chownSync(folder(), 12345, 12345);
    expect(open()).toMatchObject({ state: 'refused', text: expect.stringContaining('user 12345') });
    expect(statSync(folder()).uid).toBe(12345);
  });

  it('S55: refuses a folder of another user than the one that asks', () => {
    mkdirSync(folder(), { mode: 0o700 });
    expect(open(isRoot ? 12345 : 0)).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('user'),
    });
  });

  it.runIf(isRoot)('S55: refuses to make anything in a home of another user', () => {
    chownSync(home, 12345, 12345);
    const sighting = openStateFolder({ env: { HOME: home }, uid });
    expect(sighting).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('belongs to user 12345'),
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it('S55: refuses a parent in which everyone can rename, but not a sticky one', () => {
    chmodSync(home, 0o777);
    expect(open()).toMatchObject({ state: 'refused', text: expect.stringContaining('every user') });
    chmodSync(home, 0o1777);
    expect(open()).toMatchObject({ state: 'ready' });
  });

  it('is refused with a reason when a parent is a file', () => {
    writeFileSync(join(home, 'file'), '');
    const env = { XDG_STATE_HOME: join(home, 'file') };
    expect(openStateFolder({ env, uid })).toMatchObject({
      state: 'refused',
      path: join(home, 'file/rollcall'),
    });
  });

  it('S54: shows an odd path without raw controls', () => {
    const env = { XDG_STATE_HOME: join(home, 'a\u001b[31m\nb') };
    mkdirSync(env.XDG_STATE_HOME);
    writeFileSync(join(env.XDG_STATE_HOME, 'rollcall'), '');
    const answer = openStateFolder({ env, uid });
    expect(answer).toMatchObject({ state: 'refused', text: expect.stringContaining('a\\e[31m\\nb') });
  });

  const answer =
    'console.log(JSON.stringify(state.openStateFolder({ env: { XDG_STATE_HOME: args[0] }, uid: 0 })))';
  it.runIf(hasPrivateMounts)('S36: is refused where nothing can be made', () => {
    const mount = `mount -t tmpfs none '${home}'; mount -o remount,ro none '${home}'`;
    expect(ownProcess.run(PRIVATE_MOUNTS, mount, answer, home)).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('read-only'),
    });
  });

  it.runIf(hasPrivateMounts)('S55: is refused when it is open to others and cannot be closed', () => {
    const mount = `mount -t tmpfs -o mode=755 none '${home}'; mkdir -m 750 '${folder()}'; mount -o remount,ro none '${home}'`;
    expect(ownProcess.run(PRIVATE_MOUNTS, mount, answer, home)).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('other users can reach it'),
      hint: expect.stringContaining('chmod 700'),
    });
  });
});
