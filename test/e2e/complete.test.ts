import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actedDocumentSchema } from '../../src/contract/acted-schema.ts';
import { explainDocumentSchema } from '../../src/contract/document-schemas.ts';
import { logDocumentSchema } from '../../src/contract/ledger-schemas.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  tmux = new PrivateTmux('default');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
});
afterEach(() => tmux.stop());

// Named with its server: rollcall sees those of other tests too, and a name that two sessions have is none.
const here = (command: string, ...argv: string[]) =>
  rollcall([command, '--server', tmux.socketPath, ...argv], env);
/** What only looks needs no process of its own. */
const inside = (command: string, ...argv: string[]) =>
  rollcallInside([command, '--server', tmux.socketPath, ...argv], env);
const log = async () =>
  v.parse(logDocumentSchema, JSON.parse((await inside('log', '--json')).stdout)).entries;
const session = async (name: string) =>
  v.parse(explainDocumentSchema, JSON.parse((await inside('explain', name, '--json')).stdout)).session;

/** Runs rollcall in a pane and tells how it ended there. */
async function inPane(paneId: string, command: string): Promise<{ exitCode: number; text: string }> {
  const file = join(tmux.folder, `ran-${Math.random().toString(36).slice(2)}`);
  const variables = `XDG_STATE_HOME=${env.XDG_STATE_HOME} XDG_CONFIG_HOME=${env.XDG_CONFIG_HOME}`;
  const line = `(export ${variables}; ${command}) > ${file}.out 2>&1; echo $? > ${file}.tmp; mv ${file}.tmp ${file}`;
  await tmux.tmux('send-keys', '-t', paneId, '-l', line);
  await tmux.tmux('send-keys', '-t', paneId, 'Enter');
  const read = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const exitCode = Number(await until('it has ended', read, (text) => text !== ''));
  return { exitCode, text: readFileSync(`${file}.out`, 'utf8') };
}

describe('rollcall complete from inside', () => {
  test('S7: means the session that it runs in, also where another was used last', async () => {
    const mine = await tmux.session('mine');
    await tmux.session('other');
    expect(await inPane(mine.paneId, `${ROLLCALL} complete --evidence pushed`)).toEqual({
      exitCode: 0,
      text: 'mine: declared complete\n',
    });
    const [entry] = await log();
    expect(entry).toMatchObject({
      action: 'complete',
      session: { name: 'mine' },
      body: { outcome: 'done', evidence: ['pushed'], isFromInside: true },
    });
    expect(entry?.session?.key).toBe((await session('mine')).key);
  });

  test('S29: a TMUX_PANE that does not fit the process tree is refused', async () => {
    const mine = await tmux.session('mine');
    const other = await tmux.session('other');
    const refused = await inPane(mine.paneId, `TMUX_PANE='${other.paneId}' ${ROLLCALL} complete`);
    expect(refused).toMatchObject({ exitCode: 3, text: expect.stringContaining('does not run in') });
    const outside = await rollcall(['complete'], {
      ...env,
      TMUX: `${tmux.socketPath},${tmux.serverPid},0`,
      TMUX_PANE: mine.paneId,
    });
    expect(outside.exitCode).toBe(3);
    const earlier = await inPane(mine.paneId, `TMUX='${tmux.socketPath},1,0' ${ROLLCALL} complete`);
    expect(earlier).toMatchObject({ exitCode: 3, text: expect.stringContaining('is gone') });
    expect(await log()).toEqual([]);
  });

  test('S28: what a screen shows is no completion', async () => {
    const mine = await tmux.session('mine');
    await tmux.tmux(
      'send-keys',
      '-t',
      mine.paneId,
      '-l',
      'echo "rollcall complete; Done. mine: declared complete"',
    );
    await tmux.tmux('send-keys', '-t', mine.paneId, 'Enter');
    await until('it is there', async () =>
      (await tmux.tmux('capture-pane', '-p', '-t', mine.paneId)).includes('Done.'),
    );
    expect(JSON.stringify(await session('mine'))).not.toContain('declared-complete');
    expect(await log()).toEqual([]);
  });
});

describe('rollcall complete from outside', () => {
  test('names any session; failed and cancelled schedule nothing', async () => {
    await tmux.session('mine');
    expect(await here('complete', 'mine', '--outcome', 'failed')).toMatchObject({
      exitCode: 0,
      stdout: 'mine: declared failed\n',
    });
    const { stdout } = await here('complete', 'mine', '--json', '--task', 'T-1');
    expect(v.parse(actedDocumentSchema, JSON.parse(stdout))).toMatchObject({
      result: 'completed',
      task: 'T-1',
    });
    expect(await here('complete', 'mine', '--task', 'T-2')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("the task of 'mine' is 'T-1', not 'T-2'"),
    });
    expect(await here('complete', 'mine', '--cancel')).toMatchObject({ exitCode: 0 });
    expect(await here('complete', 'mine', '--cancel')).toMatchObject({
      stdout: 'mine: was not declared complete\n',
    });
    expect((await log()).map(({ action }) => action)).toEqual(['complete', 'complete', 'cancel']);
    expect(await here('complete')).toMatchObject({ exitCode: 2 });
  });

  test('S31: a contract that is not met keeps it active, with what is missing', async () => {
    const project = join(tmux.folder, 'project');
    execFileSync('git', ['init', '-q', project]);
    writeFileSync(join(project, 'draft.txt'), 'unfinished');
    const config = join(tmux.folder, 'config', 'rollcall');
    mkdirSync(config, { recursive: true });
    const worker = { requires: ['clean'], commands: [['test', '-e', 'proof.txt']], commandTimeout: '30s' };
    const patient = { tmux: { timeout: '20s' }, git: { timeout: '20s' } };
    writeFileSync(join(config, 'config.json'), JSON.stringify({ ...patient, roles: { worker } }));
    const ran = await inside('run', '--name', 'mine', '--role', 'worker', '--cwd', project, '--', 'sh');
    expect([ran.stderr, ran.exitCode]).toEqual(['', 0]);
    const refused = await here('complete', 'mine');
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain('1 uncommitted file in');
    expect(refused.stderr).toContain('test -e proof.txt: exit status 1');
    expect((await log()).at(-1)).toMatchObject({
      action: 'complete',
      body: { blockers: [{ code: 'not-clean' }, { code: 'command-failed' }] },
    });
    expect((await session('mine')).lifecycle).toBe('active');

    writeFileSync(join(project, 'proof.txt'), '');
    const git = (...argv: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...argv]);
    git('add', '-A');
    git('commit', '-qm', 'all of it');
    expect(await here('complete', 'mine')).toMatchObject({
      exitCode: 0,
      stdout: 'mine: declared complete\n',
    });
  });
});
