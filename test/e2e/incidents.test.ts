import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { programOnPath } from '../../src/compose/system/find-program.ts';
import { EXIT_CODES } from '../../src/core/exit-codes.ts';
import { run } from '../../src/engine/act/run.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { lives, receiptsIn } from '../engine/act/closing-room.ts';
import { ReapingRoom, said } from '../engine/reaper/reaping-room.ts';
import { SettlingRoom } from '../engine/settle/settling-room.ts';
import { rollcallInside } from '../support/in-process.ts';
import { until } from '../support/until.ts';

/** What went wrong in other supervisors of agents, played on a real tmux. The numbers are those of their public reports. */
let room: ReapingRoom | SettlingRoom;
afterEach(() => room.leave());

const NINE = Array.from({ length: 9 }, (_, at) => `worker-${at}`);
/** Many more than a reaper that believed what it sees would need. */
const ROUNDS = 5;

/** Puts a tmux first on the PATH that fails as long as a file is there. */
function failingTmux(at: ReapingRoom): { fails(): void; answers(): void } {
  const folder = join(at.tmux.folder, 'failing');
  const sign = join(folder, 'fails');
  mkdirSync(folder);
  const real = programOnPath('tmux', at.env);
  writeFileSync(
    join(folder, 'tmux'),
    `#!/bin/sh\n[ ! -e '${sign}' ] || { echo 'error connecting (Resource temporarily unavailable)' >&2; exit 1; }\nexec '${real}' "$@"\n`,
  );
  chmodSync(join(folder, 'tmux'), 0o755);
  at.env.PATH = `${folder}${delimiter}${at.env.PATH}`;
  return { fails: () => writeFileSync(sign, ''), answers: () => rmSync(sign) };
}

const pidsOf = (at: ReapingRoom) => Promise.all(NINE.map((name) => at.agents.pid(name)));

describe('an answer that fails is no death', () => {
  test('overdeck#2787, instar#487: nine idle sessions stand while tmux fails, and are reaped once it answers', async () => {
    const reaping = new ReapingRoom();
    room = reaping;
    const tmux = failingTmux(reaping);
    reaping.modes.set('enforce');
    await reaping.workers(NINE);
    const pids = await pidsOf(reaping);
    const reaper = await reaping.compose();
    await reaping.until(reaper, 'chosen');
    tmux.fails();
    const events = [];
    for (let round = 0; round < ROUNDS; round += 1) events.push(...(await reaping.round(reaper)).events);
    expect(said(events).filter((event) => event.startsWith('closed'))).toEqual([]);
    const hands = await reaping.eyes();
    const seen = (await hands.look()).sessions.map(({ lifecycle }) => lifecycle);
    expect(seen).toEqual(NINE.map(() => 'unknown'));
    expect(pids.every(lives)).toBe(true);
    expect([receiptsIn(hands), entriesOf(hands).filter(({ action }) => action === 'ended')]).toEqual([
      [],
      [],
    ]);
    tmux.answers();
    expect((await reaping.names()).sort()).toEqual(NINE);
    await reaping.until(reaper, 'closed');
    await reaper.stop();
    expect(await reaping.names()).toHaveLength(NINE.length - 1);
  });

  test('agi-cli#2650: a server whose socket is gone ends nothing that it started', async () => {
    const reaping = new ReapingRoom();
    room = reaping;
    reaping.modes.set('enforce');
    await reaping.workers(NINE);
    const pids = await pidsOf(reaping);
    const aside = `${reaping.tmux.socketPath}.aside`;
    const reaper = await reaping.compose();
    await reaping.until(reaper, 'chosen');
    renameSync(reaping.tmux.socketPath, aside);
    try {
      for (let round = 0; round < ROUNDS; round += 1) await reaping.round(reaper);
      const hands = await reaping.eyes();
      expect(pids.every(lives)).toBe(true);
      expect((await hands.look()).sessions.map(({ lifecycle }) => lifecycle)).toEqual(
        NINE.map(() => 'unknown'),
      );
      expect(receiptsIn(hands)).toEqual([]);
    } finally {
      renameSync(aside, reaping.tmux.socketPath);
    }
    await reaper.stop();
    expect((await reaping.names()).sort()).toEqual(NINE);
  });
});

