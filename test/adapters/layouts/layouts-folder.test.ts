import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { createLayoutsFolder } from '../../../src/adapters/layouts/layouts-folder.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { type Layout, layoutText, MAX_LAYOUT_BYTES } from '../../../src/core/layout/layout.ts';

const KEY = 'm.b.7.70.s1.1800000000';
const layout = (over: Partial<Layout> = {}): Layout => ({
  ...{
    key: KEY,
    at: 1,
    print: 'p',
    document: readKept({ session: { key: KEY }, panes: [{ paneId: '%1' }] }),
  },
  ...over,
});

const test = base.extend<{ folder: string }>({
  folder: async ({ task: _ }, use) => {
    const room = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'layouts-'));
    await use(join(room, 'layouts'));
    rmSync(room, { recursive: true });
  },
});

describe('the folder of layouts', () => {
  test('keeps each in a private file, the last one, and lets go of it', ({ folder }) => {
    const layouts = createLayoutsFolder(folder);
    expect([layouts.of(KEY), layouts.all()]).toEqual([{ state: 'absent' }, []]);
    layouts.keep(layout());
    layouts.keep(layout({ at: 2 }));
    expect(layouts.of(KEY)).toEqual({ state: 'read', layout: layout({ at: 2 }) });
    expect(layouts.all()).toMatchObject([{ key: KEY }]);
    expect(readdirSync(folder)).toEqual([`${KEY}.json`]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, `${KEY}.json`)).mode & 0o777).toBe(0o600);
    layouts.drop(KEY);
    expect(layouts.of(KEY)).toEqual({ state: 'absent' });
  });

  test('refuses what is not whole, of another session, or no file of its own, and says so', ({ folder }) => {
    const layouts = createLayoutsFolder(folder);
    mkdirSync(folder);
    const path = join(folder, `${KEY}.json`);
    for (const text of ['', '{', layoutText(layout({ key: 'other' }))]) {
      writeFileSync(path, text);
      expect(layouts.of(KEY)).toEqual({ state: 'refused', text: `${path}: it is not whole` });
    }
    rmSync(path);
    symlinkSync('/etc/passwd', path);
    expect(layouts.of(KEY)).toMatchObject({ state: 'refused' });
    rmSync(path);
    mkdirSync(path);
    expect(layouts.of(KEY)).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('not a regular file'),
    });
  });

  test('takes no key that leads out of it, and nothing that is too long', ({ folder }) => {
    const layouts = createLayoutsFolder(folder);
    expect(() => layouts.keep(layout({ key: '../out' }))).toThrow('not the key of a session');
    expect(layouts.of('../out')).toEqual({ state: 'absent' });
    layouts.drop('../out');
    expect(() => layouts.keep(layout({ print: 'x'.repeat(MAX_LAYOUT_BYTES) }))).toThrow('bytes');
    expect(layouts.all()).toEqual([]);
  });
});
