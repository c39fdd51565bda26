import type { Pressure } from '../../../src/core/pressure/judge-pressure.ts';
import type { ReapEvent } from '../../../src/core/reaper/standing.ts';

/** A machine with room to spare; tests change what they are about. */
export function pressure(changes: Partial<Pressure> = {}): Pressure {
  return {
    ...{ tier: 'normal', since: 0, isFirstLook: false, next: null, signals: [] },
    reason: {
      ...{ code: 'below-thresholds', text: 'all is calm', signal: null },
      ...{ value: null, threshold: null, heldMs: null },
    },
    ...changes,
  };
}

export const REAPED: ReapEvent = {
  ...{ kind: 'would-close', at: 1, mode: 'shadow', tier: 'moderate', session: null, relief: null },
  ...{ code: 'shadow', text: 'it would have been closed', memoryBytes: null, receipt: null },
};
