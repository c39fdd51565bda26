import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actedDocumentSchema } from '../../src/contract/acted-schema.ts';
import { sentinelSchema } from '../../src/contract/guard-schemas.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
let path: string;
/** Other tests may run on this machine, and have sessions of their own. */
let worker: string;

beforeEach(() => {
  tmux = new PrivateTmux('default');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  path = join(tmux.folder, 'sentinel.json');
  worker = `worker-${basename(tmux.folder)}`;
});
afterEach(() => tmux.stop());

/** What only prepares the scene needs no process of its own. */
const inside = (...argv: string[]) => rollcallInside(argv, env);
/** On this server alone: others on this machine may be stopped, and then nobody is called dead by a name. */
const guard = (...argv: string[]) => rollcall(['guard', '--server', tmux.socketPath, ...argv], env);
const started = async (name: string) => {
  const { stdout } = await inside('run', '--json', '--name', name, '--', 'sleep', '1000');
  return v.parse(actedDocumentSchema, JSON.parse(stdout));
};
/** What is dead is told at once; what is not, after this time, to be alive. */
const death = async (...argv: string[]) => {
  rmSync(path, { force: true });
  const ran = await guard('--budget', '20s', '--sentinel', path, ...argv);
  expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
  return v.parse(sentinelSchema, JSON.parse(readFileSync(path, 'utf8')));
};

describe('endings 9: rollcall guard of what the ledger knows', () => {
  test('a session that was killed, and one of several generations of a name', async () => {
    await tmux.session('other');
    for (const _ of ['first', 'second']) {
      await started(worker);
      await tmux.tmux('kill-session', '-t', `=${worker}`);
      expect(await death(worker)).toMatchObject({
        ...{ reason_category: 'infra_failure', recoverable: true, suggested_action: 'restart' },
        cause: 'session-gone',
      });
    }
    // What looks remembered is gone, and the ledger still knows it.
    rmSync(join(tmux.folder, 'state', 'rollcall', 'recollection.json'));
    expect(await death(worker)).toMatchObject({ cause: 'session-gone', panes: [] });
  });

  test('a session whose server was killed, by name and by the pane of it', async () => {
    const { panes, server } = await started(worker);
    process.kill(server.pid, 'SIGKILL');
    await until('it is gone', () => !existsSync(`/proc/${server.pid}`));
    expect(await death(worker)).toMatchObject({ cause: 'server-gone', session: { name: worker } });
    const id = panes[0]?.paneId ?? '';
    expect(await death('--pane', id)).toMatchObject({
      cause: 'server-gone',
      panes: [{ id, state: 'closed' }],
    });
  });

  test('a program that failed, with its status', async () => {
    await tmux.session('other');
    // It lives until it was seen to.
    const go = join(tmux.folder, 'go');
    const script = `while [ ! -e ${go} ]; do sleep 0.05; done; exit 3`;
    expect((await inside('run', '--name', worker, '--', 'sh', '-c', script)).exitCode).toBe(0);
    writeFileSync(go, '');
    await until('it has ended', async () => (await inside('explain', worker)).stdout.includes('status 3'));
    expect((await death(worker)).why).toBe('ended with status 3');
  });

  test('a session that rollcall closed, with the receipt that puts it back', async () => {
    await tmux.session('other');
    await started(worker);
    expect((await inside('close', worker, '--force', '--yes')).exitCode).toBe(0);
    const { cause, why } = await death(worker);
    expect(cause).toBe('session-closed');
    const [, receipt = ''] = /rollcall reopen (\S+) puts it back/.exec(why) ?? [];
    expect((await inside('reopen', receipt)).exitCode).toBe(0);
    expect((await guard('--once', worker)).exitCode).toBe(0);
  });
});
