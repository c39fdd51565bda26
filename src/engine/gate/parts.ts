import type { Digest } from '../../core/ledger/chain.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { GateChecks, GateStore, LaterStops, StopEvent, StopProcesses } from '../../ports/gate.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { WriterLock } from '../../ports/lock.ts';
import type { OnStep } from '../act/hands.ts';

/** What contracts are made, looked at and ended with; src/compose/ supplies the real ones. */
export interface GateParts {
  readonly store: GateStore;
  readonly checks: GateChecks;
  readonly agents: readonly AgentAdapter[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For those who have no hands. */
  readonly writer: WriterLock;
  /** Root of the repository around a folder; null outside of one. */
  projectOf(cwd: string): Promise<string | null>;
  now(): number;
}

/** What one stop is decided with. */
export interface StopParts extends GateParts {
  readonly processes: StopProcesses;
  readonly digest: Digest;
  /** Adding one also starts somebody who looks at it. */
  readonly later: LaterStops;
  /** The event that the hook left; null where there is none that can be read. */
  readStop(name: string): StopEvent | null;
  /** Takes it away: the turn goes on, and a stop that was none is nobody's business. */
  removeStop(name: string): void;
  /** Whoever asks for it closes it. */
  openLedger(): Promise<Ledger>;
  /** Since the hook was called; null where its event does not tell. */
  latencyMs(name: string): number | null;
  /** Since this process began: the hook waits only so long. */
  elapsedMs(): number;
  /** Whether the hook that asked still waits for the answer. */
  isAwaited(): boolean;
  readonly onStep?: OnStep;
}

/** What the hook is told: nothing, what to print so that the agent goes on, or how many seconds the checks need. */
export type StopAnswer =
  | { readonly exitCode: 0 }
  | { readonly exitCode: 10; readonly print: string }
  | { readonly exitCode: 11; readonly print: string };

/** The agent stops. */
export const APPROVED: StopAnswer = { exitCode: 0 };
