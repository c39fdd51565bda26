import { expect, it } from 'vitest';
import { indexProcesses } from '../../../src/core/sight/pane-processes.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import type { ServerSighting } from '../../../src/core/sight/sighting.ts';
import { findMarked, markKey } from '../../../src/engine/look/marked-processes.ts';

const SERVER = { state: 'present', pid: 5, startTicks: 5, socketPath: '/s', sessions: [] };
const process = (pid: number, ppid: number, comm = 'x') =>
  ({ pid, ppid, comm, state: 'S', startTicks: 100 + pid }) as Process;

/** Everything that bears the mark of pane %1, if it is asked at all. */
function marked(...all: Process[]): readonly number[] {
  const markers = (asked: readonly Process[]) =>
    new Map(asked.map(({ pid, startTicks }) => [pid, { pid, startTicks, tmux: '/s,5,0', tmuxPane: '%1' }]));
  const index = indexProcesses(new Map(all.map((one) => [one.pid, one])));
  const found = findMarked([SERVER as unknown as ServerSighting], index, {
    markers,
    placesOf: () => new Map(),
  });
  return (found.get(markKey(5, '%1')) ?? []).map(({ pid }) => pid);
}

it('what left its pane is found by its mark; the kernel’s threads and process 1 are not asked', () => {
  expect(marked(process(1, 0), process(2, 0, 'kthreadd'), process(30, 2), process(44, 1))).toEqual([44]);
});

it('what left its pane is found in a container too, whatever it hangs on there', () => {
  expect(marked(process(1, 0), process(2, 1, 'catatonit'), process(44, 2))).toEqual([2, 44]);
});
