import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJsonFile, createRecollectionFile } from '../../../src/adapters/state/json-file.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';
import { prepareState } from './own-process.ts';

interface Note {
  readonly text: string;
}
const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

let folder: string;
let ownProcess: OwnProcess;
beforeAll(async () => {
  ownProcess = await prepareState();
});
afterAll(() => ownProcess.remove());
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'json-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (maxBytes = 1000) =>
  createJsonFile<Note>({ folder, name: 'note.json', maxBytes, isValid: isNote });
const path = () => join(folder, 'note.json');
const aside = () => join(folder, 'note.json.damaged');

describe('keeping a value', () => {
  it('is empty at first and gives back what was saved last, in a file for this user only', () => {
    expect(file().load()).toEqual({ state: 'empty' });
    expect(file().save({ text: 'one' })).toEqual({ state: 'saved' });
    expect(file().save({ text: 'zwei ü 🙂' })).toEqual({ state: 'saved' });
    expect(file().load()).toEqual({ state: 'loaded', value: { text: 'zwei ü 🙂' } });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['note.json']);
  });

  it('keeps recollections under their own name', () => {
    const recollections = createRecollectionFile({ folder, isValid: isNote });
    recollections.save({ text: 'x' });
    expect(readdirSync(folder)).toEqual(['recollection.json']);
    expect(recollections.load()).toEqual({ state: 'loaded', value: { text: 'x' } });
  });
});

