import type { Process } from '../process.ts';
import type { Program } from '../program.ts';
import type { Marks } from './marks.ts';

/** A process that no live pane has, with what it tells of itself. */
export interface Stranger {
  readonly process: Process;
  readonly program: Program & { readonly command: string };
  /** The agent whose vendor's daemon this is, or background session; null for anything else. */
  readonly sharedBy: string | null;
  readonly argv: readonly string[];
  /** The user it runs as; null where that cannot be read. */
  readonly uid: number | null;
  /** Null where its environment cannot be read. */
  readonly marks: Marks | null;
  /** Its proportional share, or what is resident where the kernel does not tell. */
  readonly memoryBytes: number;
}

/** The processes that no live pane has and that may be an agent's or a session's leftover. */
export interface ProcessScene {
  readonly ownUid: number;
  /** Tmux servers, by what they are called in the process table or by their answer. */
  readonly serverPids: ReadonlySet<number>;
  readonly strangers: readonly Stranger[];
}
