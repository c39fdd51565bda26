import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as v from 'valibot';
import { reopenDocumentSchema } from '../src/contract/close-schemas.ts';
import type { Actor } from './actor.ts';
import type { LifeRoom } from './life-room.ts';
import { expectShape, programOf, shapeOf, VALUE, verifyLedger } from './life-shape.ts';
import { closingOf, expect, ownExitOf } from './life-words.ts';
import { NotReached } from './until.ts';

/**
 * A person closes an agent right after its turn, with a file that is not committed; it is told as closed wherever one
 * asks; and it comes back as it was started, on the same conversation.
 */
export async function playReturn(room: LifeRoom): Promise<void> {
  const { specimen, dwelling, step } = room;
  const name = `${specimen.kind}-returns`;
  const { bin, program } = programOf(room);
  const words = [program, ...specimen.chosen.words];
  const actor = await step(
    'run',
    () => room.start(name, { flags: ['--env', `LIFE_WORD=${VALUE}`], words }),
    () => `${specimen.chosen.words.join(' ')}, by its path, with --env`,
  );
  writeFileSync(join(room.folderOf(name), 'draft.txt'), 'not committed\n');
  const tag = await room.turn(actor);
  expectShape(room, shapeOf(actor), program, name);
  await closeByName(room, actor, name);
  await askClosed(room, name);
  await step(
    'reopen',
    async () => {
      // Nothing but the path that was kept leads to the program.
      const PATH = (dwelling.env.PATH ?? '').split(delimiter).filter((folder) => folder !== bin);
      const ask = room.askWith({ ...dwelling.env, PATH: PATH.join(delimiter) });
      const { code, document } = await ask('reopen', name, '--json');
      expect(code === 0, `reopen ended with ${code}: ${JSON.stringify(document)}`);
      const { missing } = v.parse(reopenDocumentSchema, document);
      const back = await room.returned(name);
      expectShape(room, shapeOf(back), program, name);
      return missing;
    },
    (missing) =>
      `same path, options, variable, folder, name; ${missing.length === 0 ? 'nothing is missing' : `not as it was: ${missing.join('; ')}`}`,
  );
  await step(
    'another turn',
    async () => {
      const model = await room.turnAfter(await room.returned(name), tag);
      expect(specimen.chosen.model.test(model), `the model ${model} was asked`);
      return model;
    },
    (model) => `the model (${model}) was asked with the earlier turn`,
  );
  await verifyLedger(room);
}

async function closeByName(room: LifeRoom, actor: Actor, name: string): Promise<void> {
  const { rollcall, step } = room;
  const processes = room.processesOf(actor);
  const waiting = rollcall('wait', name, '--until', 'closed', '--timeout', '120s', '--json');
  // It is asked for its outcome below, and must not end the run before.
  waiting.catch(() => undefined);
  const closed = await step(
    'close, by a person',
    async () => closingOf(await rollcall('close', name, '--json')),
    (one) =>
      `${ownExitOf(one.receipt)}; noted: ${(one.receipt?.waived ?? []).map(({ code }) => code).join(', ')}`,
  );
  await room.gone(processes, 1000);
  const { waived = [], isForced } = closed.receipt ?? {};
  const kinds = waived.map(({ kind }) => kind);
  expect(
    kinds.every((kind) => kind === 'unfinished'),
    'something was lost',
  );
  const codes = waived.map(({ code }) => code);
  expect(codes.includes('work-saved'), `the uncommitted file is not noted: ${codes.join(', ')}`);
  expect(isForced === false, 'it was closed by force');
  await step(
    'wait --until closed',
    () => waiting,
    () => 'reached, begun before the close',
  );
}

async function askClosed(room: LifeRoom, name: string): Promise<void> {
  await room.step(
    'asked about it',
    async () => {
      const receipts: (string | null | undefined)[] = [];
      for (const flags of [['--all'], ['--lifecycle', 'closed']])
        receipts.push((await room.session(name, ...flags))?.receipt);
      await room.rollcall('explain', name, '--json');
      await room.rollcall('wait', name, '--until', 'closed', '--timeout', '20s', '--json');
      const again = closingOf(await room.rollcall('close', name, '--json'));
      if (receipts.some((receipt) => receipt == null || !again.text.includes(receipt)))
        throw new NotReached(`receipts ${receipts.join(', ')}, and a second close says: ${again.text}`);
      return again.text;
    },
    (text) => `listed, explained, waited for; a second close: “${text}”`,
  );
}
