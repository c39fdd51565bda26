import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protectionIn } from '../../src/config/broken-project.ts';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { ProjectTree } from './project-tree.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

function loaded(cwd = tree.folder('home/repo')): LoadedConfig {
  const loading = loadConfig({ env: tree.env, cwd });
  if (loading.state === 'broken') throw new Error(JSON.stringify(loading.errors));
  return loading.config;
}

describe('a project file that is wrong in part', () => {
  it('still makes rollcall more careful by what is right in it', () => {
    tree.projectFile({ idleAfter: '9h', protect: ['crew-*'], idleAftr: 'hunter2' });
    const { settings, notices } = loaded();
    expect(settings.policy.idleAfterMs).toBe(9 * 3_600_000);
    expect(settings.protect).toEqual(['crew-*']);
    expect(notices[0]?.text).toContain('idleAftr = … is no setting');
    expect(notices[0]?.hint).toBe('did you mean idleAfter?');
  });

  it('quotes nothing of a file that is no JSON', () => {
    tree.projectFile('hunter2');
    expect(loaded().notices[0]?.text).toMatch(/is not valid JSON; sessions below .*repo are protected$/);
  });
});

describe('sessions of a project whose file is broken', () => {
  it('are those below its folder, also where a link leads to it, and those of which nobody can tell', () => {
    tree.projectFile('{');
    symlinkSync(tree.folder('home/repo'), join(tree.root, 'link'));
    const real = tree.folder('home/repo');
    const { brokenProject } = loaded(join(tree.root, 'link')).settings;
    const isProtected = (...folders: (string | null)[]) => protectionIn(brokenProject, folders) !== undefined;
    expect(isProtected(real)).toBe(true);
    expect(isProtected('/elsewhere', join(real, 'part'))).toBe(true);
    expect(isProtected(join(tree.root, 'link', 'part'))).toBe(true);
    expect(isProtected(null)).toBe(true);
    expect(isProtected(`${real}-of-another`, tree.home)).toBe(false);
    expect(protectionIn(undefined, [real])).toBeUndefined();
  });

  it('are all where the file lies at the root', () => {
    const project = { file: '/.rollcall.json', folders: ['/'], text: 'broken' };
    expect(protectionIn(project, ['/any/where'])).toBe('broken');
  });
});
