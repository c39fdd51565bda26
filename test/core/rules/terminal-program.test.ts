import { describe, expect, it } from 'vitest';
import { terminalProgram } from '../../../src/core/rules/terminal-program.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, HOUR, NOW, note, pane, processes, shell } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const find = (...notes: ProcessNote[]) =>
  findingOf(terminalProgram, [pane(), processes([shell(), ...notes])]);
const vim = note({ program: 'vim', role: 'interactive' });
const ssh = note({ pid: 201, program: 'ssh', role: 'remote' });

describe('a program at a terminal', () => {
  it('is no agent: a plain terminal in use', () => {
    expect(find(vim)).toEqual({
      activity: 'none',
      since: NOW.at - 2 * HOUR,
      reason: {
        code: 'interactive-program',
        source: 'process',
        observedAt: NOW.at,
        text: 'vim (pid 200) is open in a plain terminal',
      },
    });
  });

  it('hides what goes on behind it when it is remote or contained', () => {
    expect(find(ssh)).toMatchObject({
      activity: 'unknown',
      reason: { code: 'work-elsewhere', text: 'ssh (pid 201) runs work that cannot be seen from here' },
    });
  });

  it.each<[string, ProcessNote[], string]>([
    ['a pager shows what a remote command prints', [vim, ssh], 'unknown'],
    ['an editor keeps a remote connection for itself', [vim, { ...ssh, parentPid: vim.pid }], 'none'],
    ['an editor runs over an agent', [vim, agent({ parentPid: vim.pid })], 'none'],
    ['an editor is stopped', [{ ...vim, relation: 'stopped' }], 'none'],
  ])('counts when %s', (_, notes, activity) => {
    expect(find(...notes)?.activity).toBe(activity);
  });

  it.each<[string, ProcessNote[]]>([
    ['there is none', [note()]],
    ['an agent opened the editor', [agent(), { ...vim, parentPid: 300 }]],
    ['S27: an agent keeps a container', [agent(), { ...ssh, parentPid: 300 }]],
    [
      'it left the tree',
      [
        { ...vim, relation: 'outside' },
        { ...ssh, relation: 'outside' },
      ],
    ],
  ])('is not the point when %s', (_, notes) => {
    expect(find(...notes)).toBeNull();
  });

  it('is not seen without processes', () => {
    expect(findingOf(terminalProgram, [pane()])).toBeNull();
  });
});