describe('what cannot be believed', () => {
  it.each([
    ['half a document', '{"text": "o'],
    ['nothing at all', ''],
    ['another shape', '{"words": []}'],
    ['another type', 'null'],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x7b, 0x22, 0x74, 0x65, 0x78, 0x74, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    ],
  ])('S57: %s is damaged, kept aside, and empty afterwards', (_, content) => {
    writeFileSync(path(), content);
    const loaded = file().load();
    expect(loaded).toMatchObject({
      state: 'damaged',
      text: expect.stringContaining('kept as note.json.damaged'),
    });
    expect(readFileSync(aside())).toEqual(Buffer.from(content));
    expect(file().load()).toEqual({ state: 'empty' });
    expect(file().save({ text: 'new' })).toEqual({ state: 'saved' });
    expect(existsSync(aside())).toBe(true);
  });

  it('S57: a huge file is refused by its size, unread', () => {
    writeFileSync(path(), '{"text":""}');
    truncateSync(path(), 1024 ** 4);
    expect(file().load()).toMatchObject({
      state: 'damaged',
      text: expect.stringContaining('1099511627776 bytes'),
    });
    expect(statSync(aside()).size).toBe(1024 ** 4);
  });

  it('S57: a value nested so deep that the check overflows is damaged, not a crash', () => {
    const depth = (value: unknown): number => (Array.isArray(value) ? 1 + depth(value[0]) : 0);
    const deep = (value: unknown): value is unknown => depth(value) > 0;
    writeFileSync(path(), `${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const nested = createJsonFile({ folder, name: 'note.json', maxBytes: 1e6, isValid: deep });
    expect(nested.load()).toMatchObject({ state: 'damaged' });
  });

  it('S55: a symbolic link is not followed, by load or by save', () => {
    const target = join(folder, 'target');
    writeFileSync(target, '{"text":"planted"}');
    symlinkSync(target, path());
    expect(file().save({ text: 'mine' })).toEqual({ state: 'saved' });
    expect(lstatSync(path()).isFile()).toBe(true);
    rmSync(path());
    symlinkSync(target, path());
    expect(file().load()).toMatchObject({ state: 'damaged', text: expect.stringContaining('symbolic link') });
    expect(lstatSync(aside()).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('{"text":"planted"}');
  });

  it('S55: a folder or a fifo in its place is damaged and moved aside, without waiting', () => {
    mkdirSync(path());
    expect(file().load()).toMatchObject({
      state: 'damaged',
      text: expect.stringContaining('not a regular file'),
    });
    rmSync(aside(), { recursive: true });
    execFileSync('mkfifo', [path()]);
    expect(file().load()).toMatchObject({ state: 'damaged' });
    expect(file().load()).toEqual({ state: 'empty' });
  });

  it.runIf(process.getuid?.() === 0)('S55: a file that another user left in the folder is damaged', () => {
    writeFileSync(path(), '{"text":"planted"}');
    chownSync(path(), 12345, 12345);
    expect(file().load()).toMatchObject({ state: 'damaged', text: expect.stringContaining('user 12345') });
  });

  it('leaves alone what another command saved while it looked', () => {
    writeFileSync(path(), '{"text":"bad"}');
    const isGood = (value: unknown): value is Note => {
      // Removing first could hand the same inode on; a save never does.
      file().save({ text: 'good' });
      return isNote(value) && value.text !== 'bad';
    };
    const loaded = createJsonFile({ folder, name: 'note.json', maxBytes: 1000, isValid: isGood }).load();
    expect(loaded).toMatchObject({ state: 'damaged', text: expect.stringContaining('replaced meanwhile') });
    expect(file().load()).toEqual({ state: 'loaded', value: { text: 'good' } });
  });

  it('says so when it cannot be moved aside', () => {
    writeFileSync(path(), 'half');
    mkdirSync(join(aside(), 'full'), { recursive: true });
    expect(file().load()).toMatchObject({
      state: 'damaged',
      text: expect.stringContaining('left where it is'),
    });
  });
});

describe('failing to save', () => {
  it('refuses a value that could not be loaded again, and keeps the old one', () => {
    file().save({ text: 'old' });
    expect(file().save({ text: 'x'.repeat(2000) })).toMatchObject({ state: 'failed' });
    expect(file().load()).toEqual({ state: 'loaded', value: { text: 'old' } });
  });

  it('S36: a folder that is gone is a failure, not a throw', () => {
    rmSync(folder, { recursive: true });
    expect(file().save({ text: 'x' })).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('ENOENT'),
    });
  });

  it('leaves no temporary file when the last step fails', () => {
    mkdirSync(path());
    expect(file().save({ text: 'x' })).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('EISDIR'),
    });
    expect(readdirSync(folder)).toEqual(['note.json']);
  });

  const saveTwice = `
    const fs = await import('node:fs');
    const file = state.createJsonFile({ folder: args[0], name: 'note.json', maxBytes: 1e6, isValid: () => true });
    const before = file.load();
    const saved = file.save({ text: 'x'.repeat(200_000) });
    console.log(JSON.stringify({ before, saved, after: file.load(), left: fs.readdirSync(args[0]) }));`;
  const old = { state: 'loaded', value: { text: 'old' } };
  const untouched = (code: string) => ({
    before: old,
    saved: { state: 'failed', text: expect.stringContaining(code) },
    after: old,
    left: ['note.json'],
  });

  it('S36: a write that fails half way keeps the old value and leaves nothing behind', () => {
    file().save({ text: 'old' });
    expect(ownProcess.run([], 'ulimit -f 8', saveTwice, folder)).toEqual(untouched('EFBIG'));
  });

  it.runIf(hasPrivateMounts)('S36: a full file system keeps the old value and leaves nothing behind', () => {
    const mount = `mount -t tmpfs -o size=64k none '${folder}'; printf '{"text":"old"}' > '${path()}'`;
    expect(ownProcess.run(PRIVATE_MOUNTS, mount, saveTwice, folder)).toEqual(untouched('ENOSPC'));
  });

  it.runIf(hasPrivateMounts)('S36: a read-only file system keeps the old value', () => {
    const mount = `mount -t tmpfs none '${folder}'; printf '{"text":"old"}' > '${path()}'; mount -o remount,ro none '${folder}'`;
    expect(ownProcess.run(PRIVATE_MOUNTS, mount, saveTwice, folder)).toEqual(untouched('EROFS'));
  });

  it('S36: a folder that may not be written to is a failure', () => {
    file().save({ text: 'old' });
    chmodSync(folder, 0o500);
    // Root may write everywhere, unless it gives up its capabilities.
    const asAnyone = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
    const outcome = ownProcess.run(asAnyone, '', saveTwice, folder);
    chmodSync(folder, 0o700);
    expect(outcome).toEqual(untouched('EACCES'));
  });
});
