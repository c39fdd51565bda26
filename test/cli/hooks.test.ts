import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hooksChangeDocumentSchema, hooksStatusDocumentSchema } from '../../src/contract/document-schemas.ts';
import type { HookApplied } from '../../src/ports/hook-config.ts';
import { HookRoom } from '../adapters/hook-config/hook-room.ts';
import { run } from './fake-outside.ts';

let room: HookRoom;
beforeEach(() => {
  room = new HookRoom();
});
afterEach(() => room.remove());

const USER = '{\n  "model": "opus"\n}\n';

interface At {
  readonly answer?: string;
  readonly isTTY?: boolean;
  readonly cwd?: string;
}

const hooks = (argv: string[], { answer, isTTY = answer !== undefined, cwd = room.project }: At = {}) =>
  run(['hooks', ...argv], {
    isTTY,
    cwd,
    columns: isTTY ? 300 : null,
    hookConfig: async (_, folder) => room.config({ cwd: folder }),
    stdin: {
      isTTY: answer !== undefined,
      setRawMode: () => {},
      onText: (listener) => {
        setTimeout(() => listener(answer ?? ''), 0);
        return () => {};
      },
    },
  });

describe('rollcall hooks install', () => {
  it('shows the changes, asks, and writes after a yes', async () => {
    room.write(room.claude, USER);
    const { exitCode, stdout } = await hooks(['install', 'claude', '--no-color'], { answer: 'y\n' });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`--- ${room.claude}\n+++ ${room.claude}\n@@ -1,3 +1,7 @@\n`);
    expect(stdout).toContain('-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {\n');
    expect(stdout).toContain('Write this? [y/N] ');
    expect(stdout).toMatch(/a new file of \d+ lines, written by rollcall/);
    expect(stdout).toMatch(/The file as it was: /);
    expect(room.read(room.claude)).toContain('/rollcall/hook.sh');
  });

  it.each(['n\n', '\n', 'yesterday\n', 'q\r'])('writes nothing after %j, with exit 3', async (answer) => {
    room.write(room.claude, USER);
    const { exitCode, stderr } = await hooks(['install', 'claude'], { answer });
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: 'rollcall: nothing was changed\n' });
    expect(room.read(room.claude)).toBe(USER);
    expect(existsSync(room.script)).toBe(false);
  });

  it.each([[[]], [['--json']]])('needs --yes where nobody can be asked: %j', async (more) => {
    const { exitCode } = await hooks(['install', 'claude', ...more]);
    expect(exitCode).toBe(2);
    expect(existsSync(room.claude)).toBe(false);
  });

  it('does not ask in the middle of a document', async () => {
    const { exitCode, stdout } = await hooks(['install', 'claude', '--json'], { answer: 'y\n' });
    expect({ exitCode, error: JSON.parse(stdout).error.code }).toEqual({ exitCode: 2, error: 'usage' });
  });

  it('asks nobody when there is nothing to do, and says so', async () => {
    await hooks(['install', 'claude', '--yes']);
    const { exitCode, stdout } = await hooks(['install', 'claude']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `claude   already installed in ${room.claude}\n`,
    });
  });

  it('writes nothing with --dry-run, not even the folder for events', async () => {
    const { exitCode, stdout } = await hooks(['install', 'codex', '--dry-run', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('--- /dev/null');
    expect(stdout).toContain('would be installed');
    expect(stdout).toMatch(/Nothing was written\.\n$/);
    for (const path of [room.codex, room.script, room.spool]) expect(existsSync(path)).toBe(false);
  });

  it('colours only on a terminal', async () => {
    expect((await hooks(['install', 'codex', '--dry-run'])).stdout).not.toContain('\u001b[');
    expect((await hooks(['install', 'codex', '--dry-run'], { isTTY: true })).stdout).toContain('\u001b[32m+');
  });

  it('without names takes the agents that are in use, and says when there is none', async () => {
    expect(await hooks(['install', '--yes'])).toMatchObject({ exitCode: 4 });
    room.write(join(room.home, '.codex/config.toml'), '');
    const { stdout } = await hooks(['install', '--yes']);
    expect(stdout).toContain('Codex asks you to review');
    expect(existsSync(room.codex)).toBe(true);
    expect(existsSync(room.claude)).toBe(false);
  });

  it('names every file that cannot be edited, and what to do', async () => {
    room.write(room.claude, '{\n  "hooks": []\n}\n');
    room.write(room.gemini, '{');
    const { exitCode, stderr } = await hooks(['install', 'claude', 'codex', 'gemini', '--yes']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      `nothing was changed: ${room.claude}: "hooks" is not an object (line 2, column 3)`,
    );
    expect(stderr).toContain(`${room.gemini}: `);
    expect(stderr).toContain('hint: ');
    expect(existsSync(room.codex)).toBe(false);
  });

  it('is a document under --json', async () => {
    room.write(room.claude, USER);
    const { stdout } = await hooks(['install', 'claude', 'opencode', '--yes', '--json']);
    const document = v.parse(hooksChangeDocumentSchema, JSON.parse(stdout));
    expect(document).toEqual(JSON.parse(stdout));
    expect(document).toMatchObject({ action: 'install', scope: 'user', isDryRun: false });
    expect(document.agents.map(({ agent, outcome }) => [agent, outcome])).toEqual([
      ['claude', 'installed'],
      ['opencode', 'installed'],
    ]);
    expect(document.files.map(({ change, isOwn }) => [change, isOwn])).toEqual([
      ['changed', false],
      ['created', true],
      ['created', true],
    ]);
    expect(document.files[0]?.diff).toContain('+  "model": "opus",');
    expect(document.backups).toHaveLength(1);
  });

  it('knows no other agents', async () => {
    const { exitCode, stderr } = await hooks(['install', 'claud']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('did you mean claude?'),
    });
  });

  it('takes --project as the repository around the current folder', async () => {
    room.write(join(room.project, 'deep/er/file'), '');
    await hooks(['install', 'claude', '--project', '--yes'], { cwd: join(room.project, 'deep/er') });
    expect(existsSync(join(room.project, '.claude/settings.local.json'))).toBe(true);
    const { exitCode } = await hooks(['install', 'claude', '--project', '--yes'], { cwd: room.home });
    expect(exitCode).toBe(3);
  });
});

