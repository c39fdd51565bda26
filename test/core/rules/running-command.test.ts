import { describe, expect, it } from 'vitest';
import { runningCommand } from '../../../src/core/rules/running-command.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, HOUR, NOW, note, pane, processes, shell } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const find = (notes: ProcessNote[], isFullScreen = false) =>
  findingOf(runningCommand, [pane({ isFullScreen }), processes(notes)]);

describe('a command that has not returned', () => {
  it('is work, however quiet', () => {
    expect(find([shell(), note()])).toEqual({
      activity: 'working',
      since: NOW.at - 2 * HOUR,
      reason: {
        code: 'command-running',
        source: 'process',
        observedAt: NOW.at,
        text: 'make (pid 200) has not returned',
      },
    });
  });

  it.each<[string, ProcessNote[]]>([
    ['in the background', [shell(), note({ relation: 'background' })]],
    ['as the pane itself', [note({ relation: 'root' })]],
    ['below a wrapper', [shell(), note({ pid: 201, role: 'wrapper' }), note({ parentPid: 201 })]],
    ['as a wrapper that has no child just now', [shell({ role: 'wrapper' })]],
    ['S20: as the quiet end of a pipeline', [shell(), note({ program: 'tail' })]],
  ])('is work %s', (_, notes) => {
    expect(find(notes)?.activity).toBe('working');
  });

  it('is every program without a terminal: nobody stands at the prompt of a shell', () => {
    const stray = note({ pid: 9, relation: 'outside' });
    const evidence = [pane({ hasNoTerminal: true }), processes([stray, shell()])];
    expect(findingOf(runningCommand, evidence)).toMatchObject({
      activity: 'working',
      reason: {
        code: 'command-running',
        text: 'bash (pid 100) has not returned, and has let go of its terminal',
      },
    });
  });

  it('is unknown when it holds the whole screen, unless it is in the background', () => {
    expect(find([shell(), note({ program: 'mystery' })], true)).toMatchObject({
      activity: 'unknown',
      reason: {
        code: 'unknown-program',
        text: 'mystery (pid 200) holds the whole screen and is not known to rollcall',
      },
    });
    expect(find([shell(), note({ relation: 'background' })], true)?.activity).toBe('working');
    expect(findingOf(runningCommand, [processes([shell(), note()])])?.activity).toBe('working');
  });

  it.each<[string, 'working' | 'unknown', Partial<ProcessNote>]>([
    ['a pager at the end of the pipeline explains it', 'working', {}],
    ['a pager that the pane was started with explains it', 'working', { relation: 'root' }],
    ['a stopped editor does not explain it', 'unknown', { relation: 'stopped' }],
    ['a stray does not explain it', 'unknown', { relation: 'outside' }],
    ['another command does not explain it', 'unknown', { role: 'command' }],
  ])('S20: on a full screen, %s: %s', (_, activity, over) => {
    const other = note({ pid: 202, role: 'interactive', ...over });
    expect(find([shell(), note(), other], true)?.activity).toBe(activity);
  });

  it.each<[string, ProcessNote[]]>([
    ['there is only a shell', [shell()]],
    ['it is stopped', [shell(), note({ relation: 'stopped' })]],
    ['it left the tree', [shell(), note({ relation: 'outside' })]],
    ['S27: it belongs to an agent', [shell(), agent(), note({ parentPid: 300 })]],
    [
      'S27: it belongs to an editor',
      [shell(), note({ pid: 201, role: 'interactive' }), note({ parentPid: 201 })],
    ],
    ['S22: it only carries an agent', [shell(), note(), agent({ parentPid: 200 })]],
    ['S22: it only wraps a shell', [shell({ role: 'wrapper' }), shell({ pid: 101, parentPid: 100 })]],
  ])('is not the point when %s', (_, notes) => {
    expect(find(notes)).toBeNull();
  });

  it('is not seen without processes', () => {
    expect(findingOf(runningCommand, [pane()])).toBeNull();
  });
});
