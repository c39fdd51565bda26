import { grouped } from '../../core/grouped.ts';
import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import type { ProcessNote } from '../../core/verdict/evidence.ts';
import { shortBytes } from '../render/amounts.ts';
import { fitLine, type Line, line, span } from '../render/line.ts';
import { type Column, table } from '../render/table.ts';
import { activityTone, activityWords } from '../render/tones.ts';
import { wrap } from '../render/wrap.ts';
import { type ExplainContext, facts } from './head.ts';

const INDENT = 4;
const SCREEN_LINES = 10;
// Deeper trees are drawn at this depth, so that the command stays on the screen.
const DEEPEST = 8;

/** Each pane with its title, folder, processes and the end of its screen. */
export function paneLines(context: ExplainContext): Line[] {
  const { entry } = context;
  if (entry.panes.length === 0) return [line('  none')];
  return entry.panes.flatMap((pane, index) => [...(index > 0 ? [line()] : []), ...onePane(pane, context)]);
}

function onePane(pane: PaneEntry, { entry, width }: ExplainContext): Line[] {
  const place = `window ${pane.windowIndex}, pane ${pane.paneIndex}${pane.isActive ? ', in front' : ''}`;
  const title = [
    span(activityWords(pane), activityTone(pane)),
    span(` · ${pane.program ?? 'no program'} · pid ${pane.pid} · ${place}`),
  ];
  return [
    ...wrap([span('  '), span(pane.paneId, 'heading'), span('  ')], title, width),
    ...facts(
      [
        ['title', pane.title],
        ['folder', pane.cwd ?? 'not known'],
        ['ended', pane.isDead && ending(pane)],
      ],
      width,
      INDENT,
    ),
    ...processLines(entry, pane, width),
    ...screenLines(entry, pane, width),
  ];
}

const COLUMNS: readonly Column[] = [
  { title: 'PID', width: 7, side: 'right' },
  { title: 'CPU', width: 5, side: 'right' },
  { title: 'MEM', width: 5, side: 'right' },
  { title: 'RELATION', width: 10 },
  { title: 'COMMAND' },
];

function processLines(entry: SessionEntry, pane: PaneEntry, width: number | null): Line[] {
  const processes = entry.evidence.flatMap((piece) =>
    piece.kind === 'processes' && piece.paneId === pane.paneId ? piece.processes : [],
  );
  if (processes.length === 0) return pane.isDead ? [] : facts([['processes', 'not seen']], width, INDENT);
  const rows = processTree(processes).map(({ note, depth }) => {
    const branch = depth === 0 ? '' : `${'  '.repeat(Math.min(depth, DEEPEST) - 1)}└ `;
    return [
      line(String(note.pid)),
      line(note.cpuPercent === undefined ? '-' : `${Math.round(note.cpuPercent)}%`),
      line(shortBytes(note.memoryBytes)),
      line(note.relation),
      [span(branch, 'quiet'), span(note.command || note.program)],
    ];
  });
  return table(COLUMNS, rows, INDENT).map(({ head, last }) => fitLine([...head, ...last], width));
}

function screenLines(entry: SessionEntry, pane: PaneEntry, width: number | null): Line[] {
  const seen = entry.evidence.flatMap((piece) =>
    piece.kind === 'screen' && piece.paneId === pane.paneId ? piece.tail : [],
  );
  const tail = seen.slice(-SCREEN_LINES);
  if (tail.length === 0) return [];
  const rows = tail.map((text): Line => [span(`${' '.repeat(INDENT)}│ `, 'quiet'), span(text)]);
  return [line(`${' '.repeat(INDENT)}last on its screen`, 'quiet'), ...rows].map((pieces) =>
    fitLine(pieces, width),
  );
}

function ending(pane: PaneEntry): string {
  if (pane.exitSignal !== null) return `by signal ${pane.exitSignal}`;
  return pane.exitStatus === null ? 'tmux did not report how' : `with status ${pane.exitStatus}`;
}

interface TreeNode {
  readonly note: ProcessNote;
  readonly depth: number;
}

/** The processes in tree order, parents before children; whatever has no parent here stands at the left. */
export function processTree(processes: readonly ProcessNote[]): TreeNode[] {
  const known = new Set(processes.map((note) => note.pid));
  const children = grouped(processes, ({ parentPid }) => parentPid);
  const seen = new Set<ProcessNote>();
  const nodes: TreeNode[] = [];
  const visit = (start: ProcessNote) => {
    const stack: TreeNode[] = [{ note: start, depth: 0 }];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node.note)) continue;
      seen.add(node.note);
      nodes.push(node);
      const below = children.get(node.note.pid) ?? [];
      for (const note of below.toReversed()) stack.push({ note, depth: node.depth + 1 });
    }
  };
  for (const note of processes) if (!known.has(note.parentPid)) visit(note);
  // A pid that came back during the pass can make two processes each other's parent; none is left out for that.
  for (const note of processes) visit(note);
  return nodes;
}
