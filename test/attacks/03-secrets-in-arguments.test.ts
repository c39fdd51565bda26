import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogFile } from '../../src/adapters/daemon/log-file.ts';
import { composeLocks } from '../../src/compose/locks.ts';
import { toReopenDocument } from '../../src/contract/close-document.ts';
import { toLockStatusDocument } from '../../src/contract/lock-document.ts';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { reopenedOr } from '../../src/engine/act/reopen/trouble.ts';
import { run } from '../../src/engine/act/run.ts';
import { actuatorFor, read } from '../adapters/tmux/act/act-room.ts';
import { openStartRoom } from '../adapters/tmux/act/start-room.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';

const KEY = 'sk-live-0123456789abcdef';
const room = openStartRoom();

/** Every command line of this user's processes that holds the text, this very test aside. */
function shownIn(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => read(`/proc/${pid}/cmdline`) ?? '')
    .filter((line) => line.includes(text));
}

describe('a variable of a session that is started', () => {
  it('stands in no command line: not the client’s, the server’s, nor the one in the pane', async () => {
    const started: string[] = [];
    const record = (file: string, argv: readonly string[], options: SpawnOptions): ChildProcess => {
      started.push([file, ...argv].join(' '));
      return spawn(file, argv, options);
    };
    const actuator = actuatorFor(room.tmux, {}, { spawn: record });
    const wish = room.wish({ env: { OPENAI_API_KEY: KEY } });
    const answer = await actuator.startSession(room.tmux.socketPath, wish);
    if (answer.state !== 'started') throw new Error(answer.text);
    const environment = await until(
      'the program has it',
      () => read(`/proc/${answer.pid}/environ`) ?? '',
      (text) => text.includes('OPENAI_API_KEY='),
    );
    expect(environment).toContain(`OPENAI_API_KEY=${KEY}`);
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter((line) => line.includes(KEY))).toEqual([]);
    // What tmux executes in the pane, word by word: env and then the program.
    expect(await room.ask(answer.paneId, '#{pane_start_command}')).not.toContain(KEY);
    expect(read(`/proc/${answer.server.pid}/cmdline`)).toContain('source-file');
    expect(shownIn(KEY)).toEqual([]);
  });

  it('endings 7: stands in none either where only the server has it, whatever its lines look like', async () => {
    const secrets = {
      SIGNING_KEY: `-----BEGIN-----\n${KEY}=\n${KEY}==\n-----END-----`,
      DATABASES: `first\nhttps://bob:${KEY}@db.example/?sslmode=require\nNAMED_${KEY.replaceAll('-', '_')}=x"; export A;\n`,
    };
    await room.tmux.session('first');
    const odd = `x ${KEY}`;
    for (const [name, value] of Object.entries({ ...secrets, OLD_FLAG: '1', [odd]: '1' })) {
      await room.tmux.tmux('set-environment', '-g', name, value);
    }
    const caller = { values: { HOME: room.tmux.folder }, leftToServer: [] };
    const answer = await room.started({ caller });
    const environment = await until(
      'the program runs',
      () => read(`/proc/${answer.pid}/environ`) ?? '',
      (text) => text.includes('ROLLCALL_RUN='),
    );
    const names = environment.split('\0').map((one) => one.slice(0, one.indexOf('=')));
    for (const name of [...Object.keys(secrets), 'OLD_FLAG']) expect(names).not.toContain(name);
    // What does not look like a name is left where it is, since taking it away would show it.
    expect(names).toContain(odd);
    const start = await room.ask(answer.paneId, '#{pane_start_command}');
    expect(start).toContain('-u OLD_FLAG');
    expect(start).not.toMatch(new RegExp(`${KEY}|${KEY.replaceAll('-', '_')}`));
    expect(shownIn(KEY)).toEqual([]);
  });

  it('reaches its own session and no other, whoever started the server', async () => {
    await room.started({ env: { OPENAI_API_KEY: KEY } });
    const other = await room.started({ name: 'other' });
    const environment = await until(
      'it runs',
      () => read(`/proc/${other.pid}/environ`) ?? '',
      (text) => text.includes('ROLLCALL_RUN='),
    );
    expect(environment).not.toContain(KEY);
    expect(await room.tmux.tmux('show-environment', '-g')).not.toContain(KEY);
    expect(await room.tmux.tmux('show-environment', '-t', other.sessionId)).not.toContain(KEY);
  });

  it('arrives byte by byte, whatever it holds', async () => {
    const every = Array.from({ length: 255 }, (_, at) => String.fromCharCode(at + 1)).join('');
    const env = {
      EVERY: every,
      ODD: '#{pid} #(id) %% ~ $HOME $ {x} \\; ; "a" \'b\' {\n}\n',
      'a-b.c': '会話🤖',
    };
    const { pid } = await room.started({ env });
    const variables = await until(
      'the program has them',
      () => (read(`/proc/${pid}/environ`) ?? '').split('\0'),
      (all) => all.some((one) => one.startsWith('EVERY=')),
    );
    expect(variables).toEqual(
      expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)),
    );
  });

  it('is not handed to a tmux that can be told by arguments only', async () => {
    const answers: string[][] = [];
    const old = (_: string, argv: readonly string[], options: SpawnOptions): ChildProcess => {
      answers.push([...argv]);
      return spawn('sh', ['-c', 'echo "-: No such file or directory" >&2; exit 1'], options);
    };
    const actuator = actuatorFor(room.tmux, {}, { spawn: old });
    const answer = await actuator.startSession(room.tmux.socketPath, room.wish({ env: { TOKEN: KEY } }));
    expect(answer).toMatchObject({ state: 'failed', text: expect.stringContaining('tmux 3.2') });
    expect(JSON.stringify(answers)).not.toContain(KEY);
  });
});

