import * as v from 'valibot';
import { closeDocumentSchema } from '../src/contract/close-schemas.ts';
import type { LifeRoom } from './life-room.ts';
import { expect, ownExitOf } from './life-words.ts';
import { NotReached, until } from './until.ts';

const DUE_MS = 90_000;

/** Declared complete from outside, kept for its time, and closed once that is over. */
export async function playRetained(room: LifeRoom): Promise<void> {
  const { specimen, rollcall, step } = room;
  const name = `${specimen.kind}-retained`;
  const actor = await room.start(name, { flags: ['--role', 'worker', '--task', 'T-1'] });
  const tag = await room.turn(actor);
  await step(
    'complete',
    () => rollcall('complete', name, '--evidence', 'the turn is over', '--json'),
    () => 'declared',
  );
  for (const state of ['completed-retained', 'safe-to-close']) {
    await step(
      state,
      () => rollcall('wait', name, '--until', state, '--timeout', '90s', '--json'),
      () => 'reached',
    );
  }
  const processes = room.processesOf(actor);
  const before = (await room.session(name))?.agent?.conversation ?? null;
  await step(
    'close --due',
    async () => {
      const closed = await closedWhenDue(room);
      await room.gone(processes, 1000);
      return closed;
    },
    ({ receipt }) => ownExitOf(receipt),
  );
  await step(
    'reopen, another turn',
    async () => {
      await rollcall('reopen', name, '--json');
      const back = await room.returned(name);
      const after = (await room.session(name))?.agent?.conversation ?? null;
      expect(before !== null && after === before, `conversation ${after} is not ${before}`);
      await room.turnAfter(back, tag);
      room.tmux.run('kill-session', '-t', `=${name}`);
      await rollcall('close', name, '--json');
      return after;
    },
    (conversation) => `conversation ${conversation}`,
  );
}

// As a schedule calls it: an agent that draws something at that moment is left for the next time.
async function closedWhenDue({ ask, tmux }: LifeRoom) {
  const closed = await until(async () => {
    const { document } = await ask('close', '--due', '--server', tmux.socketPath, '--json');
    const { sessions } = v.parse(closeDocumentSchema, document);
    return sessions.find(({ result }) => result === 'closed') ?? null;
  }, DUE_MS);
  if (closed === null) throw new NotReached('it was not due');
  return closed;
}
