import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createArchive } from '../../../src/adapters/archive/archive.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';
import { until } from '../../support/until.ts';

let folder: string;
let own: OwnProcess;
beforeAll(async () => {
  own = await OwnProcess.prepare(
    ['src/adapters/archive/archive.ts'],
    `import { readdirSync } from 'node:fs';
     import { createArchive } from './module.mjs';
     const archive = createArchive({ folder: args[0] });`,
  );
});
afterAll(() => own.remove());
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const root = () => join(folder, 'archive');
const archive = () => createArchive({ folder });
const modeOf = (path: string) => statSync(path).mode & 0o7777;
/** SHA-256 of nothing. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const CONTENT = {
  document: readKept({ name: 'worker', argv: ['claude', '--résumé'], nested: { at: 1, none: null } }),
  histories: new Map([
    ['%0', 'first\n'],
    ['%12', ''],
  ]),
};

describe('an archive', () => {
  it('is one private folder, and is read back', () => {
    const path = join(root(), 'a1.B-2_c');
    expect(archive().write('a1.B-2_c', CONTENT)).toEqual({
      ...{ state: 'written', path, digests: expect.objectContaining({ 'pane-12.txt': EMPTY }) },
    });
    expect(readdirSync(root())).toEqual(['a1.B-2_c']);
    expect(readdirSync(path).sort()).toEqual(['pane-0.txt', 'pane-12.txt', 'session.json']);
    expect([root(), path].map(modeOf)).toEqual([0o700, 0o700]);
    for (const name of readdirSync(path)) expect(modeOf(join(path, name))).toBe(0o600);
    expect(readFileSync(join(path, 'pane-0.txt'), 'utf8')).toBe('first\n');
    const digest = createHash('sha256')
      .update(readFileSync(join(path, 'session.json')))
      .digest('hex');
    expect(archive().read('a1.B-2_c')).toEqual({ state: 'read', document: CONTENT.document, path, digest });
  });

  it('that was never written is absent', () => {
    expect(archive().read('none')).toEqual({ state: 'absent', path: join(root(), 'none') });
    archive().write('one', CONTENT);
    expect(archive().read('none')).toEqual({ state: 'absent', path: join(root(), 'none') });
  });

  it('is never written over', () => {
    archive().write('one', CONTENT);
    expect(archive().write('one', { document: readKept({}), histories: new Map() })).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('already'),
    });
    expect(archive().read('one')).toMatchObject({ document: CONTENT.document });
    expect(readdirSync(root())).toEqual(['one']);
  });

  it('takes more of a pane later, in files of its own, and gives all of it back', () => {
    archive().write('one', CONTENT);
    const path = join(root(), 'one');
    expect(archive().screens('one', '%0')).toEqual(['first\n']);
    expect(archive().add('one', '%0', 'second\n')).toEqual({
      ...{ state: 'written', path: join(path, 'pane-0.last.txt') },
      digests: { 'pane-0.last.txt': expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(archive().add('one', '%0', 'third\n')).toMatchObject({ path: join(path, 'pane-0.last-2.txt') });
    expect(archive().screens('one', '%0')).toEqual(['first\n', 'second\n', 'third\n']);
    expect(archive().screens('one', '%12')).toEqual(['']);
    expect(archive().screens('one', '%3')).toEqual([]);
    for (const name of readdirSync(path)) expect(modeOf(join(path, name))).toBe(0o600);
    expect(readdirSync(root())).toEqual(['one']);
    expect(archive().read('one')).toMatchObject({ document: CONTENT.document });
  });

  it('takes no more than enough, and nothing without an archive', () => {
    expect(archive().add('one', '%0', 'x')).toMatchObject({ state: 'failed' });
    expect(archive().screens('one', '%0')).toEqual([]);
    archive().write('one', CONTENT);
    const added = Array.from({ length: 10 }, (_, at) => archive().add('one', '%0', `${at}`).state);
    expect(added).toEqual([...Array(9).fill('written'), 'failed']);
    expect(archive().screens('one', '%0')).toHaveLength(10);
    expect(archive().add('none', '%0', 'x')).toMatchObject({ state: 'failed' });
    expect(readdirSync(root())).toEqual(['one']);
  });

  it('is compared file by file with what was written, and nothing outside of it is', () => {
    const written = archive().write('one', CONTENT);
    if (written.state !== 'written') throw new Error(written.text);
    expect(archive().differences('one', written.digests)).toEqual([]);
    expect(archive().differences('none', written.digests)).toBeNull();
    writeFileSync(join(root(), 'one', 'pane-0.txt'), 'other');
    rmSync(join(root(), 'one', 'pane-12.txt'));
    expect(archive().differences('one', written.digests)).toEqual([
      'pane-0.txt is not as it was written',
      expect.stringContaining('pane-12.txt cannot be read'),
    ]);
    expect(archive().differences('one', { '../../x': EMPTY })).toEqual([
      expect.stringContaining('not a file of an archive'),
    ]);
  });

  it('that is damaged says why', () => {
    archive().write('one', CONTENT);
    const document = join(root(), 'one', 'session.json');
    for (const damage of ['{"half":', '[]', 'null', Buffer.from('{"a":"\xff"}', 'latin1')]) {
      writeFileSync(document, damage);
      expect(archive().read('one')).toMatchObject({
        state: 'failed',
        text: expect.stringContaining('session.json'),
      });
    }
    rmSync(document);
    expect(archive().read('one')).toMatchObject({ state: 'failed' });
  });
});

describe('what is not trusted', () => {
  it.each(['', '.', '..', '../x', 'a/b', '/etc', '.hidden', 'a\0b', 'a b', 'é', 'a\n', 'x'.repeat(129)])(
    'S55: the id %j',
    (id) => {
      expect(archive().write(id, CONTENT)).toMatchObject({
        state: 'failed',
        hint: expect.stringMatching(/./),
      });
      expect(archive().read(id)).toMatchObject({ state: 'failed' });
      expect(archive().add(id, '%0', '')).toMatchObject({ state: 'failed' });
      expect(archive().screens(id, '%0')).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('S55: a pane id that is none', () => {
    const histories = new Map([['../../x', '']]);
    expect(archive().write('one', { document: readKept({}), histories })).toMatchObject({ state: 'failed' });
    expect(readdirSync(folder)).toEqual([]);
    archive().write('one', CONTENT);
    expect(archive().add('one', '../../x', '')).toMatchObject({ state: 'failed' });
    expect(archive().screens('one', '../../x')).toEqual([]);
    expect(readdirSync(folder)).toEqual(['archive']);
  });

  it('S55: a symbolic link or a file in its place, and what it leads to is left alone', () => {
    const target = join(folder, 'target');
    mkdirSync(target);
    symlinkSync(target, root());
    expect(archive().write('one', CONTENT)).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('symbolic link'),
      hint: expect.stringContaining('move it away'),
    });
    expect(archive().read('one')).toMatchObject({ state: 'failed' });
    expect(readdirSync(target)).toEqual([]);
    rmSync(root());
    writeFileSync(root(), '');
    expect(archive().write('one', CONTENT)).toMatchObject({ text: expect.stringContaining('not a folder') });
  });

  it('S55: a link in the place of one archive, or of its document', () => {
    archive().write('one', CONTENT);
    symlinkSync(join(root(), 'one'), join(root(), 'two'));
    expect(archive().read('two')).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('symbolic link'),
    });
    expect(archive().write('two', CONTENT)).toMatchObject({ state: 'failed' });
    expect(archive().add('two', '%0', 'x')).toMatchObject({ state: 'failed' });
    expect(archive().screens('two', '%0')).toEqual([]);
    const later = join(root(), 'one', 'pane-0.last.txt');
    symlinkSync(join(folder, 'outside'), later);
    expect(archive().add('one', '%0', 'x')).toMatchObject({
      path: expect.stringContaining('pane-0.last-2.txt'),
    });
    expect(archive().screens('one', '%0')).toEqual(['first\n', 'x']);
    expect(lstatSync(later).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder)).toEqual(['archive']);
    symlinkSync(join(root(), 'nowhere'), join(root(), 'three'));
    expect(archive().write('three', CONTENT)).toMatchObject({ state: 'failed' });
    expect(lstatSync(join(root(), 'three')).isSymbolicLink()).toBe(true);
    const document = join(root(), 'one', 'session.json');
    rmSync(document);
    writeFileSync(join(folder, 'other.json'), '{}');
    symlinkSync(join(folder, 'other.json'), document);
    expect(archive().read('one')).toMatchObject({ state: 'failed' });
  });

  it.runIf(isRoot)('S55: a folder or a document of another user', () => {
    mkdirSync(root(), { mode: 0o700 });
    chownSync(root(), 12345, 12345);
    expect(archive().write('one', CONTENT)).toMatchObject({ text: expect.stringContaining('user 12345') });
    expect(readdirSync(root())).toEqual([]);
    chownSync(root(), 0, 0);
    archive().write('one', CONTENT);
    chownSync(join(root(), 'one', 'session.json'), 12345, 12345);
    expect(archive().read('one')).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('user 12345'),
    });
  });

  it('S55: a folder that others could read is closed to them', () => {
    mkdirSync(root());
    chmodSync(root(), 0o755);
    expect(archive().write('one', CONTENT)).toMatchObject({ state: 'written' });
    expect(modeOf(root())).toBe(0o700);
  });
});

describe('what goes wrong while it is written', () => {
  const write = `
    const histories = new Map([['%0', 'x'.repeat(Number(args[1]))]]);
    console.log(JSON.stringify({
      answer: archive.write('one', { document: {}, histories }),
      read: archive.read('one').state,
      left: (() => { try { return readdirSync(args[0] + '/archive'); } catch { return 'no folder'; } })(),
    }));`;

  it.runIf(hasPrivateMounts)('S36: a full disk leaves nothing half, and says what to do', () => {
    const mount = `mount -t tmpfs -o size=64k none ${folder}`;
    expect(own.run(PRIVATE_MOUNTS, mount, write, folder, '200000')).toEqual({
      answer: {
        state: 'failed',
        text: expect.stringContaining('ENOSPC'),
        hint: expect.stringContaining('make room'),
      },
      read: 'absent',
      left: [],
    });
    expect(own.run(PRIVATE_MOUNTS, mount, write, folder, '1000')).toMatchObject({
      read: 'read',
      left: ['one'],
    });
  });

  it.runIf(hasPrivateMounts)('S36: a disk that is full by then keeps what was there', () => {
    const add = `
      const histories = new Map([['%0', 'first']]);
      archive.write('one', { document: {}, histories });
      console.log(JSON.stringify({
        answer: archive.add('one', '%0', 'x'.repeat(200_000)),
        screens: archive.screens('one', '%0'),
        left: [args[0] + '/archive', args[0] + '/archive/one'].map((path) => readdirSync(path).sort()),
      }));`;
    const mount = `mount -t tmpfs -o size=64k none ${folder}`;
    expect(own.run(PRIVATE_MOUNTS, mount, add, folder)).toEqual({
      answer: expect.objectContaining({ state: 'failed', text: expect.stringContaining('ENOSPC') }),
      ...{ screens: ['first'], left: [['one'], ['pane-0.txt', 'session.json']] },
    });
  });

  it.runIf(hasPrivateMounts)('S36: a read-only disk too', () => {
    const mount = `mount -t tmpfs -o ro none ${folder}`;
    expect(own.run(PRIVATE_MOUNTS, mount, write, folder, '10')).toEqual({
      answer: {
        state: 'failed',
        text: expect.stringContaining('EROFS'),
        hint: expect.stringContaining('read-only'),
      },
      read: 'absent',
      left: 'no folder',
    });
  });

  it('S50: a writer that is killed at any moment leaves whole archives only, and its rest is cleared away later', async () => {
    const endless = `
      const histories = new Map(Array.from({ length: 20 }, (_, at) => ['%' + at, 'x'.repeat(100_000)]));
      for (let turn = 0; ; turn += 1) archive.write(args[1] + '-' + turn, { document: { turn }, histories });`;
    const finished = () =>
      readdirSync(folder).includes('archive')
        ? readdirSync(root()).filter((name) => !name.startsWith('.'))
        : [];
    for (const round of ['a', 'b', 'c']) {
      const child = own.start(endless, folder, round);
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await until('some are written', () => finished().some((name) => name.startsWith(`${round}-2`)));
      child.kill('SIGKILL');
      await ended;
    }
    for (const name of finished()) {
      expect(readdirSync(join(root(), name)).length).toBe(21);
      expect(archive().read(name)).toMatchObject({ state: 'read', document: { turn: expect.any(Number) } });
    }
    const left = join(root(), '.writing-1-abc-z');
    mkdirSync(left);
    mkdirSync(join(root(), '.writing-2-def-z'));
    const half = join(root(), '.writing-3-ghi-z-pane-0.last.txt');
    writeFileSync(half, '');
    for (const path of [left, half]) utimesSync(path, new Date(0), new Date(0));
    archive().write('last', CONTENT);
    const hidden = readdirSync(root()).filter((name) => name.startsWith('.'));
    expect(hidden).toContain('.writing-2-def-z');
    expect(hidden).not.toContain('.writing-1-abc-z');
    expect(lstatSync(half, { throwIfNoEntry: false })).toBeUndefined();
  });
});
