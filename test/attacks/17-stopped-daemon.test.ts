import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daemonLineSchema, upDocumentSchema } from '../../src/contract/daemon-schemas.ts';
import { statusDocumentSchema } from '../../src/contract/status-schema.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
let pid: number;
let listener: ChildProcess | undefined;

const here = (...argv: string[]) => rollcall(['--server', tmux.socketPath, ...argv], env);

beforeEach(async () => {
  tmux = new PrivateTmux('stopped');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  mkdirSync(join(tmux.folder, 'config/rollcall'), { recursive: true });
  writeFileSync(join(tmux.folder, 'config/rollcall/config.json'), '{"daemon":{"port":0}}');
  await tmux.session('calm');
  pid = v.parse(upDocumentSchema, JSON.parse((await here('up', '--json')).stdout)).daemon.pid ?? 0;
});
afterEach(async () => {
  listener?.kill('SIGKILL');
  process.kill(pid, 'SIGCONT');
  await here('down');
  tmux.stop();
});

const status = async () => v.parse(statusDocumentSchema, JSON.parse((await here('status', '--json')).stdout));

/** `rollcall events --json`, and everything that it prints. */
function listen(): { out: string; err: string } {
  const [program = '', ...words] = ROLLCALL.split(' ');
  const heard = { out: '', err: '' };
  const child = spawn(program, [...words, 'events', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    heard.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.err += text;
  });
  listener = child;
  return heard;
}

describe('a daemon that was stopped', () => {
  it('is told by status with what to do, by events as it happens, and both go on with it', async () => {
    const heard = listen();
    await until('it has made a round', status, ({ supervision }) => supervision !== null);
    await until('it answers', async () => (await status()).answer?.state === 'answers');
    // A change that is heard proves that the listener is there.
    await tmux.session('heard');
    await until('it is heard', () => heard.out.includes('"heard"'));

    process.kill(pid, 'SIGSTOP');
    await until('it stands still', () => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') T '));
    const told = await here('status');
    expect([told.exitCode, told.stdout]).toEqual([
      9,
      expect.stringContaining('not answering since its last round'),
    ]);
    expect(told.stdout).toContain(`kill -CONT ${pid}`);
    expect(told.stdout).not.toContain('next now');
    const { answer } = await status();
    expect(answer).toMatchObject({ state: 'stopped', since: expect.any(Number) });
    await until('events tells it', () =>
      heard.err.includes(`the daemon (pid ${pid}) is not answering since`),
    );
    await until('and what to do', () => heard.err.includes(`kill -CONT ${pid}`));

    process.kill(pid, 'SIGCONT');
    await until('events goes on', () => heard.err.includes('the daemon answers again'));
    await tmux.session('later');
    await until('what happens is heard', () => heard.out.includes('"later"'));
    const answering = () =>
      heard.out
        .split('\n')
        .slice(0, -1)
        .flatMap((line) => (line.includes('"kind":"daemon"') ? [JSON.parse(line)] : []))
        .map((line) => v.parse(daemonLineSchema, line).answering);
    // On a machine with much to do it may fall silent more than once.
    const words = await until('it is told to answer', answering, (all) => all.at(-1) === true);
    expect(words[0]).toBe(false);
    await until('status is content', async () => (await here('status')).exitCode === 0);
  });
});
