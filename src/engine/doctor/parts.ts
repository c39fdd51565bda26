import type { DoctorFacts } from '../../core/doctor/facts.ts';
import type { Process, ProcessDetails, ProcessTable } from '../../core/sight/process.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';
import type { HostSensor, ProcessOwners, ProcessSensor, ProcessTies } from '../../ports/sensor.ts';
import type { Look } from '../look/look.ts';
import type { Naming } from '../look/naming.ts';
import type { LedgerReader } from './read-ledger.ts';
import type { MachineSight } from './sight.ts';
import type { WatchProgress } from './watch-progress.ts';

/** Everything that the doctor looks with; src/compose/ supplies the real ones. */
export interface DoctorParts {
  readonly look: Look;
  readonly processes: Pick<ProcessSensor, 'pipedAmong' | 'keepTerminals' | 'placesOf'> & {
    /** The table that the last look was made with. */
    table(): ProcessTable;
    /** One that is read now. */
    sense(): ProcessTable;
    details(
      processes: Iterable<Process>,
      wanted: { readonly io: boolean; readonly memory: boolean; readonly cwd: false },
    ): ReadonlyMap<number, ProcessDetails>;
    /** What processes were started with, as far as it can be read; at least what tmux marks them with. */
    environments(
      processes: readonly Process[],
    ): ReadonlyMap<number, Readonly<Record<string, string | undefined>>>;
  };
  readonly owners: ProcessOwners;
  readonly ties: Pick<ProcessTies, 'tiesOf'>;
  readonly agents: readonly AgentAdapter[];
  readonly naming: Naming;
  readonly recollections: Pick<RecollectionStore, 'load'>;
  readonly host: Pick<HostSensor, 'now'>;
  readonly ledger: LedgerReader;
  /** What the checks of the machine and of the sessions look at besides; asked after the look. */
  readonly sight: MachineSight;
  readonly protectedBy: DoctorFacts['protectedBy'];
  /** What processes did since they were first read. */
  readonly watch: WatchProgress;
  readonly own: { readonly pid: number; readonly uid: number };
}
