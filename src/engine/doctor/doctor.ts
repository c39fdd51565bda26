import type { DoctorFacts, ProcessFacts } from '../../core/doctor/facts.ts';
import type { OwnFiles } from '../../ports/doctor.ts';
import type { GatherStep } from './gather.ts';

/** Everything that `rollcall doctor` sees and mends with, beside the hands. */
export interface Doctor {
  gather(onStep?: (step: GatherStep) => void): Promise<DoctorFacts>;
  gatherProcesses(): Promise<ProcessFacts>;
  readonly files: OwnFiles;
  readonly protectedBy: DoctorFacts['protectedBy'];
}
