import type { Activity, WaitingFor } from '../core/verdict.ts';

/** A live agent process, as an adapter is told of it. */
export interface AgentProcess {
  readonly pid: number;
  readonly startTicks: number;
  readonly argv: readonly string[];
  readonly cwd?: string;
}

/** What an agent says of itself, or the word that it could not be heard. */
export type AgentWord =
  | {
      readonly state: 'heard';
      readonly observedAt: number;
      readonly says: Activity;
      readonly waitingFor?: WaitingFor;
      readonly backgroundTasks: number;
      readonly hasDraft: boolean | null;
      readonly version?: string;
      readonly conversation?: string;
      readonly resume?: readonly string[];
    }
  | { readonly state: 'silent' }
  | { readonly state: 'failed'; readonly observedAt: number; readonly text: string };

/** What rollcall must know of one kind of agent. Adding an agent is adding one of these, and its fixtures. */
export interface AgentAdapter {
  readonly kind: string;
  /** Exact recognition by the words of a command line; a path that merely contains the name is not the agent. */
  recognises(argv: readonly string[]): boolean;
  /** Asks the agent's own status for its word. Absent where only the process can be recognised. */
  listen?(process: AgentProcess): AgentWord;
}
