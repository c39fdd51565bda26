import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from './actor.ts';
import type { LifeRoom } from './life-room.ts';
import { expect } from './life-words.ts';
import { variableOf, wordsOf } from './marked-processes.ts';

/** No form of a secret that anything would know. */
export const VALUE = 'swordfish-of-monday';

/** What a session was started as, seen from the outside. */
interface Shape {
  readonly words: readonly string[];
  readonly variable: string | null;
  readonly folder: string;
}

/** The program of an agent by its path, and the folder that it is found in. */
export function programOf({ dwelling, specimen }: LifeRoom): {
  readonly bin: string;
  readonly program: string;
} {
  const bin = join(dwelling.cache, specimen.kind, 'node_modules', '.bin');
  return { bin, program: join(bin, specimen.command({}).split(' ')[0] ?? '') };
}

export function shapeOf(actor: Actor): Shape {
  const pid = actor.panePid();
  return {
    words: wordsOf(pid),
    variable: variableOf(pid, 'LIFE_WORD'),
    folder: readlinkSync(`/proc/${pid}/cwd`),
  };
}

/** It runs with its options, variable and folder, by its path. */
export function expectShape(room: LifeRoom, shape: Shape, program: string, name: string): void {
  const { words } = room.specimen.chosen;
  const line = shape.words.join(' ');
  expect(shape.words.includes(program), `it runs as ${line}`);
  expect(line.includes(words.join(' ')), `it runs as ${line}, without ${words.join(' ')}`);
  expect(shape.variable === VALUE, `LIFE_WORD is ${shape.variable}`);
  expect(shape.folder === room.folderOf(name), `it runs in ${shape.folder}`);
}

/** The ledger is whole, and has no value of a variable. */
export async function verifyLedger({ rollcall, step }: LifeRoom): Promise<void> {
  await step(
    'verify',
    async () => {
      await rollcall('verify', '--json');
      expect(!JSON.stringify(await rollcall('log', '--json')).includes(VALUE), 'the log shows the value');
    },
    () => 'the ledger is whole, and has no value of --env',
  );
}
