import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/ledger/json.ts';

describe('canonical JSON', () => {
  it('sorts keys at every level and writes no blanks', () => {
    expect(canonicalJson({ b: [1, { d: null, c: true }], a: 'x' })).toBe(
      '{"a":"x","b":[1,{"c":true,"d":null}]}',
    );
  });

  it('is the same for equal values, whatever order their keys came in, and comes back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = canonicalJson(value);
        const back: unknown = JSON.parse(text);
        expect(canonicalJson(back)).toBe(text);
        expect(canonicalJson(reversed(back))).toBe(text);
      }),
    );
  });

  it('leaves out what is undefined, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson(Object.create(null))).toBe('{}');
  });

  it.each([
    ['NaN', { a: { b: Number.NaN } }, '$.a.b is not JSON'],
    ['infinity', [Number.POSITIVE_INFINITY], '$[0] is not JSON'],
    ['a hole', [undefined], '$[0] is not JSON'],
    ['a function', { a: () => 1 }, '$.a is not JSON'],
    ['a date', new Date(0), '$ is not JSON'],
    ['a big integer', { a: 1n }, '$.a is not JSON'],
  ])('refuses %s and says where', (_, value, message) => {
    expect(() => canonicalJson(value)).toThrow(message);
  });

  it('writes minus zero as zero and half a surrogate pair as an escape', () => {
    expect(canonicalJson([-0, '\ud800'])).toBe('[0,"\\ud800"]');
  });

  it('refuses what is nested so deeply that it could overflow the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow('nested deeper than 32');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, part] of Object.entries(value).reverse()) made[key] = reversed(part);
  return made;
}
