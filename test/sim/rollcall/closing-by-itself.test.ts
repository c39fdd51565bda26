import { afterEach, describe, expect, it } from 'vitest';
import type { SimAgent } from '../machine/agent.ts';
import { MEMORY_LEVELS } from '../machine/host.ts';
import { truth } from '../machine/truth.ts';
import { archivesOf } from '../ports/archive.ts';
import { ledgerOf } from '../ports/ledger-store.ts';
import { openRoom, type Room, type RoomWish } from './quiet-room.ts';

const MINUTE = 60_000;
let left: (() => void)[] = [];

afterEach(() => {
  for (const leave of left) leave();
  left = [];
});

/** A room in which every agent has had one turn, and every session is adopted. */
async function adoptedRoom(wish: RoomWish = {}): Promise<Room> {
  const room = openRoom(wish);
  left.push(room.leave);
  const { machine, rollcalls } = room;
  await room.until(2000);
  for (const agent of machine.agents) agent.beginTurn('person', 'build it');
  await room.until(MINUTE);
  for (const agent of machine.agents) agent.endTurn();
  rollcalls.up();
  await room.until(2 * MINUTE);
  for (const { name } of machine.sessions()) {
    const adopted = rollcalls.run('adopt', { session: name });
    await room.until(machine.clock.ms + 1000);
    expect(await adopted.answer).toMatchObject({ state: 'done', value: { result: 'adopted' } });
  }
  return room;
}

function agentOf(room: Room, label: string): SimAgent {
  const agent = room.machine.agentIn(room.pane(label));
  if (agent === undefined) throw new Error(`no agent lives in ${label}`);
  return agent;
}

const entriesOf = ({ machine }: Room) => ledgerOf(machine.install('home')).entries;

describe('the reaper in a simulated world', () => {
  it('puts idle agents to sleep under critical pressure, leaves what works, and wakes them on Enter', async () => {
    const room = await adoptedRoom({ sessions: 3 });
    const { machine, rollcalls } = room;
    const slept = agentOf(room, 's1').truth.conversation;
    rollcalls.reapMode('enforce');
    agentOf(room, 's0').beginTurn('person', 'more');
    await room.until(10 * MINUTE);
    machine.host.setMemory(MEMORY_LEVELS.critical);
    await room.until(30 * MINUTE);

    expect(truth(machine, room.session('s0'))).toMatchObject({ isWorking: true });
    for (const label of ['s1', 's2']) {
      expect(truth(machine, room.session(label)).agents).toEqual([]);
      expect(room.pane(label).process.argv[3]).toBe('rollcall-sleeper');
    }
    const receipts = entriesOf(room).filter(({ kind }) => kind === 'receipt');
    expect(receipts.map(({ action, session }) => `${action} ${session?.name}`).sort()).toEqual([
      'hibernate work-1',
      'hibernate work-2',
    ]);
    expect(archivesOf(machine.install('home')).size).toBe(2);
    expect(ledgerOf(machine.install('home')).check().damage).toBeNull();

    machine.host.setMemory(MEMORY_LEVELS.normal);
    const { server } = room.session('s1');
    server.press(room.pane('s1'), 'Enter', 'person');
    await room.until(32 * MINUTE);
    expect(agentOf(room, 's1').truth.conversation).toBe(slept);
  });

  it('settles a session that is complete', async () => {
    const room = await adoptedRoom({ sessions: 2 });
    const completed = room.rollcalls.run('complete', { session: 'work-1' });
    await room.until(3 * MINUTE);
    expect(await completed.answer).toMatchObject({ state: 'done', value: { result: 'completed' } });
    await room.until(60 * MINUTE);
    expect(room.machine.session('s1')).toBeUndefined();
    expect(room.machine.session('s0')).toBeDefined();
    const close = entriesOf(room).filter(({ action }) => action === 'close');
    expect(close.map(({ kind }) => kind)).toEqual(['intent', 'receipt', 'outcome']);
  });
});

describe('a simulated world', () => {
  it('goes the same way twice, and another way from another seed', async () => {
    const play = async (seed: number, minutes = 21) => {
      const room = await adoptedRoom({ seed, sessions: 2 });
      room.rollcalls.reapMode('enforce');
      room.machine.host.setMemory(MEMORY_LEVELS.critical);
      await room.until(minutes * MINUTE);
      expect(room.machine.agents.size).toBe(minutes > 20 ? 0 : 2);
      room.leave();
      return room.machine.journal.hash();
    };
    const [first, again, other] = [await play(7), await play(7), await play(8, 4)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});
