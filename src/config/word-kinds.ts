import { isAbsolute } from 'node:path';
import * as v from 'valibot';
import { nearest } from './nearest.ts';
import { type Kind, type KindName, reading, SettingRefusal } from './setting.ts';

/** One of several words; a number is the place of one. `phrase` says them in the order in which people expect them. */
export function oneOf<const K extends KindName, const W extends string>(
  kind: K,
  all: readonly W[],
  phrase: string,
) {
  const words: readonly unknown[] = all;
  const [min, max] = [all[0] ?? '', all.at(-1) ?? ''];
  const schema = reading((written): W | SettingRefusal => {
    const at = typeof written === 'number' ? written : words.indexOf(written);
    const isPlace = Number.isSafeInteger(at) && (at >= 0 || typeof written === 'number');
    if (!isPlace) return new SettingRefusal(`is not ${phrase}`);
    return all[at] ?? new SettingRefusal(at < 0 ? `is below ${min}` : `is above ${max}`);
  });
  return { kind, schema, bounds: { min, max }, choices: all, hint: () => `write ${phrase}` } satisfies Kind;
}

const SWITCH = oneOf('switch', ['off', 'on'], '"on" or "off"');

/** Whether something is on; JSON's own words for it are taken too. */
export const onOff = {
  ...SWITCH,
  schema: v.pipe(
    v.unknown(),
    v.transform((written) => (typeof written === 'boolean' ? Number(written) : written)),
    SWITCH.schema,
    v.transform((word) => word === 'on'),
  ),
  format: (value: unknown) => (value ? 'on' : 'off'),
} satisfies Kind;

/** One of several words, the most careful last. */
export function choice<const W extends string>(all: readonly W[]) {
  const words: readonly unknown[] = all;
  return {
    kind: 'choice',
    schema: v.picklist(all, 'is none of its words'),
    bounds: { min: all[0] ?? '', max: all.at(-1) ?? '' },
    choices: all,
    rank: (value: unknown) => words.indexOf(value),
    hint: () => `write ${all.map(quoted).join(' or ')}`,
  } as const satisfies Kind;
}

/** Any of several words. */
export function anyOf<const W extends string>(all: readonly W[]) {
  return {
    kind: 'words',
    schema: once(v.array(v.picklist(all, 'holds a word that it does not know'), 'is not a list')),
    bounds: { min: 0, max: all.length },
    hint: () => listHint(all),
  } as const satisfies Kind;
}

/** Some of several events; one that was misspelt is guessed. */
export function events<const W extends string>(all: readonly W[]) {
  const wrong = 'is not a list of events';
  const list = v.array(v.picklist(all, 'holds an event that there is not'), wrong);
  return {
    kind: 'words',
    schema: once(v.pipe(list, v.minLength(1, wrong))),
    bounds: { min: 1, max: all.length },
    hint: (written: unknown) => {
      const strange: unknown = Array.isArray(written) ? written.find((one) => !all.includes(one)) : null;
      const [near] = typeof strange === 'string' ? nearest(strange, all) : [];
      return near === undefined ? listHint(all) : `did you mean "${near}"?`;
    },
  } as const satisfies Kind;
}

const LONGEST_PATTERN = 256;

/** Patterns of names of sessions. */
export function patterns(most: number) {
  const pattern = v.pipe(
    v.string('holds something that is not a string'),
    v.minLength(1, 'holds an empty pattern, which no session can match'),
    v.maxLength(LONGEST_PATTERN, `holds a pattern of more than ${LONGEST_PATTERN} characters`),
  );
  return {
    kind: 'patterns',
    schema: once(v.pipe(atMost(most, 'patterns'), v.array(pattern))),
    bounds: { min: 0, max: most },
    hint: () => 'write a list of name patterns such as ["crew-*", "main"]',
  } as const satisfies Kind;
}

/** A command line: some words, the first of which names a program. */
export const command = {
  kind: 'command',
  schema: commandLine('is not a command line'),
  bounds: { min: 1, max: 100 },
  hint: () => 'write it as a list of words: ["/usr/local/bin/tell", "--loud"]; no shell is involved',
} as const satisfies Kind;

export function commands(most: number) {
  const line = commandLine('holds something that is not a command line');
  return {
    kind: 'commands',
    schema: v.pipe(atMost(most, 'commands'), v.array(line), v.readonly()),
    bounds: { min: 0, max: most },
    hint: () => 'write a list of command lines, each a list of words: [["npm", "test"]]',
  } as const satisfies Kind;
}

/** Of a URL no part is shown that may be a secret. */
export function url(longest: number) {
  const wrong = 'is not a URL';
  return {
    kind: 'url',
    schema: v.pipe(
      v.string(wrong),
      v.maxLength(longest, wrong),
      v.check((written) => URL.canParse(written), wrong),
      v.check((written) => /^https?:$/.test(new URL(written).protocol), 'is neither http nor https'),
    ),
    bounds: { min: 1, max: longest },
    format: (value: unknown) => `${new URL(String(value)).origin}/…`,
    hint: () => 'write a URL such as "https://chat.example.org/hooks/rollcall"',
  } as const satisfies Kind;
}

const NO_PATH = 'is not an absolute path';

export const file = {
  kind: 'file',
  schema: v.pipe(
    v.string(NO_PATH),
    v.check((path) => isAbsolute(path) && !path.includes('\0'), NO_PATH),
  ),
  bounds: { min: 1, max: 4096 },
  hint: () => 'write the whole path of a file, from / on',
} as const satisfies Kind;

/** A list, whatever it holds: how long it is comes first. */
function atMost(most: number, what: string) {
  return v.pipe(v.array(v.unknown(), 'is not a list'), v.maxLength(most, `has more than ${most} ${what}`));
}

/** Each only once. */
function once<T extends string>(list: v.GenericSchema<unknown, T[]>) {
  return v.pipe(
    list,
    v.transform((all): readonly T[] => Object.freeze([...new Set(all)])),
  );
}

function commandLine(wrong: string) {
  const word = v.pipe(v.string(wrong), v.maxLength(4096, wrong), v.excludes('\0', wrong));
  return v.pipe(
    v.array(word, wrong),
    v.minLength(1, wrong),
    v.maxLength(100, wrong),
    v.check(([program]) => program !== '', wrong),
    v.transform((line): readonly string[] => Object.freeze([...line])),
  );
}

function quoted(word: string): string {
  return `"${word}"`;
}

function listHint(all: readonly string[]): string {
  return `write a list with any of ${all.map(quoted).join(', ')}`;
}
