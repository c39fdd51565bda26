import type { ProcessNote, ProgramRole } from '../verdict/evidence.ts';

/** Programs that keep children of their own while they are idle: tools, language servers, MCP servers. */
const HOSTS: ReadonlySet<ProgramRole> = new Set(['agent', 'interactive', 'remote']);

const NOBODY: ReadonlySet<ProcessNote> = new Set();
const NO_NOTES: readonly ProcessNote[] = [];

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
  if (last.notes !== notes) last = new LazyLineage(notes);
  return last;
}

// Each process is visited once, so a hostile chain of forks costs little; and only what a rule asks for is worked out.
class LazyLineage implements Lineage {
  readonly notes: readonly ProcessNote[];
  #byPid: ReadonlyMap<number, ProcessNote> | undefined;
  #children: ReadonlyMap<number, readonly ProcessNote[]> | undefined;
  #hosted: ReadonlySet<ProcessNote> | undefined;
  #underAgents: ReadonlySet<ProcessNote> | undefined;
  #overAgents: ReadonlySet<ProcessNote> | undefined;

  constructor(notes: readonly ProcessNote[]) {
    this.notes = notes;
  }

  isHosted(note: ProcessNote): boolean {
    this.#hosted ??= this.below(this.notes.filter(({ role }) => HOSTS.has(role)));
    return this.#hosted.has(note);
  }

  isUnderAgent(note: ProcessNote): boolean {
    this.#underAgents ??= this.below(this.notes.filter(isAgent));
    return this.#underAgents.has(note);
  }

  // An editor or another agent above an agent is no mere carrier: it has state of its own.
  isTransparent(note: ProcessNote): boolean {
    this.#overAgents ??= this.above(this.notes.filter(isAgent));
    if (this.#overAgents.has(note) && !HOSTS.has(note.role)) return true;
    return (
      note.role === 'wrapper' && this.notes.some((other) => isInside(other) && other.parentPid === note.pid)
    );
  }

  below(of: readonly ProcessNote[]): ReadonlySet<ProcessNote> {
    this.#children ??= childrenIn(this.notes);
    const children = this.#children;
    return reach(of, (note) => children.get(note.pid) ?? NO_NOTES);
  }

  above(of: readonly ProcessNote[]): ReadonlySet<ProcessNote> {
    this.#byPid ??= new Map(this.notes.map((note) => [note.pid, note]));
    const byPid = this.#byPid;
    return reach(of, (note) => {
      const parent = byPid.get(note.parentPid);
      return parent ? [parent] : NO_NOTES;
    });
  }
}

let last = new LazyLineage([]);

function isAgent({ role }: ProcessNote): boolean {
  return role === 'agent';
}

function isInside({ relation }: ProcessNote): boolean {
  return relation !== 'outside';
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
  step: (note: ProcessNote) => readonly ProcessNote[],
): ReadonlySet<ProcessNote> {
  if (from.length === 0) return NOBODY;
  const found = new Set<ProcessNote>();
  const open = [...from];
  for (let note = open.pop(); note; note = open.pop()) {
    for (const next of step(note)) {
      if (next === note || found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
