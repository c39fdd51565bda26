import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { wakeDocumentSchema } from '../src/contract/close-schemas.ts';
import type { LifeRoom } from './life-room.ts';
import { expectShape, programOf, shapeOf, VALUE, verifyLedger } from './life-shape.ts';
import { closingOf, expect, ownExitOf } from './life-words.ts';
import type { MarkedProcess } from './marked-processes.ts';
import { until } from './until.ts';

/** At least so much of its memory has to come back. */
const GIVEN_BACK = 0.95;

/** An agent that rests is put to sleep, gives its memory back, and wakes in its pane: on Enter, and by the command. */
export async function playSleep(room: LifeRoom): Promise<void> {
  const { specimen, rollcall, step } = room;
  const name = `${specimen.kind}-sleeps`;
  const { program } = programOf(room);
  const words = [program, ...specimen.chosen.words];
  const actor = await room.start(name, { flags: ['--env', `LIFE_WORD=${VALUE}`], words });
  const tag = await room.turn(actor);
  const before = memoryOf(room.processesOf(actor));
  const paneId = paneOf(room, name);
  await fallAsleep(room, name, before);
  await step(
    'Enter in its pane',
    async () => {
      await actor.keys(['Enter']);
      return backFrom(room, name, paneId, program);
    },
    (bytes) => `awake in the same pane, same path, options, variable, folder; ${mebibytes(bytes)}`,
  );
  await step(
    'another turn',
    async () => {
      const back = await room.returned(name);
      const model = await room.turnAfter(back, tag);
      expect(specimen.chosen.model.test(model), `the model ${model} was asked`);
      return model;
    },
    (model) => `the model (${model}) was asked with the earlier turn`,
  );
  await fallAsleep(room, name, memoryOf(room.processesOf(actor)));
  await step(
    'wake',
    async () => {
      const woken = v.parse(wakeDocumentSchema, await rollcall('wake', name, '--json'));
      expect(woken.result === 'woken', `it is ${woken.result}`);
      await backFrom(room, name, paneId, program);
      await room.turnAfter(await room.returned(name), tag);
      const again = v.parse(wakeDocumentSchema, await rollcall('wake', name, '--json'));
      expect(again.result === 'awake', `a second wake says ${again.result}`);
      return woken.missing;
    },
    (missing) =>
      `the conversation goes on; ${missing.length === 0 ? 'nothing is missing' : `not as it was: ${missing.join('; ')}`}`,
  );
  await verifyLedger(room);
}

async function fallAsleep(room: LifeRoom, name: string, before: number): Promise<void> {
  await room.step(
    'hibernate',
    async () => {
      const closed = closingOf(await room.rollcall('hibernate', name, '--json'));
      expect(closed.result === 'asleep', `it is ${closed.result}: ${closed.text}`);
      const session = await room.session(name);
      expect(session?.activity === 'asleep', `the roll says ${session?.activity}`);
      const after = memoryOf([
        { pid: Number(room.tmux.run('display-message', '-p', '-t', `=${name}:`, '#{pane_pid}')) },
      ]);
      const part = 1 - after / before;
      expect(part >= GIVEN_BACK, `only ${(part * 100).toFixed(1)} % came back`);
      return `${ownExitOf(closed.receipt)}; ${mebibytes(before)} before, ${mebibytes(after)} asleep: ${(part * 100).toFixed(1)} % given back`;
    },
    (text) => text,
  );
}

/** Waits for its prompt, in the same pane; gives its memory. */
async function backFrom(room: LifeRoom, name: string, paneId: string, program: string): Promise<number> {
  await until(async () => (await room.session(name))?.activity !== 'asleep', 30_000);
  const back = await room.returned(name);
  expect(paneOf(room, name) === paneId, 'it is in another pane');
  expectShape(room, shapeOf(back), program, name);
  return memoryOf(room.processesOf(back));
}

function paneOf({ tmux }: LifeRoom, name: string): string {
  return tmux.run('list-panes', '-s', '-t', `=${name}`, '-F', '#{pane_id}').trim();
}

/** The proportional share of these processes. */
function memoryOf(processes: readonly Pick<MarkedProcess, 'pid'>[]): number {
  return processes.reduce((sum, { pid }) => {
    try {
      const [, kilobytes] =
        /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
      return sum + Number(kilobytes ?? 0) * 1024;
    } catch {
      return sum;
    }
  }, 0);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
