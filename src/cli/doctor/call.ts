import type { Surroundings } from '../frame/surroundings.ts';

/** One call of `rollcall doctor`. */
export interface DoctorCall {
  readonly flags: {
    readonly only: readonly string[];
    /** Only these tmux servers, as labels or whole socket paths. */
    readonly servers: readonly string[];
    readonly fix: boolean;
    /** Processes that a person named; nothing else is mended then. */
    readonly pids: readonly number[];
    readonly yes: boolean;
    readonly force: boolean;
    readonly json: boolean;
    readonly color: 'auto' | 'always' | 'never' | undefined;
    readonly 'no-color': boolean;
  };
  readonly surroundings: Surroundings;
}
