import { describe, expect, it } from 'vitest';
import { progress } from '../../../src/core/rules/progress.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, HOUR, NOW, note, POLICY, pane, processes, shell } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const find = (...notes: ProcessNote[]) => findingOf(progress, [pane(), processes(notes)]);
const { workingCpuPercent: cpuPercent, workingIoBytesPerSecond: ioBytesPerSecond } = POLICY;

describe('progress', () => {
  it('is work', () => {
    expect(find(shell(), note({ cpuPercent: 33.4, ioBytesPerSecond: 2048 }))).toEqual({
      activity: 'working',
      since: NOW.at - 2 * HOUR,
      reason: {
        code: 'progress',
        source: 'process',
        observedAt: NOW.at,
        text: 'make (pid 200) makes progress: 33 % of a core, 2 KiB/s',
      },
    });
  });

  it.each<[string, ProcessNote]>([
    ['processor time alone', note({ cpuPercent })],
    ['storage alone', note({ ioBytesPerSecond })],
    ['S21: a process outside the tree', note({ cpuPercent, relation: 'outside' })],
    ['S27: a child of an agent', note({ cpuPercent, parentPid: 300 })],
    ['an editor', note({ cpuPercent, role: 'interactive' })],
    ['a shell', shell({ cpuPercent })],
  ])('is seen in %s', (_, busy) => {
    expect(find(agent(), busy)?.activity).toBe('working');
  });

  it.each<[string, ProcessNote]>([
    [
      'a process below both bounds',
      note({ cpuPercent: cpuPercent - 1, ioBytesPerSecond: ioBytesPerSecond - 1 }),
    ],
    ['a process that was not seen before', note()],
    ['S27: an agent that redraws its screen', agent({ cpuPercent: 90 })],
  ])('is not seen in %s', (_, quiet) => {
    expect(find(quiet)).toBeNull();
  });

  it('is not seen without processes', () => {
    expect(findingOf(progress, [pane()])).toBeNull();
  });
});
