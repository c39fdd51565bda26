import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStartsFolder } from '../../../src/adapters/starts/starts-folder.ts';
import { startsIn } from '../../../src/compose/look/ends.ts';
import { findProgram } from '../../../src/compose/system/find-program.ts';
import { MAX_START_BYTES, type Start } from '../../../src/core/sight/start.ts';

const START: Start = {
  ...{ run: 'w-1', program: '/bin/sh', argv: ['sh', '--key', 'k'], cwd: '/' },
  ...{ env: { TOKEN: 't\n' }, isClean: false, remain: false },
};

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'starts-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

describe('how something was started', () => {
  it('is kept for its user alone, and read as it was', () => {
    const folder = join(state, 'starts');
    const starts = createStartsFolder(folder);
    expect([starts.all(), starts.of('w-1')]).toEqual([[], null]);
    starts.keep(START);
    expect(starts.of('w-1')).toEqual(START);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'w-1.json')).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(starts.all()).toEqual([{ run: 'w-1', keptAt: expect.any(Number) }]);
    starts.drop('w-1');
    starts.drop('w-1');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not believed of another run, through a link, or half written', () => {
    const folder = join(state, 'starts');
    const starts = createStartsFolder(folder);
    starts.keep(START);
    mkdirSync(join(folder, 'd.json'));
    symlinkSync(join(folder, 'w-1.json'), join(folder, 'link.json'));
    writeFileSync(join(folder, 'half.json'), '{"run":"half"');
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...START }));
    for (const run of ['d', 'link', 'half', 'other', '../starts/w-1', '']) expect(starts.of(run)).toBeNull();
    starts.drop('../starts/w-1');
    expect(starts.of('w-1')).not.toBeNull();
  });

  it('is refused where it could not be read again, with nothing left behind', () => {
    const starts = createStartsFolder(join(state, 'starts'));
    expect(() => starts.keep({ ...START, run: '../x' })).toThrow('not the word of a run');
    expect(() => starts.keep({ ...START, argv: ['x'.repeat(MAX_START_BYTES)] })).toThrow('over');
    expect(existsSync(join(state, 'starts'))).toBe(false);
  });

  it('cannot be kept where the state folder is refused', () => {
    const starts = startsIn({ state: 'refused', path: '/x', text: 'it is not yours', hint: 'look' });
    expect(() => starts.keep(START)).toThrow('it is not yours; look');
    starts.drop('w-1');
    expect([starts.of('w-1'), starts.all()]).toEqual([null, []]);
  });
});

describe('the program that a word starts', () => {
  it('is found by its path, from its folder, and on a PATH; never where somebody stands', () => {
    const program = join(state, 'tool');
    writeFileSync(program, '', { mode: 0o755 });
    writeFileSync(join(state, 'text'), '', { mode: 0o644 });
    expect(findProgram(program, '/', undefined)).toBe(program);
    expect(findProgram('./tool', state, '/bin')).toBe(program);
    expect(findProgram('tool', '/', `/nowhere:${state}`)).toBe(program);
    expect(findProgram('tool', state, `:.:${relative(process.cwd(), state)}`)).toBeNull();
    expect(findProgram('text', '/', state)).toBeNull();
    expect(findProgram(state, '/', '')).toBeNull();
    expect(findProgram('tool', '/', undefined)).toBeNull();
  });
});
