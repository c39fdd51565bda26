import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDocumentSchema } from '../../src/contract/close-schemas.ts';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { logDocumentSchema } from '../../src/contract/ledger-schemas.ts';
import { lives } from '../engine/act/closing-room.ts';
import { type Ran, ROLLCALL } from '../support/command.ts';
import { hasPrivateMounts } from '../support/private-mounts.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { ScriptedAgents } from '../support/scripted-agent.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let disk: SmallDisk;
let agents: ScriptedAgents;

beforeEach(async () => {
  tmux = new PrivateTmux('disk');
  const [state, config] = [join(tmux.folder, 'state'), join(tmux.folder, 'config', 'rollcall')];
  mkdirSync(state);
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({ confirmFor: '1s', startingFor: '0s', roles: { '*': { retainFor: '1s' } } }),
  );
  agents = new ScriptedAgents(tmux.folder);
  disk = await new SmallDisk(state).ready();
});
afterEach(() => {
  tmux.stop();
  disk.remove();
});

function there(...argv: string[]): Promise<Ran> {
  const [program, ...words] = disk.inside(...argv);
  const env = {
    ...tmux.env,
    XDG_STATE_HOME: disk.folder,
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  return new Promise((resolve) => {
    execFile(program, words, { env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const rollcall = (...argv: string[]) =>
  there(...ROLLCALL.split(' '), ...argv.slice(0, 1), '--server', tmux.socketPath, ...argv.slice(1));

const fill = () => there('sh', '-c', `cat /dev/zero >> ${disk.folder}/filler 2>&-; true`);
const FAULTS = [
  {
    fault: 'full',
    happen: fill,
    mend: () => there('rm', `${disk.folder}/filler`),
    hint: /hint: make room on that (?:file system|disk), then try again/,
  },
  {
    fault: 'read-only',
    happen: () => there('mount', '-o', 'remount,ro', 'none', disk.folder),
    mend: () => there('mount', '-o', 'remount,rw', 'none', disk.folder),
    hint: /hint: .*(?:read-only|writable)/,
  },
] as const;

/** A session of rollcall's with an agent in it, declared complete and safe to close. */
async function safeAgent(manner: string): Promise<number> {
  // Its word lies on the small disk too.
  const argv = [agents.program, manner, `talk-${basename(tmux.folder)}`, join(disk.folder, 'worker.status')];
  const started = await rollcall('run', '--name', 'worker', '--cwd', tmux.folder, '--', ...argv);
  expect([started.stderr, started.exitCode]).toEqual(['', 0]);
  expect((await rollcall('complete', 'worker')).exitCode).toBe(0);
  const seen = await until(
    'it is safe to close',
    async () => v.parse(rollDocumentSchema, JSON.parse((await rollcall('roll', '--json')).stdout)),
    ({ sessions }) => sessions.find(({ name }) => name === 'worker')?.lifecycle === 'safe-to-close',
  );
  return seen.sessions.find(({ name }) => name === 'worker')?.panes[0]?.pid ?? 0;
}

const names = () => tmux.tmux('list-sessions', '-F', '#{session_name}');
const shown = () => tmux.tmux('capture-pane', '-p', '-t', '=worker:');

const recorded = async () =>
  v.parse(logDocumentSchema, JSON.parse((await rollcall('log', '--json')).stdout)).entries;

async function untouched(pid: number): Promise<void> {
  expect(lives(pid)).toBe(true);
  expect(await names()).toBe('worker');
  expect(await shown()).not.toContain('/exit');
}

describe.skipIf(!hasPrivateMounts)('S36: where nothing can be recorded', () => {
  test.each(FAULTS)(
    'since the disk is $fault, nothing is done, and afterwards all of it works',
    async ({ happen, mend, hint }) => {
      const pid = await safeAgent('leaves');
      const acts = [
        ['run', '--name', 'other', '--', 'sleep', '1000'],
        ['complete', 'worker', '--evidence', 'more'],
        ['hold', 'worker'],
        ['retain', 'worker', '--for', '1h'],
        ['adopt', 'worker', '--task', 'T-1'],
        ['close', 'worker'],
        ['close', 'worker', '--force'],
      ];
      for (const act of acts) {
        // Again each time: what a failed command had begun to write gives its room back when it ends.
        await happen();
        const { exitCode, stdout, stderr } = await rollcall(...act);
        expect([act.join(' '), exitCode]).toEqual([act.join(' '), 1]);
        expect(stdout + stderr).toMatch(hint);
        expect(stdout + stderr).toContain(join(disk.folder, 'rollcall'));
        expect(stdout + stderr).not.toMatch(/unexpected error|tmux did not/);
        await untouched(pid);
      }

      await mend();
      expect((await recorded()).map(({ action }) => action)).toEqual(['run', 'run', 'complete']);
      expect((await rollcall('hold', 'worker')).exitCode).toBe(0);
      expect((await rollcall('unhold', 'worker')).exitCode).toBe(0);
      const closed = await rollcall('close', 'worker');
      expect([closed.exitCode, closed.stdout]).toEqual([0, expect.stringContaining('closed, receipt')]);
      expect(lives(pid)).toBe(false);
      expect((await rollcall('verify')).exitCode).toBe(0);
    },
  );

  test('since the disk became full on the way: it is said, and completed later, and nothing is done twice', async () => {
    const pid = await safeAgent('fills');
    const { exitCode, stdout } = await rollcall('close', 'worker', '--json');
    const [session] = v.parse(closeDocumentSchema, JSON.parse(stdout)).sessions;
    expect([exitCode, session?.result, session?.receipt]).toEqual([1, 'unrecorded', null]);
    expect(session?.text).toMatch(/^it is gone, but its receipt is not written: the ledger: /);
    expect(session?.hint).toMatch(/^make room .*; the next rollcall command that changes anything completes/);
    expect(lives(pid)).toBe(false);

    // As long as there is no room, nothing else is done either.
    const run = ['run', '--name', 'other', '--cwd', tmux.folder, '--', 'sleep', '1000'];
    expect((await rollcall(...run)).exitCode).toBe(1);
    await there('rm', `${disk.folder}/worker.status.filler`);
    const other = await rollcall(...run);
    expect([other.exitCode, other.stderr]).toEqual([
      0,
      "! an earlier close of 'worker' was cut short; it was done\n",
    ]);
    const closes = (await recorded()).filter(({ action }) => action === 'close');
    expect(closes.map(({ kind }) => kind)).toEqual(['intent', 'receipt', 'outcome']);
    expect(closes[1]?.body).toMatchObject({ result: 'recovered', survivors: [] });
    expect((await rollcall('verify')).exitCode).toBe(0);
    expect(await names()).toBe('other');
    const reopened = await rollcall('reopen', String(closes[1]?.body.receipt));
    expect([reopened.exitCode, reopened.stderr]).toEqual([0, '']);
    expect((await names()).split('\n')).toEqual(['other', 'worker']);
  });
});
