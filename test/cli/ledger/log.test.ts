import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outsideOf } from '../../../src/cli/frame/outside.ts';
import { runCli } from '../../../src/cli/frame/run-cli.ts';
import { logDocumentSchema, logLineSchema } from '../../../src/contract/ledger-schemas.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { LedgerRoom } from '../../adapters/store-sqlite/ledger-room.ts';
import { until } from '../../support/until.ts';
import { NO_CAPABILITIES, run } from '../fake-outside.ts';
import { NOW } from '../render/samples.ts';

const KEY = 'abcdef01.12345678.900.1234.s3.1700000000';
const HOUR = 3_600_000;

let room: LedgerRoom;
let at: number;
beforeEach(() => {
  room = new LedgerRoom();
  at = NOW - 5 * HOUR;
});
afterEach(() => room.remove());

const open = () => room.ledger({ now: () => at });
const log = (...argv: string[]) => run(['log', ...argv], { ledger: open });

async function lived(): Promise<Ledger> {
  const ledger = await open();
  const session = { key: KEY, name: 'build' };
  ledger.append({ kind: 'intent', action: 'run', session: { key: null, name: 'build' } });
  ledger.append({ kind: 'outcome', action: 'run', session, cause: 1, body: { result: 'done' } });
  at += 2 * HOUR;
  ledger.append({ kind: 'declared', action: 'hold', session, body: { reason: 'mine' } });
  at += 2 * HOUR;
  ledger.append({ kind: 'intent', action: 'close', session: { key: 'other', name: 'evil\u001b[31m' } });
  ledger.append({
    kind: 'outcome',
    action: 'close',
    session: { key: 'other', name: 'x' },
    cause: 4,
    body: { result: 'failed', text: 'it stays' },
  });
  ledger.append({ kind: 'receipt', action: 'close', session, body: { receipt: 'r9' } });
  return ledger;
}

