import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reopening } from '../../../src/core/close/reopening.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { outlived } from '../../../src/engine/act/reopen/outlived.ts';
import { RealProcesses } from '../../adapters/proc/real-processes.ts';
import { until } from '../../support/until.ts';
import { ActingRoom } from './acting-room.ts';

let room: ActingRoom;
let hands: Hands;
let started: RealProcesses;
let claude: string;
let id: string;

beforeEach(async () => {
  room = new ActingRoom();
  hands = await room.hands();
  started = new RealProcesses();
  id = crypto.randomUUID();
  claude = join(room.tmux.folder, 'bin', 'claude');
  mkdirSync(join(room.tmux.folder, 'bin'));
  writeFileSync(claude, '#!/bin/bash\nwhile :; do sleep 1000; done\n', { mode: 0o755 });
});
afterEach(async () => {
  await started.endAll();
  room.leave();
});

const entryOf = (run: string) => ({ body: { run } }) as unknown as LedgerEntry;

/** Who is at the conversation, as whoever reopens it asks. */
async function found(
  runs: readonly string[] = [],
  agent: Reopening['agent'] = { kind: 'claude', conversation: id },
) {
  const { sessions } = await hands.look();
  const asked = await outlived(hands, { agent } as Reopening, { sessions, entries: runs.map(entryOf) });
  return asked?.pids ?? [];
}

/** Starts it outside of tmux, and waits until it is itself. */
async function outside(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const { pid } = await started.start(argv, env);
  await until('it runs', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(claude));
  return pid;
}

/** What Claude Code says of itself. */
function says(home: string, pid: number, conversation: string): void {
  const folder = join(home, '.claude', 'sessions');
  const procStart = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')[19];
  const now = Date.now();
  mkdirSync(folder, { recursive: true });
  const told = {
    ...{ pid, sessionId: conversation, cwd: room.tmux.folder, startedAt: now, procStart },
    ...{ version: '2.1.325', kind: 'interactive', status: 'idle', updatedAt: now, statusUpdatedAt: now },
  };
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify(told));
}

describe('whoever is still at a conversation', () => {
  it('is nobody where no agent names it', async () => {
    await outside([claude, '--resume', crypto.randomUUID()]);
    expect(await found()).toEqual([]);
  });

  it('has its id among its arguments, also without a screen and behind another program', async () => {
    const pids = [
      await outside([claude, '--resume', id]),
      await outside([claude, '-p', '--resume', id, 'job']),
      await outside(['/bin/sh', claude, `--resume=${id}`]),
    ];
    expect((await found()).toSorted()).toEqual(pids.toSorted());
  });

  it('is found in a pane that shows another agent in front', async () => {
    const line = `${claude} --resume ${id} & exec ${claude} --resume ${crypto.randomUUID()}`;
    await room.tmux.session('hand', 'bash', '-c', line);
    expect(
      await until(
        'it runs',
        () => found(),
        (pids) => pids.length > 0,
      ),
    ).toHaveLength(1);
  });

  it('says so itself, where its arguments do not', async () => {
    const home = join(room.tmux.folder, 'home');
    mkdirSync(home);
    const pid = await outside([claude, '--continue'], { HOME: home });
    expect(await found()).toEqual([]);
    says(home, pid, id);
    expect(await found()).toEqual([pid]);
  });

  it('bears the mark of any run of the session, also where its agent is not known', async () => {
    const pid = await outside([claude], { ROLLCALL_RUN: `run-${id}` });
    expect(await found()).toEqual([]);
    expect(await found(['first', `run-${id}`])).toEqual([pid]);
    expect(await found([`run-${id}`], null)).toEqual([pid]);
  });

  it('is not the tmux server whose first session had those words', async () => {
    const server = await started.start(['bash', '-c', `exec -a tmux sh ${claude} new --resume ${id}`]);
    await until('it runs', () => readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').startsWith('tmux'));
    expect(await found()).toEqual([]);
  });
});
