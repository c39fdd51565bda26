import type { DoctorFacts, ProcessFacts } from '../../core/doctor/facts.ts';
import type { Finding, Remedy } from '../../core/doctor/finding.ts';
import type { OwnFiles } from '../../ports/doctor.ts';
import type { CloseTimings } from '../act/close/order.ts';
import type { Hands } from '../act/hands.ts';
import type { GatherStep } from './gather.ts';

/** Everything that `rollcall doctor` sees and mends with, beside the hands. */
export interface Doctor {
  gather(onStep?: (step: GatherStep) => void): Promise<DoctorFacts>;
  gatherProcesses(): Promise<ProcessFacts>;
  readonly files: OwnFiles;
  readonly protectedBy: DoctorFacts['protectedBy'];
}

/** Everything that a finding is mended with. */
export interface Mender extends Doctor {
  readonly hands: Hands;
  readonly argv: readonly string[];
  readonly timings: CloseTimings;
  /** End by SIGKILL what does not end by itself. */
  readonly isForced: boolean;
}

/** A finding that has a remedy, and the check that found it. */
export interface Mendable<R extends Remedy = Remedy> {
  readonly check: string;
  readonly finding: Finding;
  readonly remedy: R;
}

/** An orphan that is to be ended. */
export type EndMendable = Mendable<Extract<Remedy, { kind: 'end-process' }>>;
