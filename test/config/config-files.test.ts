import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConfigPlace, writtenConfig } from '../../src/config/config-files.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ProjectTree } from './project-tree.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

const place = (changes: Partial<ConfigPlace> = {}): ConfigPlace => ({
  env: tree.env,
  cwd: tree.folder('home/repo'),
  ...changes,
});
const understood = (changes: Partial<ConfigPlace> = {}) => {
  const loading = loadConfig(place(changes));
  return loading.state === 'broken' ? 'broken' : loading.config.settings.written;
};

describe('what the config files say, letter by letter', () => {
  it('is the same for whoever understood them and for whoever did not', () => {
    const seen = new Set<string | null>();
    const check = () => {
      expect(writtenConfig(place())).toBe(understood());
      seen.add(writtenConfig(place()));
    };
    check();
    tree.userFile({ idleAfter: '1h' });
    check();
    tree.file('home/repo/.rollcall.json', { idleAfter: '2h' });
    check();
    tree.file('home/repo/.rollcall.json', { idleAfter: '3h' });
    check();
    expect(seen.size).toBe(4);
    expect(seen).not.toContain(null);
  });

  it('tells the user’s file from the project’s', () => {
    tree.userFile({ idleAfter: '1h' });
    const own = writtenConfig(place());
    const other = new ProjectTree();
    other.file('home/repo/.rollcall.json', { idleAfter: '1h' });
    expect(writtenConfig({ env: other.env, cwd: other.folder('home/repo') })).not.toBe(own);
    other.remove();
  });

  it('is nothing where a file has to be there and is not', () => {
    expect(writtenConfig(place({ path: join(tree.home, 'nowhere.json') }))).toBeNull();
    const env = { ...tree.env, ROLLCALL_CONFIG: join(tree.home, 'nowhere.json') };
    expect(writtenConfig(place({ env }))).toBeNull();
  });

  it('is nothing where a project’s file cannot be read', () => {
    symlinkSync('/nowhere/at/all', join(tree.folder('home/repo'), '.rollcall.json'));
    expect(writtenConfig(place())).toBeNull();
    expect(understood()).toBeNull();
  });

  it('is the word of nobody who has more to say about them', () => {
    // A project may only make rollcall more careful: that this was asked for and not done has to be said.
    tree.file('home/repo/.rollcall.json', { idleAfter: '2m' });
    expect(writtenConfig(place())).not.toBeNull();
    expect(understood()).toBeNull();
    writeFileSync(join(tree.folder('home/repo'), '.rollcall.json'), '{ "idleAfter": 1');
    expect(understood()).toBeNull();
  });
});