/** Every file below a folder that holds the text, archives aside: those keep what reopen needs. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(?:^|\/)archive\//.test(name) && statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(text));
}

const WITH_KEY = [
  'sh',
  '-c',
  'sleep 1000; :',
  'agent',
  '--api-key',
  KEY,
  `--header=Authorization: Bearer ${KEY}`,
];

describe('an argument that looks like a secret', () => {
  test('is in no record, listing, receipt or note, and in the archive', async ({ staying: room, hands }) => {
    const ran = await run(hands, room.wish({ argv: WITH_KEY }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    const roll = await hands.look({ inspect: (sessions) => sessions });
    expect(JSON.stringify(roll)).toContain('--api-key ***');
    expect(JSON.stringify(roll)).not.toContain(KEY);
    const result = await room.close(hands, 'worker', { isForced: true });
    if (result.state !== 'closed') throw new Error(JSON.stringify(result));
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(JSON.stringify(entriesOf(hands))).not.toContain(KEY);
    expect(filesWith(room.state, KEY)).toEqual([]);
    const archive = readFileSync(join(String(result.receipt.archive), 'session.json'), 'utf8');
    expect(archive).toContain(KEY);
  });

  test('is not in the note of a lock, nor in who holds it', async ({ room }) => {
    const locks = await composeLocks(room.env);
    const subject = { name: 'runner', project: room.tmux.folder };
    const taken = locks.tryLock(subject, { task: `deploy with ${KEY}`, argv: WITH_KEY });
    if (taken.state !== 'held') throw new Error(JSON.stringify(taken));
    const seen = locks.sightings();
    if (seen.state !== 'seen') throw new Error(seen.text);
    const shown = JSON.stringify(toLockStatusDocument(seen.locks, 0));
    expect(shown).toContain('***');
    expect(shown).not.toContain(KEY);
    expect(filesWith(room.state, KEY)).toEqual([]);
    taken.hold.release();
  });

  test('does not come back masked: a lost session has it from its start, or is started by hand', async ({
    staying: room,
    hands,
  }) => {
    const ran = await run(hands, room.wish({ argv: WITH_KEY }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const found = findReceipt(entriesOf(hands), 'worker');
    if (found.state !== 'one') throw new Error(JSON.stringify(found));
    const reopen = (by: Hands) =>
      reopenSession(by, {
        ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
        ...{ shell: '/bin/sh', argv: ['test'] },
      });
    const withoutStarts = { ...hands, starts: { ...hands.starts, of: () => null } };
    expect(reopenedOr(await reopen(withoutStarts), 0)).toMatchObject({
      exit: 'failed',
      text: expect.stringContaining('by hand: rollcall run -- sh'),
    });
    expect(await room.names()).toEqual(['stays']);
    const made = await reopen(hands);
    if (made.state !== 'reopened') throw new Error(JSON.stringify(made));
    expect(made.reopening.argv).toContain(KEY);
    expect(JSON.stringify([toReopenDocument(made), entriesOf(hands)])).not.toContain(KEY);
    // How it was started lies in a private file as long as it has no archive.
    expect(filesWith(room.state, KEY).every((name) => /^rollcall\/starts\/[\w-]+\.json$/.test(name))).toBe(
      true,
    );
  });

  it('is not in the log of the daemon', () => {
    const { folder } = room.tmux;
    const path = join(folder, 'daemon.log');
    createLogFile({ path, now: () => 0 }).warn('failed', { text: `agent --api-key=${KEY} ended` });
    expect(readFileSync(path, 'utf8')).toContain('--api-key=***');
    expect(readFileSync(path, 'utf8')).not.toContain(KEY);
  });
});

describe('a command line', () => {
  it('becomes text in one place only, so that no surface can forget to mask it', () => {
    const joined = /\b(?:argv|words|command|resume|cmdline)(?:\s*\?\?\s*\[\])?\.(?:map\([^)]*\)\.)?join\(/;
    const places = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && joined.test(readFileSync(join('src', name), 'utf8')))
      .map((name) => name.replace(/\\/g, '/'))
      .sort();
    expect(places).toEqual([
      // The words of a command for tmux itself.
      'adapters/tmux/act/words.ts',
      // The calls of rollcall's own API.
      'cli/api/api.ts',
      // Words of rollcall's own commands, for completion and help.
      ...['cli/completions/bash.ts', 'cli/completions/fish.ts', 'cli/completions/zsh.ts', 'cli/help/help.ts'],
    ]);
  });
});
