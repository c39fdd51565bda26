import { describe, expect, it } from 'vitest';
import type { PaneSighting } from '../../../src/core/sight/sighting.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import type { Parts } from '../../../src/engine/look/parts.ts';
import type { PaneProcesses } from '../../../src/engine/look/process-reader.ts';
import { readPane } from '../../../src/engine/look/read-pane.ts';
import { agent, note, shell } from '../../support/evidence.ts';

const seen = { program: 'bash', observedAt: 1, turns: '1', readAt: 1, isWaiting: true };
const parts = {
  naming: { agentStarted: () => undefined },
  shells: { glance: ({ pid, startTicks }: ProcessNote) => ({ ...seen, pid, startTicks }) },
} as unknown as Parts;
const pane = { paneId: '%1', pid: 100, isDead: false, currentPath: '/' } as unknown as PaneSighting;

function read(...notes: readonly ProcessNote[]) {
  const readings = notes.map((one) => ({ note: one, remembered: one }));
  const processes = { readings, shared: [] } as unknown as PaneProcesses;
  return readPane(pane, { tmuxAt: 1, processesAt: 1 }, processes, parts).reading;
}
const root = shell();
const command = (pid: number, startTicks: number, parentPid = root.pid) =>
  note({ pid, startTicks, parentPid, role: 'command', relation: 'foreground', startedAt: startTicks });

describe('law 2: what is in front of a shell', () => {
  it('is known by its youngest program that the shell started, and by its terminal', () => {
    const {
      started,
      terminal,
      shell: front,
    } = read(root, command(30, 6), command(31, 8), command(32, 9, 30));
    expect(started).toEqual({ pid: 31, startTicks: 8, startedAt: 8 });
    expect(terminal).toMatchObject({ pid: root.pid, isWaiting: false });
    expect(front).toBeUndefined();
  });

  it('is nothing else where the shell itself or an agent is', () => {
    expect(read(root)).not.toHaveProperty('terminal');
    expect(read(root).shell).toMatchObject({ pid: root.pid });
    expect(read(root, agent())).not.toHaveProperty('terminal');
  });
});