describe('rollcall hooks install and others', () => {
  it('says where a link leads, and follows none out of a repository without --follow-links', async () => {
    const target = room.write(join(room.home, 'elsewhere/settings.local.json'), USER);
    symlinkSync(join(room.home, 'elsewhere'), join(room.project, '.claude'));
    const argv = ['install', 'claude', '--project', '--yes'];
    const refused = await hooks(argv);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain(`a link leads out of the repository, to ${target}`);
    expect(refused.stderr).toContain('--follow-links');
    expect(room.read(target)).toBe(USER);
    const { exitCode, stdout } = await hooks([...argv, '--follow-links']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`leads to ${target}: that is written[^]*^---`, 'm'));
    expect(room.read(target)).toContain('hook.sh');
  });

  it('names what somebody wrote at the same time, whether it was done or not', async () => {
    const kept = [{ file: room.claude, backup: "/state/it's kept" }];
    const problem = { file: room.claude, line: null, text: 'it has changed', hint: 'try again' };
    const done = { state: 'done', backups: [], kept } as const;
    const failed = { state: 'failed', written: [], backups: [], kept, problem } as const;
    const asked = (applied: HookApplied) =>
      run(['hooks', 'install', 'claude', '--yes'], {
        hookConfig: async () => ({ ...room.config(), apply: () => applied }),
      });
    const { stdout } = await asked(done);
    expect(stdout).toContain(`Somebody wrote to ${room.claude} at the same time.`);
    expect(stdout).toContain(`diff '/state/it'\\''s kept' '${room.claude}'`);
    const { exitCode, stderr } = await asked(failed);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("see /state/it's kept");
  });
});

describe('rollcall hooks remove', () => {
  it('without names takes all of them out, and says what was there', async () => {
    room.write(room.claude, USER);
    await hooks(['install', 'claude', 'opencode', '--yes']);
    const { exitCode, stdout } = await hooks(['remove', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`hooks removed from ${room.claude}`);
    expect(stdout).toContain(`no hooks of rollcall in ${room.gemini}`);
    expect(room.read(room.claude)).toBe(USER);
    expect(existsSync(room.opencode)).toBe(false);
  });
});

describe('rollcall hooks status', () => {
  it('tells each agent, in each scope', async () => {
    await hooks(['install', 'codex', '--yes']);
    const { exitCode, stdout } = await hooks(['status']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `codex    user     installed\n         ${room.codex}\n         Told: Interrupt Stop\n`,
    );
    expect(stdout).toContain('Not reviewed in Codex yet');
    expect(stdout).toContain('opencode project  not installed\n');
    expect(stdout).not.toContain('to mend that');
  });

  it('says how to mend what is wanting', async () => {
    await hooks(['install', 'claude', '--yes']);
    room.write(room.script, 'other', 0o755);
    expect((await hooks(['status', 'claude'])).stdout).toMatch(
      /outdated[\s\S]*Run rollcall hooks install to mend that\.\n$/,
    );
  });

  it('is a document under --json, of the project alone with --project', async () => {
    const { stdout } = await hooks(['status', 'codex', 'gemini', '--project', '--json']);
    const document = v.parse(hooksStatusDocumentSchema, JSON.parse(stdout));
    expect(document).toEqual(JSON.parse(stdout));
    expect(document.hooks.map(({ agent, scope }) => `${agent} ${scope}`)).toEqual([
      'codex project',
      'gemini project',
    ]);
    expect((await hooks(['status', '--project'], { cwd: room.home })).exitCode).toBe(4);
  });

  it.each([60, 100])('fits a terminal of %i columns', async (columns) => {
    await hooks(['install', 'claude', '--yes']);
    const { stdout } = await run(['hooks', 'status', '--no-color'], {
      ...{ isTTY: true, columns, cwd: room.project },
      hookConfig: async () => room.config(),
    });
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
  });
});
