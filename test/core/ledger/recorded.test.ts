import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as recorded from '../../../src/schema/recorded.ts';

const { text, number, flag, words, texts, textFields, list, part, loose, whole, tolerant } = recorded;

const body = v.object({
  text,
  number,
  flag,
  words,
  texts,
  textFields,
  list: list(whole({ pid: v.number(), program: text })),
  part: part({ text }),
});

const NOTHING = {
  ...{ text: null, number: null, flag: false, words: null, texts: [], textFields: {}, list: [], part: null },
};

describe('what another version wrote', () => {
  it('is read as it is where it is as expected, without what is not known', () => {
    const known = {
      ...{ text: 't', number: 1, flag: true, words: ['a'], texts: ['b'], textFields: { A: 'b' } },
      ...{ list: [{ pid: 1, program: 'sh' }], part: { text: 'u' } },
    };
    expect(v.parse(body, { ...known, more: 1 })).toEqual(known);
  });

  it('tells nothing where it is missing', () => {
    expect(v.parse(body, {})).toEqual(NOTHING);
  });

  it.each([null, 'x', 7, true, [], {}, [1], { a: 1 }])(
    'costs no other field anything where it is odd: %j',
    (odd) => {
      const fields = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
      for (const field of fields) {
        const others = Object.fromEntries(Object.entries(NOTHING).filter(([name]) => name !== field));
        expect(v.parse(body, { [field]: odd }), field).toMatchObject(others);
      }
    },
  );

  it('gives of lists and objects what can be read, but words only whole', () => {
    const odd = {
      ...{ words: ['a', 1], texts: ['a', 1, null, 'b'], textFields: { A: 'b', C: 1 } },
      list: [{ pid: 1 }, { pid: 'x' }, 7, null, [], { pid: 2, program: 3 }],
    };
    expect(v.parse(body, odd)).toEqual({
      ...{ ...NOTHING, texts: ['a', 'b'], textFields: { A: 'b' } },
      list: [
        { pid: 1, program: null },
        { pid: 2, program: null },
      ],
    });
    expect(v.parse(body, { words: [] }).words).toBeNull();
  });

  it('takes no list for an object', () => {
    const nested = v.object({ part: part({ text }), list: list(loose({})) });
    expect(v.parse(nested, { part: [], list: [[], {}] })).toEqual({ part: null, list: [{}] });
  });

  it('keeps what is not known where it is written again', () => {
    expect(v.parse(loose({ text: v.optional(text) }), { more: 1 })).toEqual({ more: 1 });
    expect(v.parse(loose({ text: v.optional(text) }), { text: 7, more: 1 })).toEqual({ text: null, more: 1 });
  });

  it('is read by what says how it is written today, as far as it may be left out', () => {
    const today = v.object({ name: v.string(), at: v.nullable(v.number()), isWhole: v.boolean() });
    const read = (value: unknown) => v.parse(list(tolerant(today)), [value]);
    expect(read({ name: 'n', at: 'x', isWhole: 1 })).toEqual([{ name: 'n', at: null, isWhole: false }]);
    expect(read({ name: 'n' })).toEqual([{ name: 'n', at: null, isWhole: false }]);
    expect(read({ name: 'n', at: 1, isWhole: true })).toEqual([{ name: 'n', at: 1, isWhole: true }]);
    expect(read({ name: 7, at: 1, isWhole: true })).toEqual([]);
  });
});
