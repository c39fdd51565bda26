import type { NamedPane } from '../../core/sight/pane-named-in.ts';
import type { Policy } from '../../core/verdict/policy.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { DeclaredFacts } from '../../ports/declared-facts.ts';
import type { HookLog } from '../../ports/hook-log.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';
import type { Ends } from '../../ports/records.ts';
import type { GitSensor, HostSensor, ProcessSensor, ShellSensor, TmuxSensor } from '../../ports/sensor.ts';
import type { Naming } from './naming.ts';
import type { ScreenKeeper } from './screen-keeper.ts';

/** The servers on which a daemon closes what is due. */
export type Settles = (socketPath: string) => boolean;

/** Everything a tick is made of; src/compose/ supplies the real ones. */
export interface Parts {
  readonly tmux: TmuxSensor;
  readonly processes: ProcessSensor;
  readonly shells: ShellSensor;
  readonly git: GitSensor;
  readonly host: HostSensor;
  readonly agents: readonly AgentAdapter[];
  readonly hooks: HookLog;
  readonly declared: DeclaredFacts;
  /** How programs ended that are not yet in the ledger. */
  readonly ends: Pick<Ends, 'of'>;
  readonly screens: ScreenKeeper;
  readonly naming: Naming;
  readonly recollections: RecollectionStore;
  readonly policy: Policy;
  /** The pattern that marks a session name as managed by people, if one does. */
  protectedBy(name: string): string | undefined;
  /** Why sessions in these folders are protected whatever they are called: what their project asks for cannot be read. */
  protectedIn(folders: readonly (string | null)[]): string | undefined;
  /** The pane rollcall itself runs in, from its own environment: server pid and pane id. */
  readonly ownPane: NamedPane | null;
  /** rollcall's own process: whatever pane it descends from is its own too. */
  readonly ownPid: number;
  /** Whether a daemon closes by itself what is due on a server; absent: nobody asks, and none does. */
  readonly settles?: () => Promise<Settles>;
  /** Without tmux nothing can be seen, which is not the same as seeing nothing. */
  isTmuxInstalled(): boolean;
}
