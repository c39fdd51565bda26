import type { Marks } from '../sight/marks.ts';
import type { Process } from '../sight/process.ts';
import type { Program } from '../sight/program.ts';
import type { HelperKind } from '../verdict/evidence.ts';
import type { ThreadRest } from './rest.ts';
import type { Ties } from './ties.ts';

/** A process that no live pane has, with what it tells of itself. */
export interface Stranger {
  readonly process: Process;
  readonly program: Program & { readonly command: string };
  /** The agent whose vendor's daemon this is, or background session; null for anything else. */
  readonly sharedBy: string | null;
  readonly argv: readonly string[];
  /** What it does for agents, by its name and by how it talks; null where that is not known. */
  readonly helper: HelperKind | null;
  /** The user it runs as; null where that cannot be read. */
  readonly uid: number | null;
  /** Null where its environment cannot be read. */
  readonly marks: Marks | null;
  /** Its proportional share, or what is resident where the kernel does not tell. */
  readonly memoryBytes: number;
  /** It was told to outlive the end of its terminal (`nohup`); null where that cannot be read. */
  readonly ignoresHangup: boolean | null;
  /** Keeps a terminal for others; null where that cannot be read, absent where nothing tells of it. */
  readonly keepsTerminal?: boolean | null;
  /** What it did between two readings; null where there was only one. */
  readonly progress: ProcessProgress | null;
  /** What it has open towards others; null where that cannot be read, absent where it was not read yet. */
  readonly ties?: Ties | null;
}

/** What a process did between two readings. */
export interface ProcessProgress {
  readonly elapsedMs: number;
  /** With what its ended children used. */
  readonly cpuMs: number;
  /** Read and written through the storage layer; null where that cannot be read. */
  readonly ioBytes: number | null;
  /** How it stood at each reading; null where that cannot be read. */
  readonly rests: readonly (ThreadRest | null)[];
}

/** The processes that no live pane has and that may be an agent's or a session's leftover. */
export interface ProcessScene {
  readonly ownUid: number;
  /** Tmux servers, by what they are called in the process table or by their answer. */
  readonly serverPids: ReadonlySet<number>;
  /** Those among them that run as this user. */
  readonly ownServerPids: ReadonlySet<number>;
  readonly strangers: readonly Stranger[];
}
