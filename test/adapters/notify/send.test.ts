import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSend } from '../../../src/adapters/notify/create-send.ts';
import { type Notification, testOf } from '../../../src/core/notify/notification.ts';
import type { NotifySink } from '../../../src/core/notify/rule.ts';
import { rule } from '../../core/notify/rounds.ts';
import { until } from '../../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'notify-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HOSTILE = `-e '"$(touch PWNED) \`touch PWNED\`; touch PWNED <b>&amp;</b>`;

function notification(over: Partial<Notification> = {}): Notification {
  return {
    ...testOf('x', 1, 'workshop'),
    ...{ event: 'waiting', title: `${HOSTILE} waits`, text: HOSTILE },
    session: { key: 'k', name: HOSTILE, server: 'default', agent: 'claude', role: null, task: HOSTILE },
    ...over,
  };
}

function script(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Options {
  readonly timeoutMs?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly signal?: AbortSignal;
}

function send(sink: NotifySink, { timeoutMs = 60_000, env = process.env, platform, signal }: Options = {}) {
  const out = createSend({ env, retryAfterMs: 10, ...(platform && { platform }) });
  return out(rule({ name: 'r', sink, timeoutMs }), notification(), signal);
}

const command = (...argv: string[]): NotifySink => ({ kind: 'command', argv });

function processesWith(mark: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isIt = /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark);
      return isIt ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

describe('a command', () => {
  it('S55: gets everything as data, on its input and in its environment, and nothing is run of it', async () => {
    const tell = script(
      'tell',
      `cat > ${folder}/input; env | grep ^ROLLCALL_ > ${folder}/env; echo "$#" > ${folder}/words`,
    );
    expect(await send(command(tell, 'loud $HOME'))).toEqual({
      state: 'sent',
      text: `${tell} ended with status 0`,
    });
    expect(JSON.parse(readFileSync(join(folder, 'input'), 'utf8'))).toEqual({ rule: 'r', ...notification() });
    const env = readFileSync(join(folder, 'env'), 'utf8');
    for (const line of [
      'RULE=r',
      'EVENT=waiting',
      `TEXT=${HOSTILE}`,
      `SESSION=${HOSTILE}`,
      'SESSION_KEY=k',
    ]) {
      expect(env).toContain(`ROLLCALL_${line}\n`);
    }
    for (const line of ['SERVER=default', 'HOST=workshop']) expect(env).toContain(`ROLLCALL_${line}\n`);
    expect(readFileSync(join(folder, 'words'), 'utf8')).toBe('1\n');
    for (const place of [folder, '/', process.cwd()]) expect(existsSync(join(place, 'PWNED'))).toBe(false);
  });

  it('has empty variables where no session is meant', async () => {
    const tell = script(
      'tell',
      `echo "[$ROLLCALL_SESSION][$ROLLCALL_SERVER][$ROLLCALL_SESSION_KEY]" > ${folder}/env`,
    );
    const out = createSend({ env: process.env });
    await out(rule({ sink: command(tell), timeoutMs: 60_000 }), notification({ session: null }));
    expect(readFileSync(join(folder, 'env'), 'utf8')).toBe('[][][]\n');
  });

  it('is ended with all that it started when its time is up', async () => {
    const mark = `hang-${process.pid}-${Math.random()}`;
    const hang = script('hang', `sh -c 'sleep 600 # ${mark}' & echo begun; sleep 600 # ${mark}`);
    // A busy machine may need longer until it has begun.
    let timeoutMs = 150;
    const ended = () => {
      timeoutMs *= 2;
      return send(command(hang, mark), { timeoutMs });
    };
    expect(await until('it had begun', ended, ({ text }) => text.endsWith('begun'))).toEqual({
      state: 'failed',
      text: `${hang} took longer than ${timeoutMs} ms and was ended: begun`,
    });
    await until(
      'nothing of it is left',
      () => processesWith(mark),
      (pids) => pids.length === 0,
    );
  });

  it('is ended with rollcall, and not begun after', async () => {
    const ending = new AbortController();
    const marker = join(folder, 'begun');
    const hang = script('hang', `touch ${marker}; sleep 600`);
    const sending = send(command(hang), { signal: ending.signal });
    await until('it runs', () => existsSync(marker));
    ending.abort();
    expect(await sending).toEqual({ state: 'failed', text: `${hang} was ended with rollcall` });
    expect(await send(command(hang), { signal: ending.signal })).toMatchObject({ state: 'failed' });
  });

  it('does not keep rollcall by what it leaves running, and is left what it started', async () => {
    const mark = `stays-${process.pid}-${Math.random()}`;
    const tell = script('tell', `sh -c 'sleep 600; : ${mark}' & exit 0`);
    expect(await send(command(tell, mark))).toMatchObject({ state: 'sent' });
    // In the middle of an exec it has no words.
    const left = await until(
      'it is left running',
      () => processesWith(mark),
      (pids) => pids.length > 0,
    );
    for (const pid of left) process.kill(pid, 'SIGKILL');
  });

  it('S54, S57: says how it failed, in the last and safe words of what it wrote', async () => {
    const loud = script(
      'loud',
      `head -c 10000000 /dev/zero | tr '\\0' x; printf '\\033]0;t\\007no route' >&2; exit 3`,
    );
    const delivery = await send(command(loud));
    expect(delivery).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('ended with status 3: '),
    });
    expect(delivery.text.length).toBeLessThan(900);
    expect(delivery.text).not.toContain('\u001b');
    expect(await send(command(script('mute', 'exit 4')))).toMatchObject({
      text: `${folder}/mute ended with status 4`,
    });
    expect(await send(command(script('dead', 'kill -9 $$')))).toMatchObject({
      text: `${folder}/dead was ended by SIGKILL`,
    });
  });

  it('that does not read its input is fine', async () => {
    const session = {
      key: 'k',
      name: 'a',
      server: null,
      agent: null,
      role: null,
      task: 'x'.repeat(1_000_000),
    };
    const out = createSend({ env: process.env });
    const told = await out(rule({ sink: command('true'), timeoutMs: 60_000 }), notification({ session }));
    expect(told).toMatchObject({ state: 'sent' });
  });

  it('that is not there, or no program, is a problem and not a failure of rollcall', async () => {
    expect(await send(command(join(folder, 'nothing')))).toEqual({
      state: 'failed',
      text: `there is no program ${folder}/nothing`,
      hint: 'write the path of a program, or a name that is on PATH',
    });
    writeFileSync(join(folder, 'text'), 'x');
    expect(await send(command(join(folder, 'text')))).toMatchObject({
      text: `${folder}/text could not be started (EACCES)`,
    });
  });

  it('never runs more than four at once', async () => {
    mkdirSync(join(folder, 'on'));
    const tell = script(
      'tell',
      `touch ${folder}/on/$$; ls ${folder}/on | wc -l >> ${folder}/counts; while [ ! -e ${folder}/go ]; do sleep 0.05; done; rm ${folder}/on/$$`,
    );
    const out = createSend({ env: process.env });
    const all = Promise.all(
      Array.from({ length: 9 }, () => out(rule({ sink: command(tell), timeoutMs: 60_000 }), notification())),
    );
    await until(
      'four run',
      () => readdirSync(join(folder, 'on')),
      (names) => names.length === 4,
    );
    writeFileSync(join(folder, 'go'), '');
    expect((await all).every(({ state }) => state === 'sent')).toBe(true);
    const counts = readFileSync(join(folder, 'counts'), 'utf8').trim().split('\n').map(Number);
    expect(counts).toHaveLength(9);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  });
});

