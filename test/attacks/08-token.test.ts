import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, DaemonUnreachable } from '../../src/client/index.ts';
import { apiDocumentSchema, upDocumentSchema } from '../../src/contract/daemon-schemas.ts';
import { rollcall } from '../support/command.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;
let squatters: Server[];

beforeEach(async () => {
  tmux = new PrivateTmux('token');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, "it's state"),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  mkdirSync(join(tmux.folder, 'config/rollcall'), { recursive: true });
  writeFileSync(join(tmux.folder, 'config/rollcall/config.json'), '{"daemon":{"port":0}}');
  squatters = [];
  await tmux.session('calm');
});
afterEach(async () => {
  await here('down');
  for (const server of squatters) server.close();
  tmux.stop();
});

const here = (...argv: string[]) => rollcall(['--server', tmux.socketPath, ...argv], env);

async function up() {
  const { stdout } = await here('up', '--json');
  const { pid, url, tokenFile } = v.parse(upDocumentSchema, JSON.parse(stdout)).daemon;
  return { pid: pid ?? 0, url: url ?? '', tokenFile: tokenFile ?? '' };
}

const tokenIn = (file: string) => readFileSync(file, 'utf8').trim();

function statusWith(url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` };
    const asking = request(`${url}/v1/roll`, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on('error', reject).end();
  });
}

/** A program that listens where a daemon was, and everything that it is sent. */
async function squat(port = 0): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((asked, answer) => {
    heard.push(asked.headers.authorization ?? '');
    answer.end('{}');
  });
  squatters.push(server);
  // The port of a process that was killed is free a moment after it is gone.
  await until('the port is taken', () => {
    return new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

describe('the token', () => {
  it('is another one after every start, and the earlier one opens nothing', async () => {
    const first = await up();
    const old = tokenIn(first.tokenFile);
    expect(await statusWith(first.url, old)).toBe(200);
    await here('down');
    const second = await up();
    const token = tokenIn(second.tokenFile);
    expect(token).not.toBe(old);
    expect([await statusWith(second.url, old), await statusWith(second.url, token)]).toEqual([401, 200]);
    // A client reads the file at each call, so it goes on with the next daemon.
    expect((await createClient(second).roll()).sessions).toHaveLength(1);
  });

  it('is sent neither to a port that the daemon does not name, nor to whoever took that of a killed one', async () => {
    const daemon = await up();
    const beside = await squat();
    const astray = createClient({ url: beside.url, tokenFile: daemon.tokenFile });
    await expect(astray.roll()).rejects.toThrow('the token is not sent to');
    process.kill(daemon.pid, 'SIGKILL');
    const instead = await squat(Number(new URL(daemon.url).port));
    await expect(createClient(daemon).roll()).rejects.toBeInstanceOf(DaemonUnreachable);
    expect([beside.heard, instead.heard]).toEqual([[], []]);
  });
});

describe('rollcall api', () => {
  it('prints calls through the socket, without a token, and only while a daemon runs', async () => {
    expect(await here('api')).toMatchObject({ exitCode: 9, stdout: '' });
    const { tokenFile } = await up();
    const { stdout } = await here('api', 'roll');
    expect(stdout).toMatch(
      /^curl .*--unix-socket '.*it'\\''s state.*rollcall\.sock' http:\/\/localhost\/v1\/roll\n$/,
    );
    const { calls } = v.parse(apiDocumentSchema, JSON.parse((await here('api', '--json')).stdout));
    expect(calls.map(({ route }) => route)).toContain('metrics');
    const all = await here('api');
    for (const text of [stdout, JSON.stringify(calls), all.stdout]) {
      expect(text).not.toContain(tokenIn(tokenFile));
      expect(text).not.toContain('127.0.0.1');
    }
    expect((await here('api', 'nowhere')).exitCode).toBe(2);
    await here('down');
    expect((await here('api', 'roll')).exitCode).toBe(9);
  });
});
