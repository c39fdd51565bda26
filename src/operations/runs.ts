import type { Input, OperationName, Output } from '../contract/operations.ts';
import type { At } from './at.ts';
import { reopen, wake } from './bring-back.ts';
import { adopt, complete, hold, retain, unhold } from './declare.ts';
import { close, hibernate } from './end.ts';

/** What does each operation. */
export const RUNS: {
  readonly [N in OperationName]: (input: Input<N>, at: At) => Promise<Output<N>>;
} = { hold, unhold, retain, complete, adopt, close, hibernate, wake, reopen };
