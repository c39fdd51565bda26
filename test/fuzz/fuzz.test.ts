import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { caseAt, enterRoom, judged } from './judge.ts';
import { LEFT_OUT } from './left-out.ts';
import { superlinear } from './linear.ts';
import { randomFrom } from './random.ts';
import { TARGETS } from './registry.ts';
import { shrunk } from './shrink.ts';
import { type Target, target } from './target.ts';

const SEED = 'npm test';
/** Mutated inputs of each target, beside its samples. `npm run fuzz` tries many more, and long ones. */
const INPUTS = 25;
const MOST_SAMPLES = 8;
const MOST_BYTES = 12 * 1024;

const room = enterRoom();
afterAll(() => room.leave());

/** The same target with shorter inputs: here it is about kinds of damage, not about size. */
const shortened = (one: Target): Target => ({ ...one, most: Math.min(one.most ?? MOST_BYTES, MOST_BYTES) });

describe('every parser', () => {
  it.each(TARGETS.map((one) => [one.name, one] as const))('%s takes what it is given', async (_, one) => {
    const small = shortened(one);
    const all = one.seeds().filter(({ length }) => length <= MOST_BYTES);
    const step = Math.max(1, Math.floor(all.length / MOST_SAMPLES));
    const seeds =
      all.length === 0
        ? [one.seeds()[0]?.subarray(0, MOST_BYTES) ?? Buffer.alloc(0)]
        : all.filter((__, at) => at % step === 0);
    for (let index = 0; index < seeds.length + INPUTS; index += 1) {
      const given = caseAt(small, seeds, SEED, index);
      const text = await judged(small, given, room);
      expect(text && `${text}: ${JSON.stringify(given.input.toString('latin1', 0, 2000))}`).toBeNull();
    }
  });
});

const SRC = resolve('src');
const PARSER = /^export (?:async )?(?:function|const) ((?:parse|read|decode)[A-Z]\w*)/gm;

/** Everything below `src/` that is named like a parser. */
function parsers(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return files.flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(PARSER)].map(([, name]) => `${file}#${name}`),
  );
}

describe('the registry', () => {
  const covered = new Set(TARGETS.flatMap(({ covers }) => covers));

  it('has every function that is named like a parser, or says why not', () => {
    expect(parsers().filter((name) => !covered.has(name) && !Object.hasOwn(LEFT_OUT, name))).toEqual([]);
  });

  it('names only what is there', () => {
    const isThere = (place: string) => {
      const [file = '', name = ''] = place.split('#');
      return new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm').test(
        readFileSync(join(SRC, file), 'utf8'),
      );
    };
    expect([...covered, ...Object.keys(LEFT_OUT)].filter((place) => !isThere(place))).toEqual([]);
    expect(Object.keys(LEFT_OUT).filter((name) => covered.has(name))).toEqual([]);
  });

  it('has samples for all, and each name once', () => {
    expect(TARGETS.filter(({ seeds }) => seeds().length === 0).map(({ name }) => name)).toEqual([]);
    expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
  });
});

describe('the fuzzer', () => {
  const planted = (parse: (text: string) => unknown): Target =>
    target({
      name: 'planted',
      covers: [],
      seeds: () => [Buffer.from('name = value\nother = 12\n'), Buffer.from('[section]\n')],
      parse: (input) => parse(input.toString('latin1')),
    });
  const firstFailure = async (one: Target, most = 3000) => {
    for (let index = 0; index < most; index += 1) {
      const { input } = caseAt(one, one.seeds(), SEED, index);
      if ((await judged(one, { input }, room)) !== null) return input;
    }
    return null;
  };

  it('finds a byte that a parser stumbles over, and nothing but that byte is left', async () => {
    const one = planted((text) => {
      if (text.includes('\x1b')) throw new Error('planted');
      return null;
    });
    const found = await firstFailure(one);
    expect(found).not.toBeNull();
    const small = await shrunk(
      found as Buffer,
      async (input) => (await judged(one, { input }, room)) !== null,
    );
    expect(small).toEqual(Buffer.from('\x1b'));
  });

  it('finds numbers that are none, functions of the language, and answers that grow too fast', async () => {
    const number = planted((text) => ({ value: Number(/\d+/.exec(text)?.[0] ?? 0) }));
    const named = planted((text) => ({ value: ({} as Record<string, unknown>)[text.split(/\W/)[0] ?? ''] }));
    const grown = planted((text) => text.repeat(200));
    expect(await judged(number, { input: Buffer.from('9'.repeat(400)) }, room)).toBe(
      'answers with Infinity at value',
    );
    expect(await judged(named, { input: Buffer.from('toString') }, room)).toBe(
      'answers with a function at value',
    );
    expect(await judged(grown, { input: Buffer.alloc(5000, 'a') }, room)).toMatch(/^answers with \d+ parts/);
    expect(await firstFailure(number)).not.toBeNull();
  });

  it('finds an expression that takes quadratic time, and no fault with one that is linear', async () => {
    const kind = {
      name: 'blanks',
      make: (bytes: number) => Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from('x')]),
    };
    const sizes = { small: 1000, middle: 4000, large: 20_000 };
    const quadratic = planted((text) => text.replace(/ +$/, ''));
    const linear = planted((text) => text.trimEnd());
    expect(await superlinear(quadratic, kind, room, sizes, 5)).toMatch(/^takes /);
    expect(await superlinear(linear, kind, room, sizes, 5)).toBeNull();
  });

  it('makes the same inputs from the same seed, and others from another', () => {
    const one = planted(() => null);
    const inputs = (seed: string) =>
      Array.from({ length: 20 }, (_, at) => caseAt(one, one.seeds(), seed, at + 2).input.toString('hex'));
    expect(inputs('a')).toEqual(inputs('a'));
    expect(inputs('a')).not.toEqual(inputs('b'));
    expect(randomFrom('a', 1).below(1e9)).toBe(randomFrom('a', 1).below(1e9));
  });
});
