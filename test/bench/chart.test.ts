import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineChart, lineChart, spread } from '../../bench/chart/line-chart.ts';
import { rangeChart } from '../../bench/chart/range-chart.ts';
import { scaleFor, shortNumber } from '../../bench/chart/scale.ts';
import { flawsOf, textsOf } from './texts.ts';

const y = { label: 'ms', isLog: true };
const chart = (series: LineChart['series'], isLog = true): string =>
  lineChart({ title: 'Cost', x: 'sessions', y: { ...y, isLog }, unit: 'ms', series });
const circles = (svg: string) =>
  [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="3.5" class="([^"]+)"/g)].map(
    ([, cx, cy, kind]) => [Number(cx), Number(cy), kind] as const,
  );

describe('a scale', () => {
  it.each([
    [[9.7, 207], true, [5, 10, 20, 50, 100, 200, 500]],
    [[8.6, 154_865], true, [10, 100, 1000, 10_000, 100_000]],
    [[0, 3, 40], true, [2, 5, 10, 20, 50]],
    [[0.004], true, [0.002, 0.005]],
    [[9_999_999.999_999_99], true, [5_000_000, 10_000_000]],
    [[3, 40], false, [0, 10, 20, 30, 40]],
    [[], true, [1, 10]],
  ])('over %j (log: %s) marks %j', (values, isLog, ticks) => {
    expect(scaleFor(values, isLog).ticks).toEqual(ticks);
  });

  it('holds whatever is drawn on it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-3, max: 1e7, noNaN: true }), { minLength: 1 }), (values) => {
        const scale = scaleFor(values, true);
        const places = values.toSorted((a, b) => a - b).map(scale.at);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(scale.low).toBeLessThanOrEqual(Math.min(...values));
        expect(scale.ticks.length).toBeGreaterThan(0);
      }),
    );
  });
});

it.each([
  [0, '0'],
  [0.066, '0.07'],
  [2.7149, '2.71'],
  [42.42, '42.4'],
  [154_865.4, '154,865'],
])('%d is written as %s', (value, text) => {
  expect(shortNumber(value)).toBe(text);
});

describe('labels that are spread', () => {
  it('stay in order, apart and between the ends', () => {
    const places = fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(places, (before) => {
        const after = spread(before, 16, [0, 300]).toSorted((a, b) => a - b);
        expect(after[0]).toBeGreaterThanOrEqual(0);
        expect(after.at(-1)).toBeLessThanOrEqual(300);
        for (const [index, place] of after.slice(1).entries())
          expect(place - (after[index] ?? 0)).toBeGreaterThan(16 - 1e-9);
      }),
    );
  });

  it('stand still where there is room', () => {
    expect(spread([200, 10, 100], 16, [0, 300])).toEqual([200, 10, 100]);
  });

  it('share the middle of where they were', () => {
    expect(spread([100, 100, 200], 16, [0, 300])).toEqual([92, 108, 200]);
  });
});

describe('a chart of lines', () => {
  const tick = { name: 'tick', points: [[10, 10] as const, [100, 100] as const, [1000, 1000] as const] };

  it('names its axes, their kind and each line with its last value', () => {
    const texts = textsOf(chart([tick])).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['Cost', 'sessions, log scale', 'ms, log scale']));
    expect(texts).toContain('tick 1,000 ms');
    expect(textsOf(chart([tick], false)).map(({ text }) => text)).toContain('ms');
  });

  it('draws equal factors as equal steps', () => {
    const drawn = circles(chart([tick]));
    const steps = drawn
      .slice(1)
      .map(([x, y], index) => [x - (drawn[index]?.[0] ?? 0), y - (drawn[index]?.[1] ?? 0)]);
    expect(steps).toHaveLength(2);
    expect(steps[0]?.[0]).toBeCloseTo(steps[1]?.[0] ?? 0, 0);
    expect(steps[0]?.[1]).toBeCloseTo(steps[1]?.[1] ?? 0, 0);
    expect(steps[0]?.[1]).toBeLessThan(0);
  });

  it('puts a value of nothing hollow at the beginning of a logarithmic axis', () => {
    const drawn = circles(chart([tick, { name: 'none', points: [[10, 0]] }]));
    expect(drawn.filter(([, , kind]) => kind?.includes('off'))).toHaveLength(1);
    expect(drawn.at(-1)?.[1]).toBe(348);
  });

  it('refuses more lines than can be told apart', () => {
    const many = Array.from({ length: 7 }, (_, index) => ({ ...tick, name: `line ${index}` }));
    expect(() => chart(many)).toThrow('too many');
  });

  it('has no text on another, however close the lines end', () => {
    const value = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 1e6, noNaN: true }));
    const series = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(series, (ends) => {
        const svg = chart(
          ends.map(([a, b], index) => ({
            name: `line ${index}`,
            points: [
              [10, a],
              [1000, b],
            ] as const,
          })),
        );
        expect(flawsOf(svg)).toEqual([]);
      }),
    );
  });

  it('cannot be broken by a name', () => {
    expect(chart([{ ...tick, name: '<b> & "c"' }])).toContain('&lt;b> &amp; &quot;c&quot; 1,000 ms');
  });

  it('is readable in the dark too', () => {
    expect(chart([tick])).toMatch(/@media \(prefers-color-scheme: dark\) \{[^@]*\.ground \{ fill: #0d1117/);
  });
});

describe('a chart of ranges', () => {
  it('has a row with its three values for each, none on another', () => {
    const ranges = ['daemon', 'five polls, pane process killed'].map((name, index) => ({
      ...{ name, median: 52 * 90 ** index, p95: 281 * 20 ** index, p99: 282 * 20 ** index, colour: index },
    }));
    const svg = rangeChart({ title: 'Deaths', unit: 'ms', ranges });
    expect(textsOf(svg).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['daemon', '52 · 281 · 282', '4,680 · 5,620 · 5,640', 'ms, log scale']),
    );
    expect(flawsOf(svg)).toEqual([]);
  });
});