describe('rollcall log', () => {
  it('says that there is nothing yet, and makes nothing', async () => {
    const { exitCode, stdout } = await log();
    expect([exitCode, stdout]).toEqual([0, 'The ledger is empty: nothing has been recorded yet.\n']);
    expect(readdirSync(room.folder)).toEqual([]);
    expect(JSON.parse((await log('--json')).stdout)).toMatchObject({
      schemaVersion: 1,
      entries: [],
      damage: null,
    });
  });

  it('tells the receipt of a close that stopped from that of one that was done', async () => {
    const ledger = await open();
    const body = { receipt: 'r8', result: 'partial' };
    ledger.append({ kind: 'receipt', action: 'close', session: { key: KEY, name: 'build' }, body });
    expect((await log()).stdout).toContain('partial receipt r8');
  });

  it('prints one line for each entry, the newest last, with nothing that could steer a terminal', async () => {
    await lived();
    const { exitCode, stdout } = await log();
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      '1 | 5h ago | run | build | intent',
      '2 | 5h ago | run | build | done (of 1)',
      '3 | 3h ago | hold | build | declared: mine',
      '4 | 1h ago | close | evil\\e[31m | intent',
      '5 | 1h ago | close | x | failed: it stays (of 4)',
      '6 | 1h ago | close | build | receipt r9',
      '',
    ]);
  });

  it('tells of a change what it was from and to', async () => {
    const ledger = await open();
    ledger.append({
      kind: 'note',
      action: 'reap-mode',
      session: null,
      body: { from: 'shadow', to: 'enforce' },
    });
    expect((await log()).stdout).toContain('reap-mode    –                     note: shadow → enforce');
  });

  it.each<[string, Record<string, string | number | null>, string]>([
    ['gate-start', { gate: 'abcdef01', task: 'parser', reason: 'x' }, 'declared: abcdef01, parser'],
    [
      'gate-stop',
      { verdict: 'blocked', reason: 'checks-unmet', text: 'one thing is missing' },
      'declared: blocked, checks-unmet, one thing is missing',
    ],
    ['gate-end', { phase: 'finished', text: 'declared finished' }, 'declared: finished, declared finished'],
    ['gate-mode', { from: null, to: 'enforce', project: '/p' }, 'declared: none → enforce, /p'],
    ['gate-switch', { state: 'off', reason: 'too loud' }, 'declared: off, too loud'],
    ['gate-passed', { stops: 4 }, 'declared: 4 let through where nobody owns anything'],
  ])('tells what the stop gate did: %s', async (action, body, words) => {
    (await open()).append({ kind: 'declared', action, session: null, body });
    expect((await log()).stdout).toContain(words);
  });

  it.each<[string, string[], number[]]>([
    ['a name', ['build'], [1, 2, 3, 6]],
    ['an id', ['$3'], [1, 2, 3, 6]],
    ['a key', ['other'], [4, 5]],
    ['a span of time', ['--since=3h'], [3, 4, 5, 6]],
    ['a date', [`--since=${new Date(NOW - 2 * HOUR).toISOString()}`], [4, 5, 6]],
    ['a number', ['--limit=2'], [5, 6]],
    ['all of it', ['build', '--since', '4h', '--limit', '1'], [6]],
  ])('is narrowed by %s', async (_, argv, numbers) => {
    await lived();
    const { exitCode, stdout } = await log(...argv, '--json');
    expect(exitCode).toBe(0);
    const document = v.parse(logDocumentSchema, JSON.parse(stdout));
    expect(document.entries.map(({ sequence }) => sequence)).toEqual(numbers);
  });

  it('says so where nothing falls into the time, and knows no session that was never recorded', async () => {
    await lived();
    expect((await log('--since=1s')).stdout).toBe('Nothing was recorded in that time.\n');
    expect(await log('buil')).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("'buil'") });
    expect((await log('build', '--since=1s')).exitCode).toBe(0);
  });

  it.each([
    [['--since=yesterday'], '--since=yesterday is neither a time span nor a date'],
    [['--since=2026-13-45'], 'neither'],
    [['--limit=0'], '--limit=0 is not a number of entries'],
    [['--limit=many'], '--limit=many'],
    [['a', 'b'], 'only 1 word'],
  ])('refuses %j', async (argv, message) => {
    expect(await log(...argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });

  it('takes a date alone for midnight here, not in Greenwich', async () => {
    const { readSince } = await import('../../../src/cli/log/since.ts');
    expect(readSince('2026-03-01', 0)).toBe(new Date(2026, 2, 1).getTime());
    expect(readSince('2026-03-01 14:30', 0)).toBe(new Date(2026, 2, 1, 14, 30).getTime());
    expect(readSince('2026-03-01T14:30Z', 0)).toBe(Date.UTC(2026, 2, 1, 14, 30));
    expect(readSince('90s', 100_000)).toBe(10_000);
  });

  it('S36: of a damaged ledger prints what holds, names the damage and exits with 1', async () => {
    await lived();
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'unhold' WHERE sequence = 3");
    const text = await log();
    expect(text.exitCode).toBe(1);
    expect(text.stdout.split('\n')).toHaveLength(3);
    expect(text.stderr).toContain('the ledger is damaged at entry 3 (changed)');
    expect(text.stderr).toContain('rollcall verify --repair');
    const json = await log('--json');
    expect([json.exitCode, json.stderr]).toEqual([1, '']);
    expect(v.parse(logDocumentSchema, JSON.parse(json.stdout))).toMatchObject({
      entries: { length: 2 },
      damage: { reason: 'changed', sequence: 3 },
    });
    // It may have been in the part that is lost.
    expect((await log('nobody')).exitCode).toBe(1);
  });

  it('S36: that cannot be opened says why and what to do', async () => {
    writeFileSync(
      `${room.folder}/ledger.head`,
      `{"file":"ledger.db","sequence":0,"hash":"${'0'.repeat(64)}"}`,
    );
    const { mkdirSync } = await import('node:fs');
    mkdirSync(room.path);
    const { exitCode, stderr } = await log();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it is not a regular file');
    expect(stderr).toContain('hint:');
  });
});

