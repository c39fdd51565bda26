import type { HookAgent, HookProblem } from '../../ports/hook-config.ts';
import type { FindWriter } from '../files/writers.ts';
import type { BackupPlace } from './backups.ts';
import type { Environment } from './places.ts';

/** What a hook needs to ask the stop gate. */
export interface GatePlace {
  /** Where the gate keeps what hooks look at. */
  readonly folder: string;
  /** The Node.js that rollcall runs on, and rollcall itself: absolute paths. */
  readonly node: string;
  readonly program: string;
}

/** What the hook config is made of. */
export interface HookConfigOptions {
  readonly env: Environment;
  readonly cwd: string;
  now(): number;
  /** Waits, with everything standing still; without it really. */
  pause?(ms: number): void;
  /** Who has a file open for writing; without it the processes of this machine are looked through. */
  readonly findWriter?: FindWriter;
  readonly backups: BackupPlace;
  /** Where hooks leave their events. */
  readonly spoolFolder: string;
  /** Why that folder cannot be used; null when it can. */
  readonly spoolProblem: HookProblem | null;
  /** The text of the script that agents call. */
  readonly script: string;
  /** Events that rollcall wants to be told, by agent. */
  readonly events: Readonly<Record<HookAgent, readonly string[]>>;
  /** The event that ends a turn, by agent: at these the stop gate is asked. */
  readonly stopEvents: Readonly<Record<HookAgent, string | null>>;
  readonly gate: GatePlace;
  /** When something was last heard from an agent of that kind. */
  lastHeardAt?(agent: HookAgent): number | null;
}
