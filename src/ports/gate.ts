import type { HookSender } from '../core/agent/hook-memory.ts';
import type { CheckResult, GateCheck } from '../core/gate/check.ts';
import type { GateContract, ProcessMark } from '../core/gate/contract.ts';
import type { HookProcess, StopOrigin } from '../core/gate/decision.ts';
import type { GateMode } from '../core/gate/mode.ts';

export interface GateModes {
  /** Null where none was set. */
  readonly user: GateMode | null;
  /** By the root of the project. */
  readonly projects: Readonly<Record<string, GateMode>>;
  /** Why they could not be read; nothing is enforced then. */
  readonly problem: string | null;
}

/** `rollcall gate off --now`, while it holds. */
export interface GateSwitch {
  readonly at: number;
  readonly reason: string | null;
}

/** Stops that the hook let through by itself, because nobody owns anything in their pane. */
export interface PassedStop {
  readonly agentKind: string;
  /** `<server pid> %pane`; empty outside tmux. */
  readonly place: string;
}

/** Where contracts, modes and the switch are kept. Whoever changes something holds the writer's lock. */
export interface GateStore {
  /** Why there is no place to keep anything; null where there is. */
  readonly problem: string | null;
  readonly folder: string;
  /** Open ones and those that ended lately; what cannot be read is left out and told by `damaged`. */
  contracts(): { readonly contracts: readonly GateContract[]; readonly damaged: readonly string[] };
  /** Null where there is none, or none that can be read. */
  contract(id: string): GateContract | null;
  /**
   * Keeps a contract, whole and on the disk, and brings the small file that the hook looks into in step with all of them.
   * `before` is called when everything is ready and only the last step is left: what it throws leaves all as it was.
   */
  save(contract: GateContract, before?: () => void): void;
  /** Brings the small file that the hook looks into in step, where something was left behind. Throws where it cannot. */
  syncOwners(): void;
  modes(): GateModes;
  /** Project null: the user's. Mode null: takes it back. Throws where it cannot be kept. */
  setMode(project: string | null, mode: GateMode | null): void;
  switch(): GateSwitch | null;
  /** Trips the switch or lifts it. Throws where it cannot be kept. */
  setSwitch(state: GateSwitch | null): void;
  /** What the hook let through since this was last emptied. */
  passed(): readonly PassedStop[];
  emptyPassed(): void;
}

/** The state of a work tree: equal as long as nothing that git sees has changed. */
export type TreeState =
  | { readonly state: 'known'; readonly digest: string; readonly root: string; readonly dirtyFiles: number }
  /** Outside of a repository, or git gives no answer: nothing holds for longer than a moment then. */
  | { readonly state: 'unknown'; readonly text: string };

/** Finds out whether checks hold. None of these throws. */
export interface GateChecks {
  tree(cwd: string): Promise<TreeState>;
  /** Everything but commands. `todo` tells the agent's own list. */
  look(
    check: Exclude<GateCheck, { kind: 'command' }>,
    view: {
      readonly cwd: string;
      readonly tree: TreeState;
      readonly at: number;
      readonly ownTodo: () => OwnTodo | Promise<OwnTodo>;
    },
  ): Promise<CheckResult>;
  run(
    check: Extract<GateCheck, { kind: 'command' }>,
    view: { readonly cwd: string; readonly tree: TreeState; readonly at: number },
  ): Promise<CheckResult>;
}

/** What an agent's own list says is left to do. */
export type OwnTodo =
  | { readonly state: 'read'; readonly open: readonly string[] }
  | { readonly state: 'unknown'; readonly text: string };

/** A stop event as the hook left it. */
export interface StopEvent {
  readonly agentKind: string;
  readonly event: string;
  readonly sender: HookSender;
  /** Null where not all of it was there and understood. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/** A stop whose agent was let go at once: nothing could have kept it going. Its checks are looked at afterwards. */
export interface LaterStop {
  /** Of the hook's event. */
  readonly name: string;
  readonly contract: string;
  readonly event: StopEvent;
  /** As it was while the hook ran. */
  readonly origin: StopOrigin;
  readonly mode: GateMode;
  /** What the stop has cost the agent. */
  readonly latencyMs: number | null;
}

export interface LaterStops {
  /** False where as many wait already as may. Throws where it cannot be kept. */
  add(stop: LaterStop): boolean;
  /** The oldest of a contract, which is taken away with it; null where none waits. */
  take(contract: string): LaterStop | null;
  isWaiting(contract: string): boolean;
  /** Drops what nobody came back for. */
  forget(): void;
}

export interface StartedProcess extends ProcessMark {
  readonly argv: readonly string[];
}

/** The processes around a stop. None of these throws; what cannot be seen is not there. */
export interface StopProcesses {
  /** From the parent of this process up to init. */
  ancestors(): readonly StartedProcess[];
  /** Whether it is that very process, and has not ended. */
  isAlive(mark: ProcessMark): boolean;
  stdinOf(mark: ProcessMark): HookProcess['stdin'];
  /** Everything below it. */
  below(mark: ProcessMark): readonly StartedProcess[];
}
