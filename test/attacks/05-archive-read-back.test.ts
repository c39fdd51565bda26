import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createArchive } from '../../src/adapters/archive/archive.ts';
import { writeFolder, writeInto } from '../../src/adapters/archive/write-folder.ts';
import { readKept } from '../../src/core/close/kept-document.ts';
import type { ProcessDetails } from '../../src/core/sight/process.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { lives } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MEGABYTE = 1024 * 1024;

describe('an archive that nobody could read back', () => {
  it('is not written, whatever part of it is too much, and says so before anything is on the disk', () => {
    const archive = createArchive({ folder });
    const document = readKept({ argv: ['x'.repeat(21 * MEGABYTE)] });
    expect(archive.write('one', { document, histories: new Map() })).toMatchObject({
      state: 'failed',
      text: expect.stringMatching(/session\.json would have \d+ bytes/),
      hint: expect.stringContaining('nothing was closed'),
    });
    const histories = new Map([['%0', 'x'.repeat(65 * MEGABYTE)]]);
    expect(archive.write('two', { document: readKept({}), histories })).toMatchObject({ state: 'failed' });
    archive.write('three', { document: readKept({}), histories: new Map([['%0', '']]) });
    expect(archive.add('three', '%0', 'x'.repeat(65 * MEGABYTE))).toMatchObject({ state: 'failed' });
    expect(readdirSync(join(folder, 'archive'))).toEqual(['three']);
    expect(readdirSync(join(folder, 'archive', 'three')).sort()).toEqual(['pane-0.txt', 'session.json']);
  });

  it('never gets its name: what is read back differs, and nothing is left of it', () => {
    const differs = () => {
      throw new Error('not what was written');
    };
    expect(() => writeFolder(folder, 'one', new Map([['a', 'text']]), differs)).toThrow('not what');
    expect(() => writeInto(folder, '.', 'a', 'text', differs)).toThrow('not what');
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** The same hands, whose processes all have command lines of that many megabytes. */
function withLongArguments(
  hands: Hands,
  megabytes: number,
  isLong: (argv: readonly string[]) => boolean,
): Hands {
  const words = ['x'.repeat(megabytes * MEGABYTE)];
  const lengthen = (one: ProcessDetails): ProcessDetails =>
    isLong(one.argv) ? { ...one, argv: [...one.argv, ...words] } : one;
  const details: Hands['processes']['details'] = (processes, needs) =>
    new Map([...hands.processes.details(processes, needs)].map(([pid, one]) => [pid, lengthen(one)]));
  return { ...hands, processes: { ...hands.processes, details } };
}

describe('a session with 21 MB of command lines', () => {
  test('is closed, and its archive can be read back', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves', 'exit');
    const isShell = (argv: readonly string[]) => argv[1] === '-c';
    const result = await room.close(withLongArguments(hands, 21, isShell), 'worker');
    if (result.state !== 'closed') throw new Error(JSON.stringify(result).slice(0, 1000));
    const read = hands.archive.read(String(result.receipt.receipt));
    if (read.state !== 'read') throw new Error(JSON.stringify(read));
    expect(read.document.cut).toEqual(['arguments of other processes']);
    expect(JSON.stringify(read.document)).toContain('talk-worker');
  });

  test('whose agent alone has too much is refused before anything is done', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const result = await room.close(
      withLongArguments(hands, 21, () => true),
      'worker',
    );
    expect(result).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('session.json would have'),
    });
    expect(lives(pid)).toBe(true);
    expect(entriesOf(hands)).toEqual([]);
    expect(existsSync(join(room.state, 'rollcall', 'archive'))).toBe(false);
  });
});
