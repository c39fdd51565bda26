import { expect, it } from 'vitest';
import { archiveDocument } from '../../../src/core/close/archive-document.ts';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { agentsIn, agentsOf, didEnd, endedNotes, leavingNotes } from '../../../src/core/close/ended.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  exitedAgent,
  idleAgent,
  NOW,
  named,
  onPane,
  pane,
  processes,
  shell,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

const FOUND = {
  paneId: '%1',
  processes: [{ pid: 300, startTicks: agent().startTicks, program: 'claude' }],
  resume: ['claude', '--resume', 'c-1'],
  isAll: false,
};

const panesOf = (evidence: readonly Evidence[]) => closingPanes(entry(evidence), NOW.at);

function archived(evidence: readonly Evidence[]) {
  const none = { windows: [], startedAs: new Map(), environments: new Map(), cut: new Set<string>() };
  const [session, panes] = [entry(evidence), panesOf(evidence)];
  return archiveDocument({ id: 'r1', at: NOW.at, entry: session, panes, ...none, claims: null });
}

it('finds the agents of a session, but not what lives on in another one', () => {
  const both = [...idleAgent(), ...onPane('%2', exitedAgent())];
  expect(agentsOf(panesOf(both))).toEqual([FOUND]);
  expect(agentsOf(panesOf(withPieces(idleAgent(), pane({ isWindowShared: true }))))).toEqual([]);
  const mute = { ...FOUND, resume: null };
  expect(agentsOf(panesOf(without(idleAgent(), 'agent')))).toEqual([mute]);
  expect(agentsOf(panesOf(withPieces(idleAgent(), named({ resume: [] }))))).toEqual([mute]);
});

it('finds the same in an archive, by every process that is one', () => {
  const both = archived([...idleAgent(), ...onPane('%2', exitedAgent())]);
  expect(agentsIn(both, ['%1', '%2'])).toEqual([FOUND]);
  expect(agentsIn(both, ['%2'])).toEqual([]);
  const launched = [shell(), agent({ pid: 250 }), agent({ pid: 300, parentPid: 250 })];
  const marked = [...launched, agent({ pid: 400, relation: 'outside' })];
  const [found] = agentsIn(archived(withPieces(idleAgent(), processes(marked))), ['%1']);
  expect(found?.processes.map(({ pid }) => pid)).toEqual([250, 300]);
  expect(agentsIn(readKept({}), ['%1'])).toEqual([]);
  const odd = { paneId: '%1', agent: {} };
  const notes = [7, { role: 'agent' }, { role: 'agent', pid: 1 }, { role: 'shell', pid: 1, startTicks: 2 }];
  expect(agentsIn(readKept({ panes: [7, odd, { ...odd, processes: notes }] }), ['%1'])).toEqual([]);
  const bare = { ...odd, processes: [{ role: 'agent', pid: 1, startTicks: 2 }] };
  expect(agentsIn(readKept({ panes: [bare] }), ['%1'])).toEqual([
    { paneId: '%1', processes: [{ pid: 1, startTicks: 2, program: '?' }], resume: null, isAll: false },
  ]);
});

it('knows with which agent all of a session goes: the program of its only pane, and no shell below it', () => {
  const alone = withPieces(idleAgent(), processes([agent({ pid: 100, parentPid: 1, relation: 'root' })]));
  const launcher = agent({ pid: 100, parentPid: 1, relation: 'root' });
  const launched = withPieces(idleAgent(), processes([launcher, agent({ pid: 300, parentPid: 100 })]));
  const beside = [...alone, ...onPane('%2', exitedAgent())];
  const allOf = (evidence: readonly Evidence[]) => [
    agentsOf(panesOf(evidence)).map(({ isAll }) => isAll),
    agentsIn(archived(evidence), ['%1', '%2']).map(({ isAll }) => isAll),
  ];
  expect(allOf(alone)).toEqual([[true], [true]]);
  expect(allOf(launched)).toEqual([[true], [true]]);
  expect(allOf(beside)).toEqual([[false], [false]]);
  expect(allOf(idleAgent())).toEqual([[false], [false]]);
});

it('counts only rungs that end something, where they did something', () => {
  expect(didEnd([])).toBe(false);
  expect(didEnd([{ rung: 'archive', result: 'done' }])).toBe(false);
  expect(didEnd([{ rung: 'ask', result: 'skipped' }])).toBe(false);
  expect(didEnd([{ rung: 'remove', result: 'failed' }])).toBe(false);
  expect(didEnd([{ rung: 'ask', result: 'failed' }])).toBe(true);
  expect(didEnd([{ rung: 'kill', result: 'done' }])).toBe(true);
  expect(
    didEnd([
      { rung: 'ask', result: 'skipped' },
      { rung: 'terminate', result: 'unanswered' },
    ]),
  ).toBe(true);
});

it('tells who has ended, and how a conversation comes back', () => {
  expect(endedNotes([FOUND, { ...FOUND, paneId: '%2', resume: null }])).toEqual([
    'ended in pane %1: claude (pid 300); its conversation: claude --resume c-1',
    'ended in pane %2: claude (pid 300)',
  ]);
  expect(leavingNotes([FOUND])).toEqual([
    'in pane %1 claude (pid 300) still runs, and may leave if it was asked to',
  ]);
  expect(endedNotes([], [{ pid: 5, startTicks: 1, program: 'make' }])).toEqual(['ended too: make (pid 5)']);
});
