import type { LifeRoom } from './life-room.ts';
import { closingOf, endOf, expect } from './life-words.ts';
import { send } from './marked-processes.ts';
import { NotReached, until } from './until.ts';

/** An agent that leaves by its own command or key has finished: with a receipt, out of the way, never lost. */
export async function playOwnEnd(room: LifeRoom): Promise<void> {
  const { specimen, step } = room;
  const name = `${specimen.kind}-exits`;
  const actor = await room.start(name);
  const tag = await room.turn(actor);
  const processes = room.processesOf(actor);
  await step(
    specimen.exitCommand,
    async () => {
      await actor.submit(specimen.exitCommand);
      await room.gone(processes);
      return finished(room, name);
    },
    (receipt) => `closed, status 0, receipt ${receipt}, not on the roll`,
  );
  await goOn(room, name, tag);
  const keyed = `${specimen.kind}-keyed`;
  const other = await room.start(keyed);
  const others = room.processesOf(other);
  await step(
    specimen.exitKeys.join(' '),
    async () => {
      await other.keys(specimen.exitKeys);
      await room.gone(others);
      return finished(room, keyed);
    },
    (receipt) => `closed, status 0, receipt ${receipt}, not on the roll`,
  );
}

/** One that was killed is told with its signal, and goes on in its conversation. */
export async function playKilled(room: LifeRoom): Promise<void> {
  const name = `${room.specimen.kind}-killed`;
  const actor = await room.start(name);
  const tag = await room.turn(actor);
  await room.step(
    'kill -9',
    async () => {
      const processes = room.processesOf(actor);
      for (const one of processes) send(one, 'SIGKILL');
      await room.gone(processes);
      return ended(room, name, 'stale, signal 9');
    },
    ({ text, reason }) => `${text}: “${reason}”`,
  );
  await goOn(room, name, tag);
}

async function finished(room: LifeRoom, name: string): Promise<string> {
  await ended(room, name, 'closed, status 0');
  expect((await room.session(name)) === undefined, 'it still stands on the roll');
  // Whoever acts next takes it into the ledger.
  const again = closingOf(await room.rollcall('close', name, '--json'));
  const settled = await room.session(name, '--lifecycle', 'closed');
  if (settled?.receipt == null) throw new NotReached(`it has no receipt: ${again.text}`);
  return settled.receipt;
}

async function ended(room: LifeRoom, name: string, expected: string) {
  let text = 'it stands';
  const one = await until(async () => {
    // A tmux that missed the end is woken by the look.
    const seen = await room.session(name, '--all');
    text = seen === undefined ? 'it is not listed' : endOf(seen);
    return text === expected && seen !== undefined && !room.hasSession(name) ? seen : null;
  }, 30_000);
  if (one === null) throw new NotReached(`not “${expected}”: ${text}`);
  return { text, reason: one.reasons[0]?.text ?? '' };
}

async function goOn(room: LifeRoom, name: string, tag: string): Promise<void> {
  await room.step(
    'reopen, another turn',
    async () => {
      await room.rollcall('reopen', name, '--server', room.tmux.socketPath, '--json');
      const actor = await room.returned(name);
      await room.turnAfter(actor, tag);
      room.tmux.run('kill-session', '-t', `=${name}`);
      await room.rollcall('close', name, '--json');
    },
    () => 'the model was asked with the earlier turn',
  );
}
