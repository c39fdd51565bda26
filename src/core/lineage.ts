import type { ProcessNote, ProgramRole } from './evidence.ts';
import { once } from './once.ts';

/** Programs that keep children of their own while they are idle: tools, language servers, MCP servers. */
const HOSTS: ReadonlySet<ProgramRole> = new Set(['agent', 'interactive', 'remote']);

const NOBODY: ReadonlySet<ProcessNote> = new Set();

/** Who stands above and below whom among the processes of one pane. */
export interface Lineage {
  /** Runs under an agent, an editor or the like: not a command of the pane itself. */
  isHosted(note: ProcessNote): boolean;
  /** Runs under an agent. */
  isUnderAgent(note: ProcessNote): boolean;
  /** Only carries what runs below it: `sh -c "agent; exec sh"`, `sudo`, `npx`, a launcher script. */
  isTransparent(note: ProcessNote): boolean;
  /** Everything below these processes. */
  below(notes: readonly ProcessNote[]): ReadonlySet<ProcessNote>;
  /** Everything above these processes. */
  above(notes: readonly ProcessNote[]): ReadonlySet<ProcessNote>;
}

/** The lineage of one pane's processes. Every rule asks for it in turn, so the last one read is kept. */
export function lineageOf(notes: readonly ProcessNote[]): Lineage {
  if (last.notes !== notes) last = { notes, lineage: readLineage(notes) };
  return last.lineage;
}

const NO_NOTES: readonly ProcessNote[] = [];
let last: { readonly notes: readonly ProcessNote[]; readonly lineage: Lineage } = {
  notes: NO_NOTES,
  lineage: readLineage(NO_NOTES),
};

// Each process is visited once, so a hostile chain of forks costs little; and only what a rule asks for is worked out.
function readLineage(notes: readonly ProcessNote[]): Lineage {
  const byPid = once(() => new Map(notes.map((note) => [note.pid, note])));
  const children = once(() => childrenIn(notes));
  const below = (of: readonly ProcessNote[]) => reach(of, (note) => children().get(note.pid) ?? []);
  const above = (of: readonly ProcessNote[]) => reach(of, (note) => byPid().get(note.parentPid) ?? []);
  const agents = notes.filter((note) => note.role === 'agent');
  const underAgents = once(() => below(agents));
  const overAgents = once(() => above(agents));
  const hosted = once(() => below(notes.filter((note) => HOSTS.has(note.role))));
  const isParent = (pid: number) =>
    notes.some((note) => note.parentPid === pid && note.relation !== 'outside');
  return {
    isHosted: (note) => hosted().has(note),
    isUnderAgent: (note) => underAgents().has(note),
    // An editor or another agent above an agent is no mere carrier: it has state of its own.
    isTransparent: (note) =>
      (overAgents().has(note) && !HOSTS.has(note.role)) || (note.role === 'wrapper' && isParent(note.pid)),
    below,
    above,
  };
}

function childrenIn(notes: readonly ProcessNote[]): Map<number, ProcessNote[]> {
  const children = new Map<number, ProcessNote[]>();
  for (const note of notes) {
    const siblings = children.get(note.parentPid);
    if (siblings) siblings.push(note);
    else children.set(note.parentPid, [note]);
  }
  return children;
}

// All that can be reached by steps in one direction, never counting a process that names itself as its parent.
function reach(
  from: readonly ProcessNote[],
  step: (note: ProcessNote) => ProcessNote | readonly ProcessNote[],
): ReadonlySet<ProcessNote> {
  if (from.length === 0) return NOBODY;
  const found = new Set<ProcessNote>();
  const open = [...from];
  for (let note = open.pop(); note; note = open.pop()) {
    for (const next of [step(note)].flat()) {
      if (next === note || found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
