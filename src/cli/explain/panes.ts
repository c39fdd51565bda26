import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import type { ProcessEvidence, ProcessNote, ScreenEvidence } from '../../core/verdict/evidence.ts';
import { shortBytes } from '../render/amounts.ts';
import { fitLine, type Line, line, span } from '../render/line.ts';
import { activityTone, activityWords } from '../render/tones.ts';
import { pad } from '../render/width.ts';
import { wrap } from '../render/wrap.ts';
import type { ExplainContext } from './context.ts';
import { labelled } from './head.ts';

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
    ...(pane.title === '' ? [] : labelled('title', pane.title, width, INDENT)),
    ...labelled('folder', pane.cwd ?? 'not known', width, INDENT),
    ...(pane.isDead ? labelled('ended', ending(pane), width, INDENT) : []),
    ...processLines(entry, pane, width),
    ...screenLines(entry, pane, width),
  ];
}

function processLines(entry: SessionEntry, pane: PaneEntry, width: number | null): Line[] {
  const found = entry.evidence.filter(
    (piece): piece is ProcessEvidence => piece.kind === 'processes' && piece.paneId === pane.paneId,
  );
  const processes = found.flatMap((piece) => piece.processes);
  if (processes.length === 0) return pane.isDead ? [] : labelled('processes', 'not seen', width, INDENT);
  const row = (pid: string, cpu: string, memory: string, relation: string) =>
    `${' '.repeat(INDENT)}${pad(pid, 7, 'right')}  ${pad(cpu, 5, 'right')}  ${pad(memory, 5, 'right')}  ${pad(relation, 10)}  `;
  const rows = processTree(processes).map(({ note, depth }): Line => {
    const cpu = note.cpuPercent === undefined ? '-' : `${Math.round(note.cpuPercent)}%`;
    const branch = depth === 0 ? '' : `${'  '.repeat(Math.min(depth, DEEPEST) - 1)}└ `;
    return [
      span(row(String(note.pid), cpu, shortBytes(note.memoryBytes), note.relation)),
      span(branch, 'quiet'),
      span(note.command || note.program),
    ];
  });
  const header = line(`${row('PID', 'CPU', 'MEM', 'RELATION')}COMMAND`, 'quiet');
  return [header, ...rows].map((pieces) => fitLine(pieces, width));
}

function screenLines(entry: SessionEntry, pane: PaneEntry, width: number | null): Line[] {
  const tail = entry.evidence
    .filter((piece): piece is ScreenEvidence => piece.kind === 'screen' && piece.paneId === pane.paneId)
    .flatMap((piece) => piece.tail)
    .slice(-SCREEN_LINES);
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
  const children = groupByParent(processes);
  const seen = new Set<ProcessNote>();
  const nodes: TreeNode[] = [];
  const visit = (start: ProcessNote) => {
    const stack: TreeNode[] = [{ note: start, depth: 0 }];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node.note)) continue;
      seen.add(node.note);
      nodes.push(node);
      const below = children.get(node.note.pid) ?? [];
      for (const note of [...below].reverse()) stack.push({ note, depth: node.depth + 1 });
    }
  };
  for (const note of processes) if (!known.has(note.parentPid)) visit(note);
  // A pid that came back during the pass can make two processes each other's parent; none is left out for that.
  for (const note of processes) visit(note);
  return nodes;
}

function groupByParent(processes: readonly ProcessNote[]): Map<number, ProcessNote[]> {
  const groups = new Map<number, ProcessNote[]>();
  for (const note of processes) {
    const group = groups.get(note.parentPid) ?? [];
    group.push(note);
    groups.set(note.parentPid, group);
  }
  return groups;
}
