import { afterEach, describe, expect, it } from 'vitest';
import { truth } from '../machine/truth.ts';
import { ledgerOf } from '../ports/ledger-store.ts';
import { openRoom, type Room } from './quiet-room.ts';

let room: Room | null = null;

afterEach(() => room?.leave());

/** A room in which two agents have had a turn each and rest. */
async function restedRoom(): Promise<Room> {
  room?.leave();
  const opened = openRoom({ sessions: 2 });
  room = opened;
  const { machine } = opened;
  await opened.until(2000);
  for (const agent of machine.agents) agent.beginTurn('person', 'build it');
  await opened.until(10_000);
  for (const agent of machine.agents) agent.endTurn();
  await opened.until(20_000);
  return opened;
}

/** All of them take a minute; every one of these is in another part of a close. */
const EVERY = 23;

/** Closes a session with a command that is killed at a step, and once more with one that lives. */
async function closeTwice(killAt: number) {
  const { machine, rollcalls, until } = await restedRoom();
  const killed = rollcalls.run('close', { session: 'work-1' }, { killAt });
  await until(90_000);
  expect(killed.seat).toMatchObject({ isAlive: false, steps: killAt });
  const again = rollcalls.run('close', { session: 'work-1' });
  await until(200_000);
  const answer = await again.answer;
  return { machine, answer: answer.state === 'done' ? answer.value.sessions[0] : answer };
}

describe('a simulated command that is killed', () => {
  it('leaves nothing that the next one does not bring to its end, whichever step it was', async () => {
    const { rollcalls, until } = await restedRoom();
    const whole = rollcalls.run('close', { session: 'work-1' });
    await until(90_000);
    expect(await whole.answer).toMatchObject({ value: { sessions: [{ result: 'closed' }] } });
    for (let at = 1; at < whole.seat.steps; at += EVERY) {
      const { machine, answer } = await closeTwice(at);
      const { entries, folded } = ledgerOf(machine.install('home'));
      expect(folded.openIntents.size, `step ${at}`).toBe(0);
      const [other, own] = [machine.session('s0'), machine.session('s1')];
      expect(other && truth(machine, other).agents, `step ${at}`).toHaveLength(1);
      const receipts = entries.flatMap(({ kind, body }) => (kind === 'receipt' ? [String(body.result)] : []));
      // Where its agent was still there when that was found out, there is a receipt for that as well.
      if (own === undefined)
        expect(receipts.join(), `step ${at}`).toMatch(/^(?:partial,)?(?:closed|recovered)$/);
      else {
        // Killed between typing and Enter, it leaves what it typed; nobody can tell that from a draft.
        expect(truth(machine, own).agents[0]?.truth.draft, `step ${at}`).toBe('/exit');
        expect(answer, `step ${at}`).toMatchObject({ result: 'refused' });
      }
    }
  });
});
