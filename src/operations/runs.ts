import {
  type Input,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
  type Output,
} from '../contract/operations.ts';
import { readFields } from '../schema/read.ts';
import type { At } from './at.ts';
import { reopen, wake } from './bring-back.ts';
import { adopt, complete, hold, retain, unhold } from './declare.ts';
import { doctor } from './doctor.ts';
import { close, hibernate } from './end.ts';
import { Failure } from './failure.ts';
import { gateReport, gateStatus } from './gate.ts';
import { log } from './log.ts';
import { explain, roll } from './look.ts';
import { reapReport } from './reap-report.ts';
import { restore } from './restore.ts';
import { run } from './run.ts';
import { status } from './status.ts';
import { waitFor } from './wait.ts';

/** What does each operation. */
export const RUNS: {
  readonly [N in OperationName]: (input: Input<N>, at: At) => Promise<Output<N>>;
} = {
  roll,
  explain,
  wait: waitFor,
  status,
  doctor,
  log,
  reapReport,
  gateStatus,
  gateReport,
  hold,
  unhold,
  retain,
  complete,
  adopt,
  close,
  hibernate,
  wake,
  reopen,
  restore,
  run,
};

/** Every operation, for whoever calls them here. */
export type Operations = {
  readonly [N in OperationName]: object extends Input<N>
    ? (input?: Input<N>) => Promise<Output<N>>
    : (input: Input<N>) => Promise<Output<N>>;
};

/**
 * All operations, tied to what they work with. Their input is checked first, as on every surface. What they answer is a copy:
 * whoever gets it may change it, and documents share parts with what they tell of.
 */
export function operationsAt(at: At): Operations {
  const of =
    <N extends OperationName>(name: N) =>
    async (input?: Input<N>): Promise<Output<N>> => {
      const read = readFields(OPERATIONS[name].input, input ?? {});
      if (read.state === 'read') return structuredClone(await RUNS[name](read.value as Input<N>, at));
      throw new Failure('usage', `${name}: ${read.text}`, { hint: read.hint ?? undefined });
    };
  return Object.fromEntries(OPERATION_NAMES.map((name) => [name, of(name)])) as Operations;
}
