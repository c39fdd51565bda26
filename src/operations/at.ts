import type { RolePolicies } from '../core/verdict/role.ts';
import type { Hands } from '../engine/act/hands.ts';

/** What an operation works with, wherever it runs. */
export interface At {
  now(): number;
  readonly policies: RolePolicies;
  /** What is started in a pane without an agent. */
  readonly shell: string;
  /** The words of whoever asked, for those who wait for the same lock. */
  readonly argv: readonly string[];
  /** The environment of this process is that of whoever asked. */
  readonly isCallerHere: boolean;
  /** Only what is done counts: nobody reads the session as it is afterwards. */
  readonly isBrief: boolean;
  /** Does something with hands of its own, which are put away afterwards. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}
