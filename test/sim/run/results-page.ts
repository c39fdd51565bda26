import type { WholeResult } from './report.ts';

/** Worlds that were played by one state of the sources. */
interface Row {
  readonly state: string;
  readonly seeds: string;
  readonly worlds: number;
  readonly hours: number;
  readonly sessions: number;
  readonly sessionHours: number;
  readonly minutes: number;
  readonly violations: number;
}

const HEAD = [
  '| sources | seeds | worlds | hours | sessions | session-hours | minutes of a core | violations |',
];
const ROW =
  /^\| `([0-9a-f]+)` \| (\d+–\d+) \| ([\d,]+) \| ([\d.]+) \| (\d+) \| ([\d,]+) \| ([\d,.]+) \| ([\d,]+) \|$/gm;
const COUNTED = /^\| ([a-z][^|]*) \| ([\d,]+) \|$/gm;

/** The part of the page with this result beside what it told before. The same worlds of the same sources count once. */
export function withResult(before: string, state: string, result: WholeResult): string[] {
  const { first, seeds, scale, sessionHours, minutesOfCore, violations, stats } = result;
  const own: Row = {
    ...{ state, seeds: `${first}–${first + seeds - 1}`, worlds: seeds, ...scale },
    ...{ sessionHours, minutes: minutesOfCore, violations },
  };
  const known = rowsIn(before);
  const isKnown = known.some((row) => row.state === state && overlap(row, own));
  if (isKnown) return before.trim().split('\n');
  const rows = joined([...known, own]);
  const counted = new Map(
    [...before.matchAll(COUNTED)].map(([, name = '', count]) => [name, countIn(count)]),
  );
  for (const [name, count] of Object.entries(stats)) counted.set(name, (counted.get(name) ?? 0) + count);
  return [
    summaryOf(rows),
    '',
    ...[...HEAD, '|---|---|---:|---:|---:|---:|---:|---:|', ...rows.map(lineOf)],
    '',
    ...['| counted | |', '|---|---:|'],
    ...[...counted]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `| ${name} | ${number(count)} |`),
  ];
}

function overlap(one: Row, other: Row): boolean {
  const [[first, last], [from, to]] = [spanOf(one), spanOf(other)];
  return first <= to && last >= from;
}

function spanOf({ seeds }: Row): readonly [number, number] {
  const [first = 0, last = 0] = seeds.split('–').map(Number);
  return [first, last];
}

/** One row for seeds that follow each other in worlds of the same size. */
function joined(rows: readonly Row[]): Row[] {
  const all: Row[] = [];
  for (const row of rows) {
    const before = all.at(-1);
    if (before !== undefined && follows(row, before)) all.splice(-1, 1, sumOf(before, row));
    else all.push(row);
  }
  return all;
}

function follows(row: Row, before: Row): boolean {
  const isAlike =
    row.state === before.state && row.hours === before.hours && row.sessions === before.sessions;
  return isAlike && spanOf(row)[0] === spanOf(before)[1] + 1;
}

function sumOf(one: Row, other: Row): Row {
  const sum = (of: 'worlds' | 'sessionHours' | 'minutes' | 'violations') => one[of] + other[of];
  const counts = { worlds: sum('worlds'), sessionHours: sum('sessionHours') };
  return {
    ...{ ...one, ...counts, minutes: sum('minutes'), violations: sum('violations') },
    seeds: `${spanOf(one)[0]}–${spanOf(other)[1]}`,
  };
}

function summaryOf(rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);
  const [worlds, sessionHours] = [sum((row) => row.worlds), sum((row) => row.sessionHours)];
  const [minutes, violations] = [sum((row) => row.minutes), sum((row) => row.violations)];
  const times = Math.round(sum((row) => row.worlds * row.hours * 60) / minutes);
  const sessionTimes = Math.round((sessionHours * 60) / minutes);
  const size = `${number(worlds)} worlds, ${number(sessionHours)} session-hours in ${number(Math.round(minutes))} min of a core`;
  const speed = `${number(times)} × real time, ${number(sessionTimes)} × that of a session`;
  const bound = violations === 0 ? ` Below 3 in ${number(sessionHours)} session-hours at 95 %.` : '';
  return `**${size} (${speed}): ${number(violations)} violations.**${bound}`;
}

function rowsIn(part: string): Row[] {
  return [...part.matchAll(ROW)].map(([, state = '', seeds = '', ...told]) => {
    const [worlds = 0, hours = 0, sessions = 0, sessionHours = 0, minutes = 0, violations = 0] =
      told.map(countIn);
    return { state, seeds, worlds, hours, sessions, sessionHours, minutes, violations };
  });
}

function lineOf({ state, seeds, worlds, hours, sessions, sessionHours, minutes, violations }: Row): string {
  const counts = [worlds, hours, sessions, sessionHours, Math.round(minutes * 10) / 10, violations];
  return `| \`${state}\` | ${seeds} | ${counts.map(number).join(' | ')} |`;
}

function countIn(text = ''): number {
  return Number(text.replaceAll(',', ''));
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
