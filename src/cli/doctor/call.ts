import type { Invocation } from '../frame/command.ts';
import type { Surroundings } from '../frame/surroundings.ts';

/** One call of `rollcall doctor`. */
export interface DoctorCall {
  readonly flags: Pick<Invocation['flags'], 'json' | 'color' | 'no-color'> & {
    readonly only: readonly string[];
    /** Only these tmux servers, as labels or whole socket paths. */
    readonly servers: readonly string[];
    readonly fix: boolean;
    /** Processes that a person named; nothing else is mended then. */
    readonly pids: readonly number[];
    readonly yes: boolean;
    readonly force: boolean;
  };
  readonly surroundings: Surroundings;
}
