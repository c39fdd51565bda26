import type { Random } from './random.ts';
import type { Case, Target } from './target.ts';

/** Longer inputs are for the check of linear time. */
const MOST = 256 * 1024;
const MOST_STEPS = 6;

/** The input of a number: the same for the same seed. */
export function caseOf(target: Target, seeds: readonly Buffer[], random: Random): Case {
  const sample = random.pick(seeds);
  if (target.damaged !== undefined && sample.length > 0 && random.oneIn(3))
    return damagedCase(sample, random);
  let input = sample;
  const steps = 1 + random.below(MOST_STEPS);
  const most = target.most ?? MOST;
  for (let step = 0; step < steps; step += 1) input = mutated(input, seeds, target, random).subarray(0, most);
  return { input };
}

function damagedCase(sample: Buffer, random: Random): Case {
  if (random.oneIn(2)) {
    return { input: sample.subarray(0, random.below(sample.length)), from: { sample, damage: 'cut' } };
  }
  const end = Buffer.from(random.oneIn(2) ? '\n' : '');
  return { input: Buffer.concat([sample, random.pick(GARBAGE), end]), from: { sample, damage: 'trailed' } };
}

// No writer of any format ends with one of these.
const GARBAGE = ['{"', '}{', '\u0000\u0000', '{"type":', '[[[', '\ufffd{"a":1', 'garbage {', '"'].map(
  (text) => Buffer.from(text),
);

type Mutation = (input: Buffer, seeds: readonly Buffer[], target: Target, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // A bit.
  (input, _, __, random) => {
    const copy = Buffer.from(input);
    if (copy.length > 0) {
      const at = random.below(copy.length);
      copy[at] = (copy[at] as number) ^ (1 << random.below(8));
    }
    return copy;
  },
  // Bytes that are taken out.
  (input, _, __, random) => {
    const at = random.below(input.length + 1);
    return Buffer.concat([input.subarray(0, at), input.subarray(at + 1 + random.below(32))]);
  },
  // Bytes that are put in.
  (input, _, __, random) => {
    const added = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)));
    return inserted(input, added, random);
  },
  // The beginning of one sample and the end of another.
  (input, seeds, _, random) => {
    const other = random.pick(seeds);
    const [head, tail] = [random.below(input.length + 1), random.below(other.length + 1)];
    return Buffer.concat([input.subarray(0, head), other.subarray(tail)]);
  },
  // A piece, many times.
  (input, _, __, random) => {
    const from = random.below(input.length + 1);
    const piece = input.subarray(from, from + 1 + random.below(random.oneIn(2) ? 2 : 200));
    return inserted(input, repeated(piece, lengthOf(random)), random);
  },
  // A character, many times.
  (input, _, __, random) =>
    inserted(input, repeated(Buffer.from(random.pick(RUNS)), lengthOf(random)), random),
  // An end that is missing.
  (input, _, __, random) => input.subarray(0, random.below(input.length + 1)),
  // Something that parsers stumble over.
  (input, _, { words = [] }, random) => {
    const word = words.length > 0 && random.oneIn(2) ? random.pick(words) : random.pick(SPECIAL);
    return inserted(input, Buffer.isBuffer(word) ? word : Buffer.from(word), random);
  },
  // Another number.
  (input, _, __, random) => {
    const numbers = [...input.toString('latin1').slice(0, 100_000).matchAll(/\d+/g)];
    if (numbers.length === 0) return input;
    const { index, 0: digits } = random.pick(numbers);
    const added = Buffer.from(random.pick(NUMBERS));
    return Buffer.concat([input.subarray(0, index), added, input.subarray(index + digits.length)]);
  },
  // A line that is elsewhere, or twice.
  (input, _, __, random) => {
    const lines = input.toString('latin1').split('\n');
    const line = random.pick(lines);
    if (random.oneIn(2)) lines.splice(lines.indexOf(line), 1);
    lines.splice(random.below(lines.length + 1), 0, line);
    return Buffer.from(lines.join('\n'), 'latin1');
  },
];

function mutated(input: Buffer, seeds: readonly Buffer[], target: Target, random: Random): Buffer {
  return random.pick(MUTATIONS)(input, seeds, target, random);
}

function inserted(input: Buffer, added: Buffer, random: Random): Buffer {
  const at = random.below(input.length + 1);
  return Buffer.concat([input.subarray(0, at), added, input.subarray(at)]);
}

/** Seldom long: most defects need only a few. */
function lengthOf(random: Random): number {
  return 1 + random.below(random.oneIn(10) ? 65_536 : random.oneIn(3) ? 4096 : 64);
}

/** So many bytes of it. */
export function repeated(piece: Buffer, bytes: number): Buffer {
  return piece.length === 0 ? piece : Buffer.alloc(bytes, piece);
}

/** Characters of which a long run is hard for careless expressions. */
export const RUNS = [
  ...[' ', '\n', '\t', '\r\n', '0', '9', 'a', 'A', '"', "'", '\\', '\\"', '[', ']', '{', '}', '(', ')', ','],
  ...['=', ':', ';', '/', '.', '-', '_', '@', '%', '#', '$', '<', '|', '\0', '\x1b', '\x1b[', '\x1b[1m', '─'],
  ...['a ', ' a', 'a=', '://', '\xff', '{"a":', '"a",', '-----BEGIN PRIVATE KEY-----', ' \n', '\n\n', 'a,1,'],
] as const;

const SPECIAL: readonly (string | Buffer)[] = [
  ...['\0', '\r', '\x1b[2J', '\x1b]8;;x\x1b\\', '\x1b]0;t\x07', '\u2028', '\u202e', '\ufeff', '\u00a0', '…'],
  ...['__proto__', '"__proto__":{"x":1},', 'constructor', 'toString', 'hasOwnProperty', '"length":-1,'],
  ...['null', 'true', '[]', '{}', '""', '{"":{}}', '\\ud800', '"\\ud800"', '\\u0000', '[[[[[[[[', '}}}}'],
  ...[
    '../../etc/passwd',
    '%00',
    '%2e%2e',
    '?a=1&a=2',
    "'; --",
    '$(x)',
    '`x`',
    '*',
    '?',
    '[!',
    'a'.repeat(5000),
  ],
  ...[
    Buffer.from([0xff, 0xfe]),
    Buffer.from([0xc3]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xf4, 0x90]),
  ],
];

const NUMBERS = [
  ...['0', '-0', '-1', '1', '2147483648', '9007199254740993', '18446744073709551616', '99999999999999999999'],
  ...['1e999', '-1e999', '1e-999', '0.1', 'NaN', 'Infinity', '0x10', '1_000', '٣', '9'.repeat(400), ''],
];
