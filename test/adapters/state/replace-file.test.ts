import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJsonFile } from '../../../src/adapters/state/json-file.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { until } from '../../support/until.ts';
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

const file = () => createJsonFile<Note>({ folder, name: 'note.json', maxBytes: 1000, isValid: isNote });

describe('writers that died', () => {
  const leftover = (pid: number, ageMs: number) => {
    const name = `note.json.${pid}.0123456789ab.tmp`;
    writeFileSync(join(folder, name), 'half');
    const at = new Date(Date.now() - ageMs);
    utimesSync(join(folder, name), at, at);
    return name;
  };
  const HOUR_MS = 3_600_000;
  // Above every pid_max, so that nobody has it.
  const NOBODY = 4_194_305;

  it('removes their files after an hour, and no others', () => {
    leftover(NOBODY, 2 * HOUR_MS);
    leftover(process.pid, 2 * HOUR_MS);
    const young = leftover(NOBODY + 1, HOUR_MS / 2);
    const alive = leftover(process.ppid, 2 * HOUR_MS);
    const foreign = 'tone.json.4194305.0123456789ab.tmp';
    writeFileSync(join(folder, foreign), '');
    utimesSync(join(folder, foreign), new Date(0), new Date(0));
    expect(file().save({ text: 'x' })).toEqual({ state: 'saved' });
    expect(readdirSync(folder).sort()).toEqual(['note.json', young, alive, foreign].sort());
  });
});

describe('many writers at once', () => {
  const writer = `
    const file = state.createJsonFile({ folder: args[0], name: 'note.json', maxBytes: 1e6, isValid: () => true });
    for (let round = 0; round < Number(args[2]); round += 1) {
      const saved = file.save({ text: args[1].repeat(1000 + 300 * (round % 100)) });
      if (saved.state !== 'saved') throw new Error(saved.text);
    }`;
  /** A torn or mixed file would fail to parse, or hold two letters. */
  const isWhole = (value: unknown): value is Note => isNote(value) && /^(.)\1*$/.test(value.text);
  const reader = () => createJsonFile<Note>({ folder, name: 'note.json', maxBytes: 1e6, isValid: isWhole });

  it('never shows a reader half a file, and the last complete value stays', async () => {
    const writers = [...'abcdef'].map((letter) => ownProcess.start(writer, folder, letter, '150'));
    let finished = 0;
    for (const each of writers) each.on('exit', (code) => (finished += code === 0 ? 1 : Number.NaN));
    const states = new Set<string>();
    await until(
      'all writers are done',
      () => {
        for (let look = 0; look < 20; look += 1) states.add(reader().load().state);
        return finished;
      },
      (count) => count === writers.length || Number.isNaN(count),
      18_000,
    );
    expect(finished).toBe(writers.length);
    expect([...states].filter((state) => state === 'damaged')).toEqual([]);
    expect(states.has('loaded')).toBe(true);
    expect(reader().load().state).toBe('loaded');
    expect(readdirSync(folder)).toEqual(['note.json']);
  });

  it('S50: a writer that is killed at any moment leaves a whole value', async () => {
    for (let round = 0; round < 3; round += 1) {
      const child = ownProcess.start(writer, folder, 'k', '1000000');
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await until('it has saved once', () => reader().load().state === 'loaded');
      child.kill('SIGKILL');
      await ended;
      expect(reader().load().state).toBe('loaded');
    }
  });
});