/** A process with an output of the test's own, and signals in its hands. */
function started(argv: string[], stdout: NodeJS.WritableStream) {
  const signals = new Map<string, Set<() => void>>();
  const stderr = new PassThrough();
  const fake = {
    env: { HOME: '/nowhere' },
    cwd: () => '/nowhere',
    argv: ['node', 'rollcall.cjs'],
    stdout,
    stderr,
    stdin: new PassThrough(),
    on: (name: string, listener: () => void) =>
      signals.set(name, (signals.get(name) ?? new Set()).add(listener)),
    off: (name: string, listener: () => void) => signals.get(name)?.delete(listener),
  };
  const outside = outsideOf(fake as unknown as NodeJS.Process, {
    version: '1',
    socketOf: (label: string) => label,
    capabilities: { ...NO_CAPABILITIES, ledger: open },
  });
  const exitCode = runCli(argv, outside);
  const send = (name: string) => {
    for (const listener of signals.get(name) ?? []) listener();
  };
  return { exitCode, send, signals, stderr };
}

describe('rollcall log --follow', () => {
  it('prints what there is, then what comes, until Ctrl-C', async () => {
    const ledger = await lived();
    const stdout = new PassThrough();
    let text = '';
    stdout.on('data', (chunk) => {
      text += chunk;
    });
    const { exitCode, send, signals } = started(['log', '--follow', '--limit=1', 'build'], stdout);
    await until('the last entry is printed', () => text.includes('receipt r9'));
    expect(text.split('\n')).toHaveLength(2);
    ledger.append({ kind: 'declared', action: 'hold', session: { key: 'stranger', name: 's' } });
    ledger.append({ kind: 'declared', action: 'unhold', session: { key: KEY, name: 'renamed' } });
    await until('the new one is printed', () => text.includes('unhold'));
    expect(text).not.toContain('stranger');
    expect(text.split('\n')).toHaveLength(3);
    send('SIGINT');
    expect(await exitCode).toBe(0);
    expect([...signals.values()].every((listeners) => listeners.size === 0)).toBe(true);
  });

  it('with --json prints one document per line, from the first entry of an empty ledger on', async () => {
    const stdout = new PassThrough();
    let text = '';
    stdout.on('data', (chunk) => {
      text += chunk;
    });
    const { exitCode, send } = started(['log', '-f', '--json'], stdout);
    const ledger = await open();
    for (let index = 0; index < 3; index += 1)
      ledger.append({ kind: 'note', action: 'test', session: null, body: { index } });
    await until('all are printed', () => text.split('\n').length === 4);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => v.parse(logLineSchema, JSON.parse(line)));
    expect(lines.map(({ entry }) => entry.sequence)).toEqual([1, 2, 3]);
    send('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('ends when its reader goes away', async () => {
    const ledger = await lived();
    const reader = spawn('sh', ['-c', 'read line; exec 0<&-; echo closed; exec sleep 60'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const { exitCode } = started(['log', '--follow'], reader.stdin);
    await once(reader.stdout, 'data');
    ledger.append({ kind: 'note', action: 'test', session: null });
    expect(await exitCode).toBe(0);
    reader.kill();
    await once(reader, 'exit');
  });

  it('S36: ends with 1 when the ledger turns out to be damaged', async () => {
    await lived();
    room = room.asFoundByAnother();
    const stdout = new PassThrough().resume();
    const { exitCode, stderr, signals } = started(['log', '--follow'], stdout);
    await until('it follows', () => (signals.get('SIGINT')?.size ?? 0) > 0);
    room.tamper('DELETE FROM entry WHERE sequence = 6');
    expect(await exitCode).toBe(1);
    expect(String(stderr.read())).toContain('entry 6 is missing at the end');
  });
});
