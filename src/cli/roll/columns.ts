import type { SessionEntry } from '../../core/sight/roll.ts';
import { shortBytes, shortDuration } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { activityTone, activityWords, lifecycleTone } from '../render/tones.ts';
import { why } from './why.ts';

export type ColumnName =
  | 'name'
  | 'server'
  | 'agent'
  | 'activity'
  | 'lifecycle'
  | 'since'
  | 'memory'
  | 'task'
  | 'why';

/** One cell: its text, shorter ways to say the same for narrow columns, and its tone. */
export interface Cell {
  readonly text: string;
  readonly shorter?: string;
  readonly tone?: Tone | undefined;
}

/** One column of the roll: what it says about a session, and how it behaves when room is short. */
export interface RollColumn {
  readonly name: ColumnName;
  readonly title: string;
  readonly side: 'left' | 'right';
  readonly cut: 'end' | 'middle';
  readonly cell: (entry: SessionEntry, context: CellContext) => Cell;
}

/** What a cell needs beyond its own session. */
export interface CellContext {
  readonly now: number;
  /** How a server is called among those that are shown. */
  readonly serverName: (entry: SessionEntry) => string;
}

// A word for nothing keeps the number of fields the same in every row, for awk and for the eye.
const NOTHING: Cell = { text: '-', tone: 'quiet' };

/** All columns, in the order in which they are read. */
const ROLL_COLUMNS: readonly RollColumn[] = [
  column('name', 'NAME', (entry) => ({ text: entry.name || '""', tone: 'heading' }), { cut: 'middle' }),
  column('server', 'SERVER', (entry, { serverName }) => orNothing(serverName(entry)), {
    cut: 'middle',
  }),
  column('agent', 'AGENT', (entry) => orNothing(entry.agent?.kind)),
  column('activity', 'ACTIVITY', (entry) => ({
    text: activityWords(entry),
    shorter: entry.activity,
    tone: activityTone(entry),
  })),
  column('lifecycle', 'LIFECYCLE', (entry) => ({
    text: entry.lifecycle,
    tone: lifecycleTone(entry.lifecycle),
  })),
  column('since', 'SINCE', (entry, { now }) => ({ text: shortDuration(now - entry.since) }), {
    side: 'right',
  }),
  column('memory', 'MEM', (entry) => memoryCell(entry.memoryBytes), { side: 'right' }),
  column('task', 'TASK', taskCell),
  column('why', 'WHY', (entry) => ({ text: why(entry) })),
];

/** The columns that have something to say about these sessions: servers only to tell them apart, tasks if there are. */
export function columnsFor(entries: readonly SessionEntry[]): readonly RollColumn[] {
  const isOneServer = new Set(entries.map((entry) => entry.server.socketPath)).size <= 1;
  const hasTasks = entries.some((entry) => Boolean(entry.task ?? entry.role));
  return ROLL_COLUMNS.filter(
    ({ name }) => !(name === 'server' && isOneServer) && !(name === 'task' && !hasTasks),
  );
}

function column(
  name: ColumnName,
  title: string,
  cell: RollColumn['cell'],
  shape: Partial<Pick<RollColumn, 'side' | 'cut'>> = {},
): RollColumn {
  return { name, title, cell, side: shape.side ?? 'left', cut: shape.cut ?? 'end' };
}

function orNothing(text: string | null | undefined): Cell {
  return text ? { text } : NOTHING;
}

function taskCell({ task, role }: SessionEntry): Cell {
  return task && role ? { text: `${task} (${role})`, shorter: task } : orNothing(task || role);
}

function memoryCell(bytes: number | null): Cell {
  return bytes === null ? NOTHING : { text: shortBytes(bytes) };
}
