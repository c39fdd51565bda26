import { describe, expect, it } from 'vitest';
import type { PaneTarget, Terms } from '../../../src/ports/actuator.ts';
import { Machine } from '../machine/machine.ts';
import { Seat, SeatGone } from './seat.ts';
import { tmuxActuator } from './tmux-acts.ts';
import { tmuxSensor } from './tmux-sight.ts';

const SOCKET = '/tmp/tmux-1000/default';

function agentRoom() {
  const machine = new Machine('ports');
  const server = machine.startServer(SOCKET);
  const session = server.newSession({ name: 'work', argv: ['agent-full'], cwd: machine.home }, 'person');
  server.newSession({ name: 'other', argv: ['bash'], cwd: machine.home }, 'person');
  const seat = new Seat(machine, machine.install('home'), 'test', ['test']);
  const { pid, startTicks } = server.process;
  const { id: sessionId, createdAtSeconds } = session;
  const target = { server: { socketPath: SOCKET, pid, startTicks }, sessionId, createdAtSeconds };
  const pane = session.current.active;
  const paneTarget: PaneTarget = { session: target, paneId: pane.id, pid: pane.process.pid };
  const agent = machine.agentIn(pane);
  if (agent === undefined) throw new Error('no agent runs there');
  return { machine, server, session, pane, agent, seat, target, paneTarget, tmux: tmuxActuator(seat) };
}

type Room = ReturnType<typeof agentRoom>;

/** Lets the world go on until it has answered. */
async function answered<T>({ machine }: Room, asked: Promise<T>, withinMs = 20_000): Promise<T | 'silent'> {
  let answer: T | 'silent' = 'silent';
  void asked.then((told) => {
    answer = told;
  });
  await machine.clock.runUntil(machine.clock.ms + withinMs);
  return answer;
}

async function termsIn(room: Room): Promise<Terms> {
  const stanced = await answered(room, room.tmux.stance(room.target), 100);
  if (stanced === 'silent' || stanced.state !== 'seen') throw new Error('it does not tell how it stands');
  return { stance: stanced.stance, aside: new Set() };
}

describe('acts on a simulated tmux', () => {
  it('are done where all is as it was, and not where anything changed', async () => {
    const changes: Readonly<Record<string, (room: Room) => void>> = {
      'it is held': ({ server, session }) => server.setOption(session, '@rollcall_held', '1', 'person'),
      'somebody is attached to it': ({ server, session }) => server.attach(session, 'person'),
      'somebody reads in the pane (copy mode or another mode)': ({ server, pane }) =>
        server.setMode(pane, true, 'person'),
      'its panes are not the same any more': ({ server, pane }) =>
        server.split(pane, { argv: ['bash'], cwd: '/' }, 'person'),
      'its output or its programs moved': ({ agent }) => agent.setDraft('more', 'person'),
      'it joined or left a group of sessions': ({ server, session }) =>
        server.newGrouped(session, 'g', 'person'),
      'another tmux server runs in its place': ({ machine, server }) => {
        server.crash('story');
        machine.startServer(SOCKET).newSession({ name: 'work', argv: ['bash'], cwd: '/' }, 'person');
      },
    };
    for (const [text, change] of Object.entries(changes)) {
      const room = agentRoom();
      await room.machine.clock.runUntil(2000);
      const terms = await termsIn(room);
      change(room);
      expect(await answered(room, room.tmux.removeSession(terms), 100)).toMatchObject({ text });
    }
    const room = agentRoom();
    await room.machine.clock.runUntil(2000);
    const terms = await termsIn(room);
    expect(await answered(room, room.tmux.removeSession(terms), 100)).toEqual({ state: 'done' });
    expect(room.session.isGone).toBe(true);
  });

  it('that nobody waits for any more are not done by a server that hung', async () => {
    const room = agentRoom();
    await room.machine.clock.runUntil(2000);
    const terms = await termsIn(room);
    room.server.setMood('hung', 'story');
    expect(await answered(room, room.tmux.removeSession(terms), 30_000)).toMatchObject({ state: 'failed' });
    room.server.setMood('well', 'story');
    expect(room.session.isGone).toBe(false);

    const soon = await termsIn(room);
    room.server.setMood('hung', 'story');
    const asked = room.tmux.removeSession(soon);
    await room.machine.clock.runUntil(room.machine.clock.ms + 3000);
    room.server.setMood('well', 'story');
    expect(room.session.isGone).toBe(true);
    expect(await answered(room, asked, 100)).toEqual({ state: 'done' });
  });

  it('reach the pane’s program: its exit is typed, and it leaves', async () => {
    const room = agentRoom();
    await room.machine.clock.runUntil(2000);
    await answered(room, room.tmux.type(room.paneTarget, '/exit', await termsIn(room)), 100);
    expect(room.agent.truth.draft).toBe('/exit');
    await answered(room, room.tmux.press(room.paneTarget, 'Enter', await termsIn(room)), 2000);
    expect(room.agent.isAlive).toBe(false);
  });
});

describe('a look at a simulated tmux', () => {
  it('tells late what was so when it was asked, fails, and times out, as the faults say', async () => {
    const room = agentRoom();
    const { machine, seat, server } = room;
    const sensor = tmuxSensor(seat, null, () => []);
    const look = () => sensor.sense(() => ({ observedAt: 0, byPid: new Map(), isComplete: true }));
    const fault = { port: 'tmux.sense', fromMs: 0, forMs: 1000 } as const;
    machine.faults.add({ ...fault, how: 'late', lateMs: 500 });
    const late = look();
    machine.clock.atMs(100, () => server.newSession({ name: 'third', argv: ['bash'], cwd: '/' }, 'person'));
    expect(await answered(room, late, 600)).toMatchObject([{ state: 'present', sessions: { length: 2 } }]);
    await machine.clock.runUntil(2000);
    machine.faults.add({ ...fault, how: 'fail', fromMs: 2000 });
    expect(await answered(room, look(), 100)).toMatchObject([{ state: 'failed', failure: 'failed' }]);
    await machine.clock.runUntil(4000);
    machine.faults.add({ ...fault, how: 'hang', fromMs: 4000 });
    expect(await answered(room, look(), 1000)).toBe('silent');
    server.crash('story');
    expect(await answered(room, look(), 3000)).toMatchObject([{ state: 'absent' }]);
  });
});

describe('a simulated process of rollcall', () => {
  it('hears nothing and does nothing once it is killed', async () => {
    const room = agentRoom();
    const { seat, tmux, target } = room;
    await room.machine.clock.runUntil(2000);
    seat.killAt = seat.steps + 2;
    expect(await answered(room, tmux.stance(target), 100)).toMatchObject({ state: 'seen' });
    expect(() => tmux.stance(target)).toThrow(SeatGone);
    expect(seat).toMatchObject({ isAlive: false, process: { ending: { signal: 'SIGKILL' } } });
    const other = agentRoom();
    const asked = other.tmux.stance(other.target);
    other.seat.kill();
    expect(await answered(other, asked)).toBe('silent');
  });
});
