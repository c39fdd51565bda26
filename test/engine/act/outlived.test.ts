import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  // It waits without a child: one that is just started still has its arguments.
  execFileSync('mkfifo', [`${claude}.never`]);
  writeFileSync(claude, `#!/bin/bash\nread -r line <> '${claude}.never'\n`, { mode: 0o755 });
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
  return (await asked({ runs, agent, cwd: '/nowhere' }))?.pids ?? [];
}

async function asked({ runs = [], agent = { kind: 'claude', conversation: id }, ...over }: Asked = {}) {
  const { sessions } = await hands.look();
  const about = { agent, cwd: over.cwd ?? room.tmux.folder };
  return outlived({ ...hands, ...over.hands }, about, sessions, runs.map(entryOf));
}

interface Asked {
  readonly runs?: readonly string[];
  readonly agent?: Reopening['agent'];
  readonly cwd?: string;
  readonly hands?: Partial<Hands>;
}

/** A minute later. */
const LATER = { hands: { now: () => Date.now() + 61_000 } };

/** In a folder of its own: agents of other tests that have not spoken are in theirs. */
const inFolder = (argv: readonly string[]) => ['env', '-C', room.tmux.folder, ...argv];

/** Starts it outside of tmux, and waits until it is itself: the `env` that starts it has its path among its arguments too. */
async function outside(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const { pid } = await started.start(inFolder(argv), env);
  await until('it runs', () => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0] !== 'env' && words.includes(claude);
  });
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

  it('says so also where a pane that shows something else by now bears its mark', async () => {
    const home = join(room.tmux.folder, 'home');
    mkdirSync(home);
    const { paneId } = await room.tmux.session('worker', 'sleep', '1000');
    const TMUX = `${room.tmux.socketPath},${await room.tmux.tmux('display-message', '-p', '#{pid}')},0`;
    const pid = await outside([claude], { HOME: home, TMUX, TMUX_PANE: paneId });
    const relation = await until('the look has it', async () => {
      const { sessions } = await hands.look();
      const pieces = sessions.flatMap(({ evidence }) => evidence);
      const notes = pieces.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []));
      return notes.find((note) => note.pid === pid)?.relation;
    });
    expect(relation).toBe('outside');
    expect(await found()).toEqual([]);
    says(home, pid, id);
    expect(await found()).toEqual([pid]);
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

describe('whoever has not said yet which conversation it is in', () => {
  it('may be in it, and is waited for; by its own folder, also through a link', async () => {
    const link = join(room.tmux.folder, 'link');
    symlinkSync(room.tmux.folder, link);
    const pid = await outside([claude, '--continue']);
    const young = { state: 'silent', kind: 'claude', pids: [pid], isYoung: true };
    expect(await asked()).toEqual(young);
    expect(await asked({ cwd: link })).toEqual(young);
    expect(await asked({ cwd: join(room.tmux.folder, 'bin') })).toBeNull();
    expect(await asked({ agent: { kind: 'codex', conversation: id } })).toBeNull();
    expect(await asked({ agent: { kind: 'claude', conversation: null } })).toBeNull();
    expect(await asked(LATER)).toEqual({ ...young, isYoung: false });
  });

  it('is believed after a minute, when it says another', async () => {
    const home = join(room.tmux.folder, 'home');
    mkdirSync(home);
    const pid = await outside([claude, '--continue'], { HOME: home });
    says(home, pid, crypto.randomUUID());
    expect(await asked()).toMatchObject({ state: 'silent', pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('is believed in a pane too', async () => {
    const home = join(room.tmux.folder, 'home');
    mkdirSync(home);
    const place = ['-s', 'hand', '-c', room.tmux.folder, '-e', `HOME=${home}`];
    await room.tmux.tmux('new-session', '-d', ...place, claude, '--continue');
    const pid = Number(await room.tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
    const silent = await until('it runs', () => asked());
    expect(silent).toMatchObject({ state: 'silent', pids: [pid] });
    says(home, pid, crypto.randomUUID());
    expect(await asked()).toMatchObject({ state: 'silent', pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('counts for a minute where it names none, and not at all where rollcall started it', async () => {
    await outside([claude], { ROLLCALL_RUN: crypto.randomUUID() });
    expect(await asked()).toBeNull();
    const pid = await outside([claude]);
    expect(await asked()).toMatchObject({ pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('is what a launcher has started, and not the launcher', async () => {
    const launcher = join(room.tmux.folder, 'launcher', 'bin', 'claude');
    mkdirSync(dirname(launcher), { recursive: true });
    writeFileSync(launcher, `#!/bin/bash\n${claude} "$@" &\necho $! > ${room.tmux.folder}/inner\nwait\n`, {
      mode: 0o755,
    });
    await started.start(inFolder([launcher, '--continue']));
    const inner = await until('both run', () => {
      const told = readFileSync(join(room.tmux.folder, 'inner'), { encoding: 'utf8', flag: 'a+' });
      return Number(told);
    });
    started.own(inner);
    const silent = await until(
      'it is itself',
      () => asked(),
      (found) => found?.pids.includes(inner) === true,
    );
    expect(silent?.pids).toEqual([inner]);
  });
});