describe('the desktop', () => {
  // Stands in for the desktop's own program: it writes down its words.
  const fake = (name: string) =>
    script(name, `for word in "$@"; do printf '%s\\n' "$word"; done > ${folder}/words`);
  const env = () => ({ ...process.env, PATH: `${folder}:/usr/bin:/bin` });
  const words = () => readFileSync(join(folder, 'words'), 'utf8').trimEnd().split('\n');

  it('S55: is told by notify-send, with texts that are neither options nor markup', async () => {
    fake('notify-send');
    const delivery = await send({ kind: 'desktop' }, { env: env(), platform: 'linux' });
    expect(delivery).toEqual({ state: 'sent', text: 'notify-send has shown it' });
    expect(words()).toEqual([
      '--app-name=rollcall',
      '--',
      `${HOSTILE} waits`,
      `${HOSTILE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')} (workshop)`,
    ]);
  });

  it('S55: is told by osascript, with texts that are no part of the script', async () => {
    fake('osascript');
    await send({ kind: 'desktop' }, { env: env(), platform: 'darwin' });
    expect(words()).toEqual([
      ...['-e', 'on run argv'],
      ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
      ...['-e', 'end run'],
      ...['--', `${HOSTILE} waits`, `${HOSTILE} (workshop)`],
    ]);
  });

  it('that has no such program is a problem', async () => {
    const none = { ...process.env, PATH: folder };
    expect(await send({ kind: 'desktop' }, { env: none, platform: 'linux' })).toEqual({
      state: 'failed',
      text: 'there is no notify-send on PATH',
      hint: 'install it (on Debian: libnotify-bin), or use a command or a webhook',
    });
  });

  it('that cannot be reached says what its program said', async () => {
    script('notify-send', 'echo "Cannot autolaunch D-Bus" >&2; exit 1');
    expect(await send({ kind: 'desktop' }, { env: env(), platform: 'linux' })).toMatchObject({
      text: 'notify-send ended with status 1: Cannot autolaunch D-Bus',
    });
  });
});

