import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderTasks } from '../../../src/compose/folders/tasks.ts';
import { GitFixture } from '../../adapters/git/git-fixture.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = new GitFixture();
});
afterEach(() => fixture.remove());

it('S39: whoever acts takes nothing that another look saw for what is there now', async () => {
  const root = fixture.pushed();
  const limits = { gitMs: 30_000, parallel: 2, quickMs: 30_000, folderMs: 30_000 };
  const folders = folderTasks(process.env, limits, () => null);
  expect(await folders.git(root, false)).toMatchObject({ dirtyFiles: 0 });
  fixture.write(join(root, 'new'), '');
  expect(await folders.git(root, true)).toMatchObject({ dirtyFiles: 1 });
  fixture.write(join(root, 'newer'), '');
  expect(await folders.git(root, false, true)).toMatchObject({ dirtyFiles: 2 });
});
