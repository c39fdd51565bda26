import { grouped } from '../grouped.ts';
import type { ProcessNote, ProgramRole } from '../verdict/evidence.ts';

/** Programs that keep children of their own while they are idle: tools, language servers, MCP servers. */
const HOSTS: ReadonlySet<ProgramRole> = new Set(['agent', 'interactive', 'remote']);

const NO_NOTES: readonly ProcessNote[] = [];

/** The lineage of one pane's processes. Every rule asks for it in turn, so the last one read is kept. */
export function lineageOf(notes: readonly ProcessNote[]): Lineage {
  if (last.notes !== notes) last = new Lineage(notes);
  return last;
}

/**
 * Who stands above and below whom among the processes of one pane. Each process is visited once, so a hostile chain of forks
 * costs little; and only what a rule asks for is worked out.
 */
class Lineage {
  readonly notes: readonly ProcessNote[];
  #byPid: ReadonlyMap<number, ProcessNote> | undefined;
  #children: ReadonlyMap<number, readonly ProcessNote[]> | undefined;
  #hosted: ReadonlySet<ProcessNote> | undefined;
  #underAgents: ReadonlySet<ProcessNote> | undefined;
  #overAgents: ReadonlySet<ProcessNote> | undefined;

  constructor(notes: readonly ProcessNote[]) {
    this.notes = notes;
  }

  /** Runs under an agent, an editor or the like: not a command of the pane itself. */
  isHosted(note: ProcessNote): boolean {
    this.#hosted ??= this.below(this.notes.filter(({ role }) => HOSTS.has(role)));
    return this.#hosted.has(note);
  }

  /** Runs under an agent. */
  isUnderAgent(note: ProcessNote): boolean {
    this.#underAgents ??= this.below(this.notes.filter(isAgent));
    return this.#underAgents.has(note);
  }

  /**
   * Only carries what runs below it: `sh -c "agent; exec sh"`, `sudo`, `npx`, a launcher script. An editor or another agent
   * above an agent is no mere carrier: it has state of its own.
   */
  isTransparent(note: ProcessNote): boolean {
    this.#overAgents ??= this.above(this.notes.filter(isAgent));
    if (this.#overAgents.has(note) && !HOSTS.has(note.role)) return true;
    return (
      note.role === 'wrapper' &&
      this.notes.some((other) => other.relation !== 'outside' && other.parentPid === note.pid)
    );
  }

  /** Everything below these processes. */
  below(of: readonly ProcessNote[]): ReadonlySet<ProcessNote> {
    this.#children ??= grouped(this.notes, ({ parentPid }) => parentPid);
    const children = this.#children;
    return reach(of, (note) => children.get(note.pid) ?? NO_NOTES);
  }

  /** Everything above these processes. */
  above(of: readonly ProcessNote[]): ReadonlySet<ProcessNote> {
    this.#byPid ??= new Map(this.notes.map((note) => [note.pid, note]));
    const byPid = this.#byPid;
    return reach(of, (note) => {
      const parent = byPid.get(note.parentPid);
      return parent ? [parent] : NO_NOTES;
    });
  }
}

let last = new Lineage([]);

function isAgent({ role }: ProcessNote): boolean {
  return role === 'agent';
}

// All that can be reached by steps in one direction, never counting a process that names itself as its parent.
function reach(
  from: readonly ProcessNote[],
  step: (note: ProcessNote) => readonly ProcessNote[],
): ReadonlySet<ProcessNote> {
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

/**
 * Which of a pane's processes are shells in front that may wait for a person, or wait in the place of an agent that sleeps. A
 * shell that is stopped or in the background is a job (`( … ) &`); one below an agent, an editor or the like runs what it was told.
 */
export function bareShellsAmong(notes: readonly ProcessNote[]): (note: ProcessNote) => boolean {
  const lineage = lineageOf(notes);
  return (note) =>
    (note.role === 'sleeper' && note.relation === 'root') ||
    (note.role === 'shell' &&
      (note.relation === 'root' || note.relation === 'foreground') &&
      !lineage.isHosted(note));
}
