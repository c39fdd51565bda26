import type { ColumnName } from './columns.ts';

/** Blanks between two columns; two of them let `awk -F '  +'` split a row whose cells hold single blanks. */
export const GAP = 2;

// In a pipe nothing is cut, so one endless name would otherwise blow up every other row.
const WIDEST_PADDING = 40;

// What a person needs first comes first; whatever no longer fits in this order is left out.
const BY_NEED: readonly ColumnName[] = [
  'name',
  'lifecycle',
  'activity',
  'why',
  'since',
  'server',
  'agent',
  'memory',
  'task',
];

/**
 * Shares `available` cells among the columns, given how wide each would like to be. A column that is not in the answer
 * is left out. Without a width every column gets what it wants, up to where padding would only push things apart.
 */
export function rollLayout(
  wanted: ReadonlyMap<ColumnName, number>,
  available: number | null,
): ReadonlyMap<ColumnName, number> {
  if (available === null)
    return new Map([...wanted].map(([name, width]) => [name, Math.min(width, WIDEST_PADDING)]));
  const widths = new Map<ColumnName, number>();
  let room = available + GAP;
  for (const name of BY_NEED) {
    const natural = wanted.get(name);
    if (natural === undefined) continue;
    const least = Math.min(natural, leastWidth(name, available));
    if (least + GAP > room && name !== 'name') continue;
    widths.set(name, Math.min(least, available));
    room -= least + GAP;
  }
  for (const [name, goal] of growth(wanted)) {
    const width = widths.get(name);
    if (width === undefined || room <= 0) continue;
    const missing = Math.max(0, goal - width);
    // An activity has one longer form and nothing between, so a part of the room would be wasted on it.
    const gain = name === 'activity' && missing > room ? 0 : Math.min(missing, room);
    widths.set(name, width + gain);
    room -= gain;
  }
  return widths;
}

function leastWidth(name: ColumnName, available: number): number {
  switch (name) {
    // In a narrow terminal the name is nearly all there is to go by, so it keeps close to half of it.
    case 'name':
      return available < 50 ? Math.max(8, Math.floor(available * 0.45)) : 12;
    case 'why':
      return Math.max(16, Math.floor(available * 0.3));
    case 'activity':
    case 'server':
    case 'task':
      return 8;
    case 'agent':
      return 10;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

// Spare room goes first to what is commonly cut, up to a length that is still easy to read, and last to long names.
function growth(wanted: ReadonlyMap<ColumnName, number>): [ColumnName, number][] {
  const natural = (name: ColumnName) => wanted.get(name) ?? 0;
  return [
    ['name', Math.min(natural('name'), 24)],
    ['task', Math.min(natural('task'), 16)],
    ['server', Math.min(natural('server'), 16)],
    ['activity', natural('activity')],
    ['why', natural('why')],
    ['name', natural('name')],
    ['task', natural('task')],
    ['server', natural('server')],
    ['agent', natural('agent')],
  ];
}
