import type { Finding, Remedy } from '../../core/doctor/finding.ts';
import type { CloseTimings } from '../act/close/timings.ts';
import type { Hands } from '../act/hands.ts';
import type { Doctor } from './doctor.ts';

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
