import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClosedSession } from '../../../src/core/close/find-receipt.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { reopeningOf } from '../../../src/core/close/reopening.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { hindranceTo } from '../../../src/engine/act/reopen/may-start.ts';
import { until } from '../../support/until.ts';
import { AgentRoom, LATER } from './agent-room.ts';

let room: AgentRoom;
let hands: Hands;

beforeEach(async () => {
  room = new AgentRoom();
  hands = await room.room.hands();
});
afterEach(() => room.leave());

const asked = (given?: Parameters<typeof room.asked>[1]) => room.asked(hands, given);

const CONTAINER = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child=KILL'];
const hasNamespaces = (() => {
  try {
    execFileSync('unshare', [...CONTAINER.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** In one pane an agent that somebody has stopped with Ctrl-Z, and in front of it another one. */
async function twoInPane(...words: string[]) {
  const { tmux } = room.room;
  await tmux.tmux(
    ...['new-session', '-d', '-s', 'hand', '-c', room.folder, '-e', `HOME=${room.home}`],
    ...['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'],
  );
  const shell = Number(await tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
  const type = (...keys: string[]) => tmux.tmux('send-keys', '-t', '=hand:', ...keys);
  const children = () => {
    const pids = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ');
    return pids.map(Number).filter((pid) => pid > 0 && commandOf(pid).includes(room.claude));
  };
  await type(room.claude, 'Enter');
  const [stopped = 0] = await until('the first runs', children, (pids) => pids.length === 1);
  // Until it waits for a line, the key may reach the shell.
  await until('it waits', () => readFileSync(`/proc/${stopped}/stat`, 'utf8').includes(') S'));
  await type('C-z');
  await until('it is stopped', () => readFileSync(`/proc/${stopped}/stat`, 'utf8').includes(') T'));
  await type([room.claude, ...words].join(' '), 'Enter');
  const both = await until('the second runs', children, (pids) => pids.length === 2);
  return { stopped, front: both.find((pid) => pid !== stopped) ?? 0 };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('an agent is asked itself which conversation it has', () => {
  it('also where its pane shows another one', async () => {
    const { stopped, front } = await twoInPane();
    room.says(stopped, crypto.randomUUID());
    room.says(front, room.id);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [front] });
    room.says(front, crypto.randomUUID());
    room.says(stopped, room.id);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [stopped] });
  });

  it('and is believed there', async () => {
    const { stopped, front } = await twoInPane('--continue');
    room.says(stopped, crypto.randomUUID());
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [front], isYoung: false });
    room.says(front, crypto.randomUUID());
    expect(await asked(LATER)).toBeNull();
  });

  it.skipIf(!hasNamespaces)('by the number that it has in its container', async () => {
    const { pid } = await room.started.start(room.inFolder([...CONTAINER, room.claude]), { HOME: room.home });
    const inner = await until('it runs', () => {
      const [child = 0] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number);
      return commandOf(child).includes(room.claude) ? child : 0;
    });
    // It would say so by a number that nobody else knows.
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [inner] });
    room.says(inner, crypto.randomUUID(), 1);
    expect(await asked(LATER)).toBeNull();
    room.says(inner, room.id, 1);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [inner] });
  });

  it('by what its hooks have told, where only they do', async () => {
    const gemini = room.program('gemini');
    const { tmux } = room.room;
    const { paneId } = await tmux.session('worker', 'sleep', '1000');
    const TMUX = `${tmux.socketPath},${tmux.serverPid},0`;
    const pid = await room.outside([gemini], { HOME: room.home, TMUX, TMUX_PANE: paneId });
    const now = Date.now() + 61_000;
    const sender = { paneId, tmuxServerPid: tmux.serverPid, parentPid: pid };
    const memory = { agentKind: 'gemini', conversation: room.id, subagents: [], sender };
    const about = () => [{ ...memory, last: { event: 'SessionStart', at: now } }];
    const agent = { kind: 'gemini', conversation: room.id };
    const over = { now: () => now };
    expect(await asked({ agent, hands: over })).toBeNull();
    expect(await asked({ agent, hands: { ...over, hooks: { about } as never } })).toMatchObject({
      ...{ state: 'outlived', pids: [pid] },
    });
  });
});

describe('an agent that cannot be asked may have any conversation', () => {
  it('while what it says cannot be read, however it began', async () => {
    for (const words of [[], ['--resume', crypto.randomUUID()]]) {
      const pid = await room.outside([room.claude, ...words], { HOME: room.home });
      room.says(pid, crypto.randomUUID());
      expect(await asked(LATER)).toBeNull();
      writeFileSync(room.statusOf(pid), '{"pid":');
      expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid], isYoung: false });
      expect(await asked({ ...LATER, cwd: room.home })).toBeNull();
      await room.started.endAll();
    }
  });

  it('in a pane, where only its command line names one', async () => {
    const { tmux } = room.room;
    const place = ['-c', room.folder, '-e', `HOME=${room.home}`];
    const command = [room.claude, '--resume', crypto.randomUUID()];
    await tmux.tmux('new-session', '-d', '-s', 'hand', ...place, ...command);
    const pid = Number(await tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
    await until('it runs', () => commandOf(pid).includes(room.claude));
    expect(await asked(LATER)).toBeNull();
    room.says(pid, crypto.randomUUID());
    writeFileSync(room.statusOf(pid), '{"pid":');
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
  });

  it('without a home of which anything is known', async () => {
    const pid = await room.outside([room.claude]);
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
    await room.started.endAll();
    const other = await room.outside([room.claude], { HOME: `${room.home}/gone` });
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [other] });
  });

  it('but for one that a look has heard in its pane', async () => {
    const place = ['-c', room.folder, '-e', `HOME=${room.home}`, '-e', 'XDG_DATA_HOME=/nowhere'];
    const { tmux } = room.room;
    await tmux.tmux('new-session', '-d', '-s', 'hand', ...place, room.claude);
    const pid = Number(await tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
    await until('it runs', () => commandOf(pid).includes(room.claude));
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
    room.says(pid, crypto.randomUUID());
    expect(await asked(LATER)).toBeNull();
  });
});

it('nothing is started while nobody sees what runs', async () => {
  const panes = [{ paneId: '%1', cwd: room.folder, agent: { kind: 'claude', conversation: room.id } }];
  const whole = reopeningOf(readKept({ session: { key: 'k', name: 'n' }, panes }));
  if (whole === null) throw new Error('nothing is kept');
  const closed = { facts: { key: 'k', name: 'n' }, receipt: null, start: null } as unknown as ClosedSession;
  const hindrance = (table: object) => {
    const sense = () => ({ ...hands.processes.sense(), ...table });
    const blind = { ...hands, processes: { ...hands.processes, sense } };
    return hindranceTo(blind, closed, whole, { sessions: [], isPartial: false });
  };
  expect(await hindrance({})).toBeNull();
  // Where those of others are hidden, one's own are there.
  expect(await hindrance({ isComplete: false, problem: 'hidepid' })).toBeNull();
  for (const unseen of [{ byPid: new Map() }, { mayLackOwn: true }]) {
    expect(await hindrance({ isComplete: false, problem: 'EMFILE', ...unseen })).toMatchObject({
      ...{ state: 'failed', text: expect.stringContaining('EMFILE') },
    });
  }
});
