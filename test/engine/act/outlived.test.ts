import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { until } from '../../support/until.ts';
import { AgentRoom, LATER } from './agent-room.ts';

let room: AgentRoom;
let hands: Hands;

beforeEach(async () => {
  room = new AgentRoom();
  hands = await room.room.hands();
});
afterEach(() => room.leave());

const found = (runs?: readonly string[], agent?: null) => room.found(hands, runs, agent);
const asked = (given?: Parameters<typeof room.asked>[1]) => room.asked(hands, given);

describe('whoever is still at a conversation', () => {
  it('is nobody where no agent names it', async () => {
    await room.outside([room.claude, '--resume', crypto.randomUUID()]);
    expect(await found()).toEqual([]);
  });

  it('has its id among its arguments, also without a screen and behind another program', async () => {
    const pids = [
      await room.outside([room.claude, '--resume', room.id]),
      await room.outside([room.claude, '-p', '--resume', room.id, 'job']),
      await room.outside(['/bin/sh', room.claude, `--resume=${room.id}`]),
    ];
    expect((await found()).toSorted()).toEqual(pids.toSorted());
  });

  it('is found in a pane that shows another agent in front', async () => {
    const line = `${room.claude} --resume ${room.id} & exec ${room.claude} --resume ${crypto.randomUUID()}`;
    await room.room.tmux.session('hand', 'bash', '-c', line);
    expect(
      await until(
        'it runs',
        () => found(),
        (pids) => pids.length > 0,
      ),
    ).toHaveLength(1);
  });

  it('says so also where a pane that shows something else by now bears its mark', async () => {
    const { paneId } = await room.room.tmux.session('worker', 'sleep', '1000');
    const TMUX = `${room.room.tmux.socketPath},${await room.room.tmux.tmux('display-message', '-p', '#{pid}')},0`;
    const pid = await room.outside([room.claude], { HOME: room.home, TMUX, TMUX_PANE: paneId });
    const relation = await until('the look has it', async () => {
      const { sessions } = await hands.look();
      const pieces = sessions.flatMap(({ evidence }) => evidence);
      const notes = pieces.flatMap((piece) => (piece.kind === 'processes' ? piece.processes : []));
      return notes.find((note) => note.pid === pid)?.relation;
    });
    expect(relation).toBe('outside');
    expect(await found()).toEqual([]);
    room.says(pid, room.id);
    expect(await found()).toEqual([pid]);
  });

  it('says so itself, where its arguments do not', async () => {
    const pid = await room.outside([room.claude, '--continue'], { HOME: room.home });
    expect(await found()).toEqual([]);
    room.says(pid, room.id);
    expect(await found()).toEqual([pid]);
  });

  it('bears the mark of any run of the session, also where its agent is not known', async () => {
    const pid = await room.outside([room.claude], { ROLLCALL_RUN: `run-${room.id}` });
    expect(await found()).toEqual([]);
    expect(await found(['first', `run-${room.id}`])).toEqual([pid]);
    expect(await found([`run-${room.id}`], null)).toEqual([pid]);
  });

  it('is not the tmux server whose first session had those words', async () => {
    const server = await room.started.start([
      'bash',
      '-c',
      `exec -a tmux sh ${room.claude} new --resume ${room.id}`,
    ]);
    await until('it runs', () => readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').startsWith('tmux'));
    expect(await found()).toEqual([]);
  });
});

describe('whoever has not said yet which conversation it is in', () => {
  it('may be in it, and is waited for; by its own folder, also through a link', async () => {
    const link = join(room.folder, 'link');
    symlinkSync(room.folder, link);
    const pid = await room.outside([room.claude, '--continue']);
    const young = { state: 'silent', kind: 'claude', pids: [pid], isYoung: true };
    expect(await asked()).toEqual(young);
    expect(await asked({ cwd: link })).toEqual(young);
    expect(await asked({ cwd: join(room.folder, 'bin') })).toBeNull();
    expect(await asked({ agent: { kind: 'codex', conversation: room.id } })).toBeNull();
    expect(await asked({ agent: { kind: 'claude', conversation: null } })).toBeNull();
    expect(await asked(LATER)).toEqual({ ...young, isYoung: false });
  });

  it('is believed after a minute, when it says another', async () => {
    const pid = await room.outside([room.claude, '--continue'], { HOME: room.home });
    room.says(pid, crypto.randomUUID());
    expect(await asked()).toMatchObject({ state: 'silent', pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('is believed in a pane too', async () => {
    const place = ['-s', 'hand', '-c', room.folder, '-e', `HOME=${room.home}`];
    await room.room.tmux.tmux('new-session', '-d', ...place, room.claude, '--continue');
    const pid = Number(await room.room.tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
    const silent = await until('it runs', () => asked());
    expect(silent).toMatchObject({ state: 'silent', pids: [pid] });
    room.says(pid, crypto.randomUUID());
    expect(await asked()).toMatchObject({ state: 'silent', pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('counts for a minute where it names none, and not at all where rollcall started it', async () => {
    await room.outside([room.claude], { HOME: room.home, ROLLCALL_RUN: crypto.randomUUID() });
    expect(await asked()).toBeNull();
    const pid = await room.outside([room.claude], { HOME: room.home });
    expect(await asked()).toMatchObject({ pids: [pid] });
    expect(await asked(LATER)).toBeNull();
  });

  it('is what a launcher has started, and not the launcher', async () => {
    const launcher = join(room.folder, 'launcher', 'bin', 'claude');
    mkdirSync(dirname(launcher), { recursive: true });
    writeFileSync(launcher, `#!/bin/bash\n${room.claude} "$@" &\necho $! > ${room.folder}/inner\nwait\n`, {
      mode: 0o755,
    });
    await room.started.start(room.inFolder([launcher, '--continue']));
    const inner = await until('both run', () => {
      const told = readFileSync(join(room.folder, 'inner'), { encoding: 'utf8', flag: 'a+' });
      return Number(told);
    });
    room.started.own(inner);
    const silent = await until(
      'it is itself',
      () => asked(),
      (found) => found?.pids.includes(inner) === true,
    );
    expect(silent?.pids).toEqual([inner]);
  });
});
