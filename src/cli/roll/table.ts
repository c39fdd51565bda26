import type { SessionEntry } from '../../core/sight/roll.ts';
import { type Line, line, padLine, span, toned } from '../render/line.ts';
import { displayWidth, fitText } from '../render/width.ts';
import { type Cell, type ColumnName, columnsFor, type RollColumn } from './columns.ts';
import { GAP, rollLayout } from './layout.ts';

/** Gives the lines of the roll; rows are made one by one, so that a long roll costs only what is shown of it. */
export interface RollTable {
  readonly header: Line;
  row(index: number): Line;
}

export interface RollTableOptions {
  /** Null where nothing bounds the width (a pipe, a file). */
  readonly columns: number | null;
  readonly now: number;
  /** Given, even as null, the table keeps a margin that marks the selected session. */
  readonly selectedKey?: string | null;
}

const MARGIN = 2;

/** Lays the sessions out as a table that is never wider than `columns`. */
export function rollTable(entries: readonly SessionEntry[], options: RollTableOptions): RollTable {
  const columns = columnsFor(entries);
  const context = { now: options.now, serverName: serverNames(entries) };
  const cells = entries.map((entry) => columns.map((column) => safeCell(column.cell(entry, context))));
  const wanted = new Map<ColumnName, number>();
  for (const [index, column] of columns.entries()) {
    const widest = cells.reduce(
      (width, row) => Math.max(width, displayWidth(row[index]?.text ?? '')),
      column.title.length,
    );
    wanted.set(column.name, widest);
  }
  const hasMargin = options.selectedKey !== undefined;
  const margin = hasMargin ? MARGIN : 0;
  const width = options.columns === null ? null : Math.max(0, options.columns - margin);
  const widths = rollLayout(wanted, width);
  const shown = columns.filter((column) => widths.has(column.name));
  const compose = (cellOf: (column: RollColumn) => Cell): Line =>
    shown.flatMap((column, index) => {
      const isLast = index === shown.length - 1;
      const cell = cellOf(column);
      const room = widths.get(column.name) ?? 0;
      return placed(column, width === null ? cell : cutCell(column, cell, room), room, isLast);
    });
  return {
    header: [...padLine([], margin), ...compose((column) => ({ text: column.title, tone: 'quiet' }))],
    row(index) {
      const row = cells[index] ?? [];
      const pieces = compose((column) => row[columns.indexOf(column)] ?? { text: '' });
      if (!hasMargin) return pieces;
      const isSelected = entries[index]?.key === options.selectedKey;
      if (!isSelected) return [...padLine([], margin), ...pieces];
      const marked = [span('› '.slice(0, options.columns ?? MARGIN)), ...pieces];
      return toned(options.columns === null ? marked : padLine(marked, options.columns), 'selected');
    },
  };
}

// Measured as it will be printed: an escape that is made visible takes more cells than the byte it stands for.
function safeCell(cell: Cell): Cell {
  return { ...cell, text: span(cell.text).text };
}

function cutCell(column: RollColumn, cell: Cell, room: number): Cell {
  if (displayWidth(cell.text) <= room) return cell;
  return { ...cell, text: fitText(cell.shorter ?? cell.text, room, { cut: column.cut }) };
}

function placed(column: RollColumn, cell: Cell, room: number, isLast: boolean): Line {
  const pieces = line(cell.text, cell.tone);
  const isOpen = isLast && column.side === 'left';
  const aligned = isOpen ? pieces : padLine(pieces, room, column.side);
  return isLast ? aligned : [...aligned, span(' '.repeat(GAP))];
}

/** Calls each server by its label, or by its whole socket path where two servers bear the same label (S5). */
function serverNames(entries: readonly SessionEntry[]): (entry: SessionEntry) => string {
  const pathsByLabel = new Map<string, Set<string>>();
  for (const { server } of entries) {
    const paths = pathsByLabel.get(server.label) ?? new Set();
    pathsByLabel.set(server.label, paths.add(server.socketPath));
  }
  return ({ server }) => ((pathsByLabel.get(server.label)?.size ?? 0) > 1 ? server.socketPath : server.label);
}
