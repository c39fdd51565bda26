import { describe, expect, it } from 'vitest';
import { hasEnded } from '../../src/cli/guard/gone.ts';
import type { PulseReading } from '../../src/ports/guard.ts';

const server = { socketPath: '/tmp/tmux-1/work', pid: 100, startTicks: 5 };
const readings: readonly PulseReading[] = [
  { state: 'alive', isStopped: true, parentPid: 1, terminal: 0 },
  { state: 'unknown' },
  { state: 'dead', exit: null },
];

describe('the end of a tmux server', () => {
  it('is the kernel’s word on that very process, and nothing less', () => {
    const asked: unknown[] = [];
    let closed = 0;
    const told = readings.map((reading) =>
      hasEnded(server, {
        openPulse: (one) => {
          asked.push(one);
          return { read: () => reading, close: () => (closed += 1) };
        },
      }),
    );
    expect(told).toEqual([false, false, true]);
    expect(asked).toEqual(readings.map(() => ({ pid: 100, startTicks: 5 })));
    expect(closed).toBe(readings.length);
  });

  it('is never told of one whose process nobody has seen here: its pid may be another’s', () => {
    const openPulse = () => ({ read: (): PulseReading => ({ state: 'dead', exit: null }), close: () => {} });
    expect(hasEnded({ ...server, startTicks: 0 }, { openPulse })).toBe(false);
  });
});
