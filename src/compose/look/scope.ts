import type { Spawn } from '../../adapters/programs/run-program.ts';
import type { Settings } from '../../config/settings.ts';

/** Where a look looks from: the environment of the process, and what narrows it. */
export interface Scope {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
  /** Only these sockets; every server of the user otherwise. */
  readonly sockets?: readonly string[];
  /** Somebody acts on what is seen: git is waited for as long as a big work tree takes. */
  readonly isPatient?: boolean;
  /** The script of the only scripted agent that is known, where somebody put one on a stage. */
  readonly scriptedAgent?: string;
  /** Starts tmux; replaceable so that the forks can be counted. */
  readonly spawn?: Spawn;
}
