import { type Axis, type Scale, scaleAt, scaleFor, shortNumber, spaced } from './scale.ts';
import { COLOUR_COUNT, dot, line, picture, widthOf, word } from './svg.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  /** Marked where something was measured, on a logarithmic axis. */
  readonly x: string;
  readonly y: Axis;
  /** Behind the last value of each line. */
  readonly unit: string;
  readonly series: readonly Series[];
}

const [WIDTH, HEIGHT] = [760, 400];
const [TOP, BOTTOM] = [48, 52];
/** Lines of text that are closer would touch. */
const LABEL_STEP = 16;
const TICK_STEP = 40;

/** Lines that grow with something, each with its name and last value at its end. */
export function lineChart({ title, x, y, unit, series }: LineChart): string {
  const lines = series.filter(({ points }) => points.length > 0);
  if (lines.length > COLOUR_COUNT)
    throw new Error(`${title}: ${lines.length} lines are too many to tell apart`);
  const names = lines.map(({ name, points }) => `${name} ${shortNumber(points.at(-1)?.[1] ?? 0)} ${unit}`);
  const right = WIDTH - 28 - Math.max(0, ...names.map(widthOf));
  const across = scaleAt(lines.flatMap(({ points }) => points.map(([value]) => value)));
  const up = scaleFor(
    lines.flatMap(({ points }) => points.map(([, value]) => value)),
    y.isLog,
  );
  const left = 44 + Math.max(...up.ticks.map((tick) => widthOf(shortNumber(tick))));
  const atX = (value: number) => left + across.at(value) * (right - left);
  const atY = (value: number) => HEIGHT - BOTTOM - up.at(value) * (HEIGHT - BOTTOM - TOP);
  const ends = lines.map(({ points }) => atY(points.at(-1)?.[1] ?? 0));
  const labels = spread(ends, LABEL_STEP, [TOP, HEIGHT - BOTTOM]);
  return picture(
    title,
    [WIDTH, HEIGHT],
    [
      word(title, { at: [16, 26], kind: 'title' }),
      ...up.ticks.flatMap((tick) => [
        line(
          [
            [left, atY(tick)],
            [right, atY(tick)],
          ],
          'grid',
        ),
        word(shortNumber(tick), { at: [left - 8, atY(tick) + 4], anchor: 'end', kind: 'faint' }),
      ]),
      ...spaced(across, atX, TICK_STEP).flatMap((tick) => [
        line(
          [
            [atX(tick), HEIGHT - BOTTOM],
            [atX(tick), HEIGHT - BOTTOM + 5],
          ],
          'lead',
        ),
        word(shortNumber(tick), { at: [atX(tick), HEIGHT - BOTTOM + 18], anchor: 'middle', kind: 'faint' }),
      ]),
      word(`${x}, log scale`, { at: [(left + right) / 2, HEIGHT - 12], anchor: 'middle', kind: 'faint' }),
      word(`${y.label}${y.isLog ? ', log scale' : ''}`, {
        at: [20, (TOP + HEIGHT - BOTTOM) / 2],
        ...{ anchor: 'middle', kind: 'faint', isUpright: true },
      }),
      ...lines.flatMap(({ points }, index) => {
        const places = points.map(([px, py]) => [atX(px), atY(py)] as const);
        const [endX = right, endY = 0] = places.at(-1) ?? [];
        const label = labels[index] ?? endY;
        return [
          line(
            [
              [endX + 5, endY],
              [right + 10, label],
            ],
            'lead',
          ),
          ...(places.length > 1 ? [line(places, `l${index}`)] : []),
          ...places.map((place, at) =>
            dot(place, isOff(points[at]?.[1], up, y) ? `l${index} off` : `p${index}`),
          ),
          word(names[index] ?? '', { at: [right + 14, label + 4], kind: `c${index}` }),
        ];
      }),
    ],
  );
}

/** What is nothing has no place on a logarithmic axis; its point lies at the beginning, and is hollow. */
function isOff(value = 0, { low }: Scale, { isLog }: Axis): boolean {
  return isLog && value < low;
}

/**
 * Moves places apart until they are at least so far from each other, in their order, between two ends, and as little as can be:
 * those that would touch share the middle of where they were.
 */
export function spread(
  places: readonly number[],
  step: number,
  [first, last]: readonly [number, number],
): number[] {
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const groups: { sum: number; count: number }[] = [];
  const middle = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [rank, index] of order.entries()) {
    // Each without the room that those above it take: now it is enough that no one comes before another.
    let group = { sum: (places[index] ?? 0) - rank * step, count: 1 };
    for (let above = groups.at(-1); above && middle(above) > middle(group); above = groups.at(-1)) {
      group = { sum: group.sum + above.sum, count: group.count + above.count };
      groups.pop();
    }
    groups.push(group);
  }
  const lowest = last - (places.length - 1) * step;
  const moved = [...places];
  for (const [rank, place] of groups.flatMap((one) => Array(one.count).fill(middle(one))).entries())
    moved[order[rank] ?? 0] = Math.max(first, Math.min(lowest, place)) + rank * step;
  return moved;
}