describe('a name is no identity', () => {
  test('amux#156: agent-1 is not agent-10', async () => {
    const settling = new SettlingRoom();
    room = settling;
    const pid = await settling.worker('agent-10');
    const close = ['close', '--server', settling.tmux.socketPath, '--yes', '--force', 'agent-1'];
    const ran = await rollcallInside(close, settling.env);
    expect(ran.exitCode).toBe(EXIT_CODES['not-found'].code);
    expect([await settling.names(), lives(pid)]).toEqual([['agent-10'], true]);
  });

  test('gastown#909: what was said of a session that ended says nothing of the next one of that name', async () => {
    const settling = new SettlingRoom();
    room = settling;
    await settling.worker('furiosa');
    await settling.complete('furiosa');
    await settling.tmux.tmux('new-session', '-d', '-s', 'other', 'sleep', '1000');
    await settling.tmux.tmux('kill-session', '-t', '=furiosa');
    await settling.start('furiosa', settling.agents.argv('furiosa-2', 'leaves'));
    const pid = await settling.agents.pid('furiosa-2');
    const settler = settling.compose();
    const hands = await settling.eyes();
    // At rest as the first one was, so that only the word about that one is missing.
    await until('it is seen at rest', async () => {
      const { sessions } = await hands.look();
      return sessions.some(({ name, activity }) => name === 'furiosa' && activity === 'idle');
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const { events, standing } = await settling.round(settler);
      const due = standing.due.filter(({ name, state }) => name === 'furiosa' && state === 'due');
      expect([events.filter(({ kind }) => kind === 'closed'), due]).toEqual([[], []]);
    }
    await settler.stop();
    expect([(await settling.names()).sort(), lives(pid)]).toEqual([['furiosa', 'other'], true]);
  });
});

describe('what is not rollcall’s to close', () => {
  test('agetor#85: sessions of another installation stand, however idle they are', async () => {
    const theirs = new ReapingRoom();
    room = theirs;
    const hands = await theirs.eyes();
    const names = ['theirs-1', 'theirs-2'];
    for (const name of names)
      await run(hands, theirs.wish({ name, argv: theirs.agents.argv(name, 'leaves') }));
    const pids = await Promise.all(names.map((name) => theirs.agents.pid(name)));
    const ours = new ReapingRoom();
    try {
      Object.assign(ours.env, {
        TMUX_TMPDIR: theirs.env.TMUX_TMPDIR,
        ROLLCALL_SOCKETS_WITHIN: theirs.env.ROLLCALL_SOCKETS_WITHIN,
        ROLLCALL_SCRIPTED_AGENT: theirs.agents.program,
      });
      ours.modes.set('enforce');
      const eyes = await ours.hands({}, [theirs.tmux.socketPath]);
      Object.assign(ours, { eyes: async () => eyes });
      const reaper = await ours.compose({
        sockets: [theirs.tmux.socketPath],
        openHands: () => ours.hands({}, [theirs.tmux.socketPath]),
      });
      const guards = await until(
        'their agents are seen',
        async () => (await ours.round(reaper)).standing.sessions.map(({ guard }) => guard?.code),
        (codes) => codes.length === 2 && codes.every((code) => code === 'not-managed'),
      );
      expect(guards).toHaveLength(2);
      for (let round = 0; round < ROUNDS; round += 1)
        expect(
          said((await ours.round(reaper)).events).filter((event) => !event.startsWith('vetoed')),
        ).toEqual([]);
      await reaper.stop();
      expect(receiptsIn(eyes)).toEqual([]);
    } finally {
      ours.leave();
    }
    expect([(await theirs.names()).sort(), pids.every(lives)]).toEqual([names, true]);
  });

  test('t3code#5677, instar#1027: a program that an idle agent left running is work, its tool servers are not', async () => {
    const reaping = new ReapingRoom();
    room = reaping;
    reaping.modes.set('enforce');
    await reaping.worker('builds', 'leaves+child');
    await reaping.worker('serves', 'leaves+helper');
    const pid = await reaping.agents.pid('builds');
    const reaper = await reaping.compose();
    const events = await reaping.until(reaper, 'closed');
    expect(said(events).filter((event) => !event.startsWith('vetoed'))).toEqual([
      'chosen serves',
      'closed serves',
    ]);
    for (let round = 0; round < ROUNDS; round += 1) await reaping.round(reaper);
    await reaper.stop();
    expect([await reaping.names(), lives(pid)]).toEqual([['builds'], true]);
  });
});
