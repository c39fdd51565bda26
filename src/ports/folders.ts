import type { HookMemory } from '../core/agent/hook-memory.ts';
import type { CheckResult } from '../core/gate/check.ts';
import type { GitSighting } from '../core/sight/sighting.ts';
import type { AgentGate, AgentProcess, AgentReading, AgentScene, PaneProcess } from './agent.ts';
import type { OwnTodo, TreeState } from './gate.ts';

/** A scene without its functions and its hooks, so that another process can be told of it. */
export interface ToldScene extends Omit<AgentScene, 'agent' | 'launchers' | 'others' | 'hooks'> {
  readonly agent: Omit<AgentProcess, 'env'>;
  readonly launchers: readonly Omit<AgentProcess, 'env'>[];
  readonly others: readonly PaneProcess[];
}

type CheckFound = Pick<CheckResult, 'state' | 'text' | 'mark'>;

/**
 * Everything that touches what a session, an agent's environment, a hook event or a repository names. The folder may be on
 * a mount that gives no answer: whoever touches it then waits for ever. So each is one question, and fails by itself.
 */
export interface Folders {
  /**
   * `isPatient`: the caller acts on it: waits as long as a big work tree takes, and trusts no earlier look. `isFresh`: that one
   * does not either.
   */
  git(cwd: string, isPatient: boolean, isFresh?: boolean): Promise<GitSighting>;
  /** The branch that is checked out around a folder; null where there is none, or none can be told. */
  branchAt(folder: string): Promise<string | null>;
  treeState(cwd: string, timeoutMs: number): Promise<TreeState>;
  /** The root of the repository around a folder; null outside of one. */
  rootAround(cwd: string): Promise<string | null>;
  isFolder(path: string): Promise<boolean>;
  /** Why nothing can be started in a folder, or null. */
  problemOf(folder: string): Promise<string | null>;
  /** Whether something is gone for certain. */
  isGone(path: string): Promise<boolean>;
  /** Whether a file is there that a contract asks for. */
  fileIn(cwd: string, path: string): Promise<CheckFound>;
  /** What is left in a list of boxes that a contract names. */
  boxesIn(cwd: string, path: string): Promise<CheckFound>;
  /** What an agent's own sources tell. */
  hear(kind: string, scene: ToldScene, hooks: readonly HookMemory[]): Promise<AgentReading>;
  /** What is left on an agent's own list. */
  todoOf(kind: string, stop: Parameters<AgentGate['todo']>[0]): Promise<OwnTodo>;
}
