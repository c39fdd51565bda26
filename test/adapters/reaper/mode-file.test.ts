import { mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModeFile, noModes } from '../../../src/adapters/reaper/mode-file.ts';

const folderOf = () => mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'mode-'));
const breaker = { at: 5, code: 'failed', text: 'it stayed', session: { key: 'k', name: 'a' } };

describe('the mode', () => {
  it('is shadow until somebody says otherwise, and kept', () => {
    const folder = folderOf();
    expect(createModeFile(folder).read()).toEqual({
      mode: 'shadow',
      breaker: null,
      stamp: '',
      problem: null,
    });
    expect(createModeFile(folder).set('enforce')).toBeNull();
    expect(createModeFile(folder).read()).toMatchObject({ mode: 'enforce', breaker: null, problem: null });
    expect(statSync(join(folder, 'reaper.json')).mode & 0o777).toBe(0o600);
  });

  it('stays as it was asked for when the breaker trips; whoever sets it resets the breaker', () => {
    const modes = createModeFile(folderOf());
    modes.set('enforce');
    const { stamp } = modes.read();
    expect(modes.trip({ ...breaker, text: 'a\u001b[31m' })).toBeNull();
    expect(modes.read()).toEqual({
      mode: 'enforce',
      stamp,
      problem: null,
      breaker: { ...breaker, text: 'a\\e[31m' },
    });
    modes.trip({ ...breaker, session: null });
    expect(modes.read().breaker).toMatchObject({ session: null });
    modes.set('enforce');
    expect(modes.read()).toMatchObject({ mode: 'enforce', breaker: null });
    expect(modes.read().stamp).not.toBe(stamp);
  });

  it.each([
    ['garbage', '{"format":1,"mode":"enforce"'],
    ['another format', '{"format":2,"mode":"enforce","stamp":"x","breaker":null}'],
    ['no such mode', '{"format":1,"mode":"kill","stamp":"x","breaker":null}'],
    ['a breaker that is none', '{"format":1,"mode":"enforce","stamp":"x","breaker":{"at":"x"}}'],
    [
      'a breaker of nobody',
      '{"format":1,"mode":"enforce","stamp":"x","breaker":{"at":1,"code":"c","text":"t","session":{}}}',
    ],
    ['no word on the breaker', '{"format":1,"mode":"enforce","stamp":"x"}'],
    ['nothing', ''],
    ['null', 'null'],
    ['too much', ' '.repeat(100_000)],
  ])('S36: %s in its file is shadow, never enforce', (_, text) => {
    const folder = folderOf();
    writeFileSync(join(folder, 'reaper.json'), text);
    const { mode, problem } = createModeFile(folder).read();
    expect(mode).toBe('shadow');
    expect(problem).toContain('reaper.json');
    expect(createModeFile(folder).set('enforce')).toBeNull();
    expect(createModeFile(folder).read().mode).toBe('enforce');
  });

  it('S55: a link or a folder in its place is not followed', () => {
    const folder = folderOf();
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '{"format":1,"mode":"enforce","stamp":"x","breaker":null}');
    symlinkSync(elsewhere, join(folder, 'reaper.json'));
    expect(createModeFile(folder).read()).toMatchObject({ mode: 'shadow', problem: expect.any(String) });
    const other = folderOf();
    mkdirSync(join(other, 'reaper.json'));
    expect(createModeFile(other).read()).toMatchObject({ mode: 'shadow', problem: expect.any(String) });
    expect(createModeFile(other).set('enforce')).toContain('reaper.json');
    symlinkSync(elsewhere, join(other, 'reaper.json.tmp'));
    expect(createModeFile(other).set('off')).toContain('reaper.json');
    expect(readFileSync(elsewhere, 'utf8')).toContain('enforce');
  });

  it('says why it cannot be kept', () => {
    const modes = createModeFile(join(folderOf(), 'missing'));
    expect(modes.set('enforce')).toContain('reaper.json');
    expect(modes.trip(breaker)).toContain('reaper.json');
    expect(modes.read().mode).toBe('shadow');
    const none = noModes('the state folder is refused');
    expect(none.set('enforce')).toBe('the state folder is refused');
    expect(none.trip(breaker)).toBe('the state folder is refused');
    expect(none.read()).toMatchObject({ mode: 'shadow', problem: 'the state folder is refused' });
  });
});
