import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { mutated } from './generate.ts';
import { nameIn } from './mutant.ts';

const SOURCE = `
const CODES: ReadonlySet<string> = new Set(['busy', 'held']);
const told: string[] = [];
export function objection(code: string, people: number): string | null {
  if (CODES.has(code) && people < 2) told.push(code);
  else if (people >= 5) return 'too many';
  return told.length > 0 ? \`told \${told.length > 1}\` : null;
}
export const some = (all: readonly number[]) => all.filter((one) => one !== 3).some((one) => one > 1);
export const rested: Rule = ({ quietMs }) => (quietMs === undefined ? { state: 'unmet' } : null);
`;
const { mutants, code } = mutated('sample.ts', SOURCE);
const idOf = (name: string) => mutants.find((one) => nameIn(one) === name)?.id;

/** What the source does with one of its mutants on. */
function withMutant(name: string | null) {
  const on = name === null ? -1 : idOf(name);
  if (on === undefined) throw new Error(`there is no mutant ${name}`);
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileModule(code, { compilerOptions });
  const exports: Record<string, (...given: unknown[]) => unknown> = {};
  runInNewContext(outputText, { exports, rollcallMutants: { ask: (id: number) => id === on } });
  return exports as Record<'objection' | 'some' | 'rested', (...given: unknown[]) => unknown>;
}

describe('a source with all of its mutants in it', () => {
  it('does what it did before while none is on', () => {
    const { objection, some, rested } = withMutant(null);
    expect([objection('idle', 1), objection('idle', 5), objection('busy', 1)]).toEqual([
      null,
      'too many',
      'told false',
    ]);
    expect([some([3, 1]), some([3, 2]), rested({}), rested({ quietMs: 1 })]).toEqual([
      ...[false, true],
      { state: 'unmet' },
      null,
    ]);
  });

  it.each<[string, unknown, (made: ReturnType<typeof withMutant>) => unknown]>([
    ['objection: all of it → null', null, ({ objection }) => objection('idle', 5)],
    ['rested: all of it → null', null, ({ rested }) => rested({})],
    ['objection: CODES.has(code) → true', 'told false', ({ objection }) => objection('idle', 1)],
    ['objection: people < 2 → people <= 2', 'told false', ({ objection }) => objection('busy', 2)],
    ['objection: people >= 5 → false', null, ({ objection }) => objection('idle', 5)],
    ['objection: told.push(code); → nothing', null, ({ objection }) => objection('busy', 1)],
    ["CODES: 'busy' → nothing", null, ({ objection }) => objection('busy', 1)],
    ['some: one !== 3 → true', true, ({ some }) => some([3])],
    ["rested: 'unmet' → 'met'", { state: 'met' }, ({ rested }) => rested({})],
    [
      'some: all.filter((one) => one !== 3).some((one) => one > 1) → all.filter((one) => one !== 3).every((one) => one > 1)',
      false,
      ({ some }) => some([2, 1]),
    ],
  ])('%s', (name, expected, does) => {
    expect(does(withMutant(name))).toEqual(expected);
  });

  it('leaves words alone that only people read', () => {
    expect(mutants.filter(({ change }) => change.startsWith('told.length > 1'))).toEqual([]);
  });

  it('knows which of them take effect while it is loaded', () => {
    expect(mutants.filter(({ isStatic }) => isStatic).map(nameIn)).toEqual([
      "CODES: 'busy' → nothing",
      "CODES: 'held' → nothing",
    ]);
  });

  it('calls each by a name of its own that does not change with what stands above it', () => {
    const twice = 'export const a = (x: number) => [x > 1, x > 1];';
    const names = mutated('a.ts', twice).mutants.map(nameIn);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('a: x > 1 → x >= 1 (2)');
    expect(mutated('a.ts', `// Why.\n\n${twice}`, 100).mutants.map(nameIn)).toEqual(names);
  });
});
