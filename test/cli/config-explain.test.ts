import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROLE_SETTINGS } from '../../src/config/role-settings.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';
import { configDocumentSchema } from '../../src/contract/document-schemas.ts';
import { ProjectTree } from '../config/project-tree.ts';
import { run } from './fake-outside.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

const explain = (argv: string[] = [], columns: number | null = null) =>
  run(['config', 'explain', ...argv], { env: tree.env, cwd: tree.folder('home/repo'), columns });

describe('rollcall config explain', () => {
  it('shows each value with its source, bounds, default and reason, and looks at nothing', async () => {
    const own = tree.userFile({ idleAfter: '1h', protect: ['crew-*'] });
    const { exitCode, stdout, composed } = await explain();
    expect({ exitCode, composed }).toEqual({ exitCode: 0, composed: [] });
    expect(stdout).toContain(`read  ${own} (user)\n`);
    expect(stdout).toContain(`idleAfter = 1h  from ${own}\n`);
    expect(stdout).toContain('    Between 1m and 30d, default 45m; a project file may only raise it.\n');
    expect(stdout).toContain('protect = ["crew-*"]');
    for (const [key, { about }] of Object.entries(SETTINGS))
      expect(stdout).toMatch(
        new RegExp(`^${key.replace('.', '\\.')} = [\\s\\S]*Why: ${about.why.slice(0, 20)}`, 'm'),
      );
  });

  it('shows what files say about roles', async () => {
    const own = tree.userFile({ roles: { worker: { onComplete: 'keep', commands: [['npm', 'test']] } } });
    const { stdout } = await explain();
    expect(stdout).toContain(`roles.worker.onComplete = keep  from ${own}\n`);
    expect(stdout).toContain(
      '    One of close-after-idle, retain, keep, default retain; a project file may only raise it.\n',
    );
    expect(stdout).toContain(`roles.worker.commands = [["npm","test"]]  from ${own}\n`);
    expect(stdout).toContain('    At most 20 commands, default []; a project file may not set it.\n');
    expect(stdout).toContain('roles.*.retainFor = 10m  (default)\n');
    const document = JSON.parse((await explain(['--json'])).stdout);
    expect(v.parse(configDocumentSchema, document)).toEqual(document);
  });

  it.each([60, 80, 120])('fits a terminal of %i columns', async (columns) => {
    tree.projectFile({ idleAfter: '5m' });
    const { stdout } = await explain([], columns);
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });

  it('is a document under --json', async () => {
    tree.projectFile({ idleAfter: '5m' });
    const { stdout } = await explain(['--json']);
    const document = JSON.parse(stdout);
    expect(v.parse(configDocumentSchema, document)).toEqual(document);
    expect(document.settings.map(({ key }: { key: string }) => key)).toEqual([
      ...Object.keys(SETTINGS),
      ...Object.keys(ROLE_SETTINGS).map((key) => `roles.*.${key}`),
    ]);
    expect(
      document.files.map(({ via, isPresent }: { via: string; isPresent: boolean }) => [via, isPresent]),
    ).toEqual([
      ['user', false],
      ['project', true],
    ]);
    expect(document.problems).toHaveLength(1);
  });
});
