import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFolderWatch, spoolNews } from '../../../src/adapters/daemon/folder-watch.ts';
import { createPulse } from '../../../src/adapters/daemon/pulse.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import type { DaemonParts } from '../../../src/engine/daemon/parts.ts';
import { KeptLog } from '../../adapters/daemon/daemon-samples.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { realLook } from '../../support/real-look.ts';
import { until } from '../../support/until.ts';
import { Supervised, stateFolder } from './supervised.ts';

let tmux: PrivateTmux;
let state: string;
let spool: string;
const running: Supervised[] = [];
beforeEach(() => {
  tmux = new PrivateTmux('ward');
  state = stateFolder();
  spool = join(state, 'rollcall', 'spool');
});
afterEach(async () => {
  // A stopped server would hold up the last round.
  try {
    if (tmux.serverPid > 0) process.kill(tmux.serverPid, 'SIGCONT');
  } catch {
    // It is gone.
  }
  for (const one of running.splice(0)) await one.daemon.stop();
  tmux.stop();
});

/** A daemon with real eyes and ears, on the server of this test only. */
const supervise = (changes: Partial<DaemonParts> = {}): Supervised => {
  const one = new Supervised(realLook([tmux], {}, {}, state).roll, {
    wakes: [
      createPulse(),
      createFolderWatch({ folder: spool, why: 'hook', isNews: spoolNews(spool), log: new KeptLog() }),
    ],
    ...changes,
  });
  running.push(one);
  return one.start();
};
/** A shell at rest: one that has just begun works, and changes once it has. */
const calm = async (): Promise<void> => {
  await tmux.session('calm');
  await until(
    'its prompt stands',
    async () => (await tmux.tmux('capture-pane', '-p', '-t', '=calm:')) === '$',
  );
};
const names = ({ sessions }: Roll) => sessions.map(({ name }) => name).sort();
const has = (name: string) => (roll: Roll) => names(roll).includes(name);

describe('a daemon beside a real tmux server', () => {
  test('sees a pane die without any hook, by its pulse', async () => {
    const { pid } = await tmux.session('doomed', 'sleep', '1000');
    await calm();
    const one = supervise();
    await one.seen('both', has('doomed'));
    process.kill(pid, 'SIGKILL');
    const round = await one.seen('its end', (roll) => !has('doomed')(roll));
    expect(round.changes).toMatchObject([{ kind: 'session', session: { name: 'doomed' }, to: null }]);
  });

  test('is woken by the file of a hook, long before the next round is due', async () => {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    await calm();
    const one = supervise();
    await one.seen('it', has('calm'));
    expect(one.last?.nextInMs).toBe(10_000);
    writeFileSync(join(spool, '0001'), 'rollcall-hook=1\n');
    await one.seen('a round for it', (_, { wokenBy }) => wokenBy.includes('hook'), 8000);
  });

  test('notices a new session by its program', async () => {
    await calm();
    const one = supervise();
    await one.seen('it', has('calm'));
    await tmux.session('new');
    const round = await one.seen('the new one', has('new'), 8000);
    expect(round.wokenBy).toContain('birth');
    expect(round.missedHints).toBe(0);
  });

  test('S35: no server at all is no reason to stop; the first one that comes is supervised', async () => {
    const one = supervise();
    await one.seen('an empty roll', (roll) => roll.sessions.length === 0);
    await tmux.session('first');
    await one.seen('the first', has('first'), 18_000);
  });

  test('S3, S35: the server ends and another begins under it: what went is said, what came is supervised', async () => {
    await tmux.session('before');
    const one = supervise();
    await one.seen('it', has('before'));
    await tmux.killServer();
    const gone = await one.seen('its end', (roll) => roll.sessions.length === 0);
    expect(gone.roll.problems).toMatchObject([
      { code: 'server-ended', text: expect.stringContaining('before') },
    ]);
    await tmux.session('after');
    await one.daemon.desk.lookNow();
    expect(names((await one.seen('the new one', has('after'))).roll)).toEqual(['after']);
  });

  test('S32: a server that hangs makes its sessions unknown, not gone, and all is well once it wakes', async () => {
    await calm();
    const decidedOn: Roll[] = [];
    const one = supervise();
    one.daemon.desk.onRound(({ roll }) => {
      decidedOn.push(roll);
    });
    await one.seen('it', has('calm'));
    process.kill(tmux.serverPid, 'SIGSTOP');
    const state = () => readFileSync(`/proc/${tmux.serverPid}/stat`, 'latin1');
    await until('it is stopped', state, (text) => text.includes(') T '));
    const hung = await one.daemon.desk.lookNow();
    expect(hung.roll.sessions).toMatchObject([{ name: 'calm', activity: 'unknown', lifecycle: 'unknown' }]);
    expect(hung.roll.problems).toMatchObject([{ code: 'server-stopped' }]);
    process.kill(tmux.serverPid, 'SIGCONT');
    await one.daemon.desk.lookNow();
    const awake = await one.seen('it again', (roll) => roll.sessions[0]?.lifecycle === 'active');
    expect(decidedOn.every((roll) => names(roll).includes('calm'))).toBe(true);
    expect(awake.roll.problems).toEqual([]);
    expect(
      one.rounds.flatMap(({ changes }) => changes).filter(({ kind }) => kind === 'problem'),
    ).toMatchObject([
      { problem: { code: 'server-stopped' }, isOver: false },
      { problem: { code: 'server-stopped' }, isOver: true },
    ]);
  });

  test('S32: nearly everything dead at once is a fault of the system, and no verdict on any', async () => {
    const pids: number[] = [];
    for (const name of ['a', 'b', 'c', 'd']) pids.push((await tmux.session(name, 'sleep', '1000')).pid);
    await tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    // Nobody looks while some are dead and others still about to die.
    let held = Promise.resolve();
    let letGo = () => {};
    const look = realLook([tmux], {}, {}, state).roll;
    const one = supervise({ look: (options) => held.then(() => look(options)) });
    await one.seen('all', (roll) => roll.sessions.length === 4);
    await one.daemon.desk.lookNow();
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const dead = () => tmux.tmux('list-panes', '-a', '-F', '#{pane_dead}');
    await until('all are dead', dead, (answer) => answer === '1\n1\n1\n1');
    letGo();
    const round = await one.seen('the deaths', (roll) =>
      roll.sessions.every(({ panes }) => panes[0]?.isDead),
    );
    expect(round.roll.sessions.map(({ lifecycle }) => lifecycle)).toEqual(Array(4).fill('unknown'));
  });

  test('S50: the one after it goes on where it was, and tells nothing twice', async () => {
    await calm();
    const one = supervise();
    await one.seen('it', has('calm'));
    await one.daemon.stop();
    const next = supervise();
    const round = await next.seen('it', has('calm'));
    expect(round).toMatchObject({ number: 1, wokenBy: ['start'], changes: [] });
    expect(round.roll.problems).toEqual([]);
  });
});
