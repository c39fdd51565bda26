import { describe, expect, it } from 'vitest';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import { type HoldsOwn, holdsOwn } from '../../../src/engine/look/people-in.ts';

/** Pids with their parents; each has started at ten times its pid. */
function table(parents: Readonly<Record<number, number>>): ProcessTable {
  const byPid = new Map(
    Object.entries(parents).map(([pid, ppid]) => [
      Number(pid),
      { pid: Number(pid), ppid, startTicks: Number(pid) * 10 } as Process,
    ]),
  );
  return { observedAt: 0, byPid, isComplete: true };
}
const pane = (pid: number, ...processes: number[]) =>
  ({
    sighting: { pid },
    processes: processes.map((one) => ({ pid: one, startTicks: one * 10 })),
  }) as unknown as Parameters<HoldsOwn>[0];

describe('S7: where rollcall itself runs', () => {
  const holds = holdsOwn(table({ 1: 0, 50: 1, 60: 50, 70: 60, 80: 1 }), 70);

  it('is any pane that holds it or something above it', () => {
    expect(holds(pane(50, 50, 60, 70))).toBe(true);
    expect(holds(pane(40, 40, 60))).toBe(true);
    expect(holds(pane(80, 80))).toBe(false);
  });

  it('is no pane that holds everybody’s ancestor, or no process at all', () => {
    expect(holds(pane(90, 1))).toBe(false);
    expect(holds(pane(0, 70))).toBe(false);
  });

  it('is told by the start of a process as well as by its number', () => {
    const again = {
      ...pane(50),
      processes: [{ pid: 50, startTicks: 7 }],
    } as unknown as Parameters<HoldsOwn>[0];
    expect(holds(again)).toBe(false);
  });

  it('ends where a parent is not to be seen, and in no circle', () => {
    expect(holdsOwn(table({ 70: 60, 60: 70 }), 70)(pane(60, 60))).toBe(true);
    expect(holdsOwn(table({}), 70)(pane(70, 70))).toBe(false);
  });
});
