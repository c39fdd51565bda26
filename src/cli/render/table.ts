import { type Line, line, lineWidth, padLine, span } from './line.ts';

export interface Column {
  readonly title: string;
  readonly side?: 'left' | 'right';
  /** Cells that it has at least. */
  readonly width?: number;
}

/** A row in two parts: what stands in columns, and its last cell, which the caller wraps or cuts. */
export interface Row {
  readonly head: Line;
  readonly last: Line;
}

/** A table: its titles, then its rows. Each column is as wide as its widest cell; the last one has no width. */
export function table(columns: readonly Column[], rows: readonly (readonly Line[])[], indent = 0): Row[] {
  const all = [columns.map(({ title }) => line(title, 'quiet')), ...rows];
  const sized = columns.map((column, index) => ({
    ...column,
    width: Math.max(column.width ?? 0, ...all.map((cells) => lineWidth(cells[index] ?? []))),
  }));
  return all.map((cells) => tableRow(sized, cells, indent));
}

/** One row of columns whose widths are known, for what is printed row by row. */
export function tableRow(
  columns: readonly Pick<Column, 'side' | 'width'>[],
  cells: readonly Line[],
  indent = 0,
): Row {
  const head = columns
    .slice(0, -1)
    .flatMap(({ width = 0, side }, index) => [...padLine(cells[index] ?? [], width, side), span('  ')]);
  return { head: [...padLine([], indent), ...head], last: cells[columns.length - 1] ?? [] };
}
