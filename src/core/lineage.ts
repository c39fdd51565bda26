import type { ProcessNote, ProgramRole } from './evidence.ts';

/** Programs that keep children of their own while they are idle: tools, language servers, MCP servers. */
const HOSTS: ReadonlySet<ProgramRole> = new Set(['agent', 'interactive', 'remote']);

/** Who stands above and below whom among the processes of one pane. */
export interface Lineage {
  /** Runs under an agent, an editor or the like: not a command of the pane itself. */
  isHosted(note: ProcessNote): boolean;
  /** Runs under an agent. */
  isUnderAgent(note: ProcessNote): boolean;
  /** Only carries what runs below it: `sh -c "agent; exec sh"`, `sudo`, `npx`, a launcher script. */
  isTransparent(note: ProcessNote): boolean;
}

/** Reads the lineage of one pane's processes. */
export function lineageOf(notes: readonly ProcessNote[]): Lineage {
  const byPid = new Map(notes.map((note) => [note.pid, note]));
  const ancestors = (note: ProcessNote): ProcessNote[] => {
    const found: ProcessNote[] = [];
    let parent = byPid.get(note.parentPid);
    while (parent && parent !== note && !found.includes(parent)) {
      found.push(parent);
      parent = byPid.get(parent.parentPid);
    }
    return found;
  };
  const overAgents = new Set(notes.filter((note) => note.role === 'agent').flatMap(ancestors));
  const parents = new Set(notes.filter((note) => note.relation !== 'outside').map((note) => note.parentPid));
  return {
    isHosted: (note) => ancestors(note).some((ancestor) => HOSTS.has(ancestor.role)),
    isUnderAgent: (note) => ancestors(note).some((ancestor) => ancestor.role === 'agent'),
    isTransparent: (note) => overAgents.has(note) || (note.role === 'wrapper' && parents.has(note.pid)),
  };
}
