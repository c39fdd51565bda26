import { scaleFor, shortNumber } from './scale.ts';
import { dot, line, picture, widthOf, word } from './svg.ts';

/** One row: how long something mostly takes, and how long at worst. */
export interface Range {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  /** Rows of one colour belong together. */
  readonly colour: number;
}

export interface RangeChart {
  readonly title: string;
  readonly unit: string;
  readonly ranges: readonly Range[];
}

const WIDTH = 760;
const [TOP, BOTTOM, ROW] = [64, 48, 26];
const MOST_TICKS = 7;

/** Rows with a point at the median and marks at 95 and 99 %, on a logarithmic axis. */
export function rangeChart({ title, unit, ranges }: RangeChart): string {
  const height = TOP + ranges.length * ROW + BOTTOM;
  const values = ranges.map(({ median, p95, p99 }) => [median, p95, p99].map(shortNumber).join(' · '));
  const heading = 'median · 95 % · 99 %';
  const left = 28 + Math.max(...ranges.map(({ name }) => widthOf(name)));
  const right = WIDTH - 28 - Math.max(...[heading, ...values].map(widthOf));
  const scale = scaleFor(
    ranges.flatMap(({ median, p95, p99 }) => [median, p95, p99]),
    true,
    MOST_TICKS,
  );
  const at = (value: number) => left + scale.at(value) * (right - left);
  const end = height - BOTTOM + 4;
  return picture(
    title,
    [WIDTH, height],
    [
      word(title, { at: [16, 26], kind: 'title' }),
      word(heading, { at: [right + 14, TOP - 10], kind: 'faint' }),
      ...scale.ticks.flatMap((tick) => [
        line(
          [
            [at(tick), TOP - 6],
            [at(tick), end],
          ],
          'grid',
        ),
        word(shortNumber(tick), { at: [at(tick), end + 14], anchor: 'middle', kind: 'faint' }),
      ]),
      word(`${unit}, log scale`, { at: [(left + right) / 2, height - 10], anchor: 'middle', kind: 'faint' }),
      ...ranges.flatMap(({ name, median, p95, p99, colour }, index) => {
        const y = TOP + index * ROW + ROW / 2;
        const mark = (value: number, half: number) =>
          line(
            [
              [at(value), y - half],
              [at(value), y + half],
            ],
            `l${colour}`,
          );
        return [
          word(name, { at: [left - 12, y + 4], anchor: 'end' }),
          line(
            [
              [at(median), y],
              [at(p99), y],
            ],
            `l${colour}`,
          ),
          ...[mark(p95, 4), mark(p99, 7)],
          dot([at(median), y], `p${colour}`),
          word(values[index] ?? '', { at: [right + 14, y + 4], kind: `c${colour}` }),
        ];
      }),
    ],
  );
}