describe('a webhook', () => {
  interface Heard {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }
  let server: Server;
  let heard: Heard[];
  let answer: (response: ServerResponse, count: number) => void;
  beforeEach(async () => {
    heard = [];
    answer = (response) => response.writeHead(204).end();
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        const { method, url, headers } = request;
        heard.push({ method, url, headers, body });
        answer(response, heard.length);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hook = (over: Partial<{ url: string; headerFile: string | null }> = {}): NotifySink => ({
    ...{ kind: 'webhook', url: `http://ada:s3cret@${host()}/hooks/s3cret?token=s3cret`, headerFile: null },
    ...over,
  });

  it('gets the notification as JSON, and nothing that is said of it names a secret', async () => {
    expect(await send(hook())).toEqual({ state: 'sent', text: `http://${host()} answered 204` });
    expect(heard).toMatchObject([
      {
        method: 'POST',
        url: '/hooks/s3cret?token=s3cret',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from('ada:s3cret').toString('base64')}`,
        },
      },
    ]);
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ rule: 'r', ...notification() });
  });

  it('gets the headers of a file, read anew each time', async () => {
    const headerFile = join(folder, 'headers');
    writeFileSync(headerFile, 'Authorization: Bearer one\r\n\nX-Team:crew \n', { mode: 0o600 });
    await send(hook({ headerFile }));
    writeFileSync(headerFile, 'Authorization: Bearer two\n');
    await send(hook({ headerFile }));
    expect(heard.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
      ['Bearer one', 'crew'],
      ['Bearer two', undefined],
    ]);
  });

  it.each([
    ['Authorization: Bearer s3cret', 0o644, 'can be read by other users'],
    ['s3cret', 0o600, 'has no header in line 1'],
    ['A: b\nB: s3cret\u0007', 0o600, 'has no header in line 2'],
    ['x'.repeat(10_000), 0o600, 'is not a small regular file'],
  ])('is not sent to with a header file that is not to be trusted: %#', async (text, mode, words) => {
    const headerFile = join(folder, 'headers');
    writeFileSync(headerFile, text, { mode });
    const delivery = await send(hook({ headerFile }));
    expect(delivery).toMatchObject({ state: 'failed', text: `${headerFile} ${words}` });
    expect(JSON.stringify(delivery)).not.toContain('s3cret');
    expect(heard).toEqual([]);
  });

  it('is not sent to where the header file is missing or a folder', async () => {
    expect(await send(hook({ headerFile: join(folder, 'no') }))).toMatchObject({
      text: `${folder}/no cannot be read (ENOENT)`,
    });
    expect(await send(hook({ headerFile: folder }))).toMatchObject({ state: 'failed' });
    expect(heard).toEqual([]);
  });

  it('that fails once is tried once more, and no more than that', async () => {
    answer = (response, count) => response.writeHead(count === 1 ? 503 : 200).end();
    expect(await send(hook())).toMatchObject({ state: 'sent' });
    answer = (response) => response.writeHead(500).end('x'.repeat(100_000));
    expect(await send(hook())).toEqual({ state: 'failed', text: `http://${host()} answered 500` });
    expect(heard).toHaveLength(4);
  });

  it('that says no is not asked again', async () => {
    answer = (response) => response.writeHead(403).end();
    expect(await send(hook())).toEqual({ state: 'failed', text: `http://${host()} answered 403` });
    expect(heard).toHaveLength(1);
  });

  it('that sends elsewhere is not followed', async () => {
    answer = (response) => response.writeHead(307, { location: `http://${host()}/other` }).end();
    expect(await send(hook())).toMatchObject({
      text: `http://${host()} answered 307: redirects are not followed`,
    });
    expect(heard).toHaveLength(1);
  });

  it('that never answers is left when its time is up', async () => {
    answer = () => {};
    expect(await send(hook(), { timeoutMs: 200 })).toEqual({
      state: 'failed',
      text: `http://${host()} did not answer within 200 ms`,
    });
  });

  it('that is asked when rollcall ends is left', async () => {
    answer = () => {};
    const ending = new AbortController();
    const sending = send(hook(), { signal: ending.signal });
    await until('it was asked', () => heard.length === 1);
    ending.abort();
    expect(await sending).toMatchObject({ text: `http://${host()} was not reached before rollcall ended` });
  });

  it('that nobody listens at is a failure in plain words', async () => {
    const sink = hook();
    await new Promise((resolve) => server.close(resolve));
    const delivery = await send(sink);
    expect(delivery.text).toMatch(/^http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/);
  });

  it('over https is asked over https', async () => {
    const delivery = await send(hook({ url: `https://${host()}/` }));
    expect(delivery.text).toMatch(/^https:\/\/127\.0\.0\.1:\d+ cannot be reached \(E[A-Z_]+\)$/);
    expect(heard).toEqual([]);
  });
});
