import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measured } from './answer.ts';
import { caseOf } from './mutate.ts';
import { randomFrom } from './random.ts';
import type { Case, Room, Target } from './target.ts';

/** Beside what grows with the input. */
const CONSTANT = 64 * 1024;
const GROWTH = 40;

/** Makes a room, and says how it is left. */
export function enterRoom(among = tmpdir()): Room & { leave(): void } {
  const folder = mkdtempSync(join(among, 'rollcall-fuzz-'));
  return {
    folder,
    file(name, content) {
      const path = join(folder, name);
      try {
        writeFileSync(path, content);
      } catch {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
      return path;
    },
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What is wrong with how a target takes one input; null for nothing. */
export async function judged(target: Target, one: Case, room: Room): Promise<string | null> {
  const { input, from } = one;
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  let answer: unknown;
  try {
    answer = await target.parse(input, room);
  } catch (error) {
    const isDeclared = target.isDeclared?.(error) === true;
    return isDeclared
      ? null
      : `throws ${error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : String(error)}`;
  }
  if (Object.getOwnPropertyNames(Object.prototype).length !== before)
    return 'changes the prototype of all objects';
  const { size, wild } = measured(answer);
  if (wild !== null && target.infinite === undefined) return `answers with ${wild}`;
  const most = CONSTANT + (target.growth ?? GROWTH) * input.length;
  if (size > most) return `answers with ${size} parts and characters to ${input.length} bytes`;
  const objection = await target.objection?.(input, answer as never, room);
  if (objection) return objection;
  if (from === undefined) return null;
  return (await target.damaged?.({ ...from, input }, answer as never, room)) ?? null;
}

/** The input of a number. */
export function caseAt(target: Target, seeds: readonly Buffer[], seed: string, index: number): Case {
  // First the samples as they are.
  const sample = seeds[index];
  return sample === undefined
    ? caseOf(target, seeds, randomFrom(seed, target.name, index))
    : { input: sample };
}
