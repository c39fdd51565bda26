import * as v from 'valibot';
import { restoreDocumentSchema } from '../src/contract/restore-schema.ts';
import type { LifeRoom } from './life-room.ts';
import { expectShape, programOf, shapeOf, VALUE, verifyLedger } from './life-shape.ts';
import { expect } from './life-words.ts';
import { send } from './marked-processes.ts';
import { until } from './until.ts';

/** The tmux server is killed with an agent in it: it comes back awake, and after another kill asleep. */
export async function playRestored(room: LifeRoom): Promise<void> {
  const { specimen, rollcall, step } = room;
  const name = `${specimen.kind}-restored`;
  const { program } = programOf(room);
  const words = [program, ...specimen.chosen.words];
  const flags = ['--env', `LIFE_WORD=${VALUE}`, '--role', 'worker'];
  const actor = await room.start(name, { flags, words });
  room.tmux.run('split-window', '-d', '-t', `=${name}:`, 'tail -f /dev/null');
  const tag = await room.turn(actor);
  // A command that changes something keeps how the session is laid out.
  await rollcall('hold', name, '--json');
  await rollcall('unhold', name, '--json');
  await crash(room, name);
  await step(
    'restore',
    async () => {
      const { missing } = await restored(room, name);
      const back = await room.returned(name);
      expectShape(room, shapeOf(back), program, name);
      const panes = room.tmux
        .run('list-panes', '-s', '-t', `=${name}`, '-F', '#{pane_id}')
        .trim()
        .split('\n');
      expect(panes.length === 2, `it has ${panes.length} panes`);
      await room.turnAfter(back, tag);
      return missing;
    },
    (missing) =>
      `same path, options, variable, folder, panes, conversation; ${missing.length === 0 ? 'nothing is missing' : `not as it was: ${missing.join('; ')}`}`,
  );
  await crash(room, name);
  await step(
    'restore --asleep, wake',
    async () => {
      const { isAsleep } = await restored(room, name, '--asleep');
      expect(isAsleep, 'it does not sleep');
      await rollcall('wake', name, '--json');
      const back = await room.returned(name);
      expectShape(room, shapeOf(back), program, name);
      return room.turnAfter(back, tag);
    },
    (model) => `nothing was started; awake, the model (${model}) was asked with the first turn`,
  );
  await verifyLedger(room);
}

async function restored(room: LifeRoom, name: string, ...flags: string[]) {
  const said = await room.rollcall('restore', name, ...flags, '--yes', '--json');
  const [one] = v.parse(restoreDocumentSchema, said).sessions;
  expect(one?.result === 'restored', `it is ${one?.result}: ${one?.text}`);
  return one as NonNullable<typeof one>;
}

async function crash(room: LifeRoom, name: string): Promise<void> {
  await room.step(
    'kill -9 of the tmux server',
    async () => {
      const actor = await room.returned(name);
      const processes = room.processesOf(actor);
      const pid = Number(room.tmux.run('display-message', '-p', '#{pid}'));
      process.kill(pid, 'SIGKILL');
      // An agent that outlives its terminal would still be in its conversation.
      if (!(await until(() => !processes.some(isThere), 10_000)))
        for (const one of processes) send(one, 'SIGKILL');
      await room.gone(processes);
    },
    () => 'server and agent are gone',
  );
}

function isThere({ pid }: { readonly pid: number }): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
