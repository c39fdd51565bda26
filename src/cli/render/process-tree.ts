import type { ProcessNote } from '../../core/evidence.ts';

export interface TreeNode {
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
