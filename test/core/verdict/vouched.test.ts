import { expect, it } from 'vitest';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { isVouched } from '../../../src/core/verdict/vouched.ts';
import {
  agent,
  deadPane,
  NOW,
  note,
  onPane,
  plainShell,
  processes,
  shell,
  standing,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { factsOf } from '../judged.ts';

const DONE = { at: NOW.at, outcome: 'done', evidence: null, blockers: [] };
const OWN = { at: NOW.at, how: 'started', pane: { paneId: '%1', pid: 100 } } as const;
const complete = (evidence: Evidence[], over: Parameters<typeof standing>[0] = {}) =>
  withPieces(evidence, standing({ origin: OWN, completion: DONE, ...over }));
const running = (...notes: Parameters<typeof processes>[0] & object) =>
  complete(withPieces(plainShell(), processes([...notes])));

it('a completion vouches for the bare shell that rollcall started', () => {
  expect(isVouched(factsOf(complete(plainShell())))).toBe(true);
  expect(isVouched(factsOf(running(shell(), note({ pid: 7, relation: 'outside', role: 'shell' }))))).toBe(
    true,
  );
});

it.each<[string, Evidence[]]>([
  ['without a completion', withPieces(plainShell(), standing({ origin: OWN }))],
  [
    'S29: with one that was not accepted',
    complete(plainShell(), { completion: { ...DONE, blockers: [{ code: 'clean', text: 'x' }] } }),
  ],
  ['with one that says failed', complete(plainShell(), { completion: { ...DONE, outcome: 'failed' } })],
  [
    'S60: that another ledger started',
    withPieces(plainShell(), standing({ completion: DONE, isManaged: false })),
  ],
  ['that was adopted', complete(plainShell(), { origin: { at: NOW.at, how: 'adopted' } })],
  ['S45: of a pane that somebody added', complete(onPane('%2', plainShell()))],
  ['S45: beside a pane that somebody added', [...complete(plainShell()), ...onPane('%2', plainShell())]],
  ['that somebody started instead of its program', running(shell({ pid: 101 }))],
  ['with a command below it', running(shell(), note())],
  ['S12: with a job that was stopped', running(shell(), note({ relation: 'stopped' }))],
  [
    'with another shell below it',
    running(shell(), shell({ pid: 102, parentPid: 100, relation: 'foreground' })),
  ],
  ['with an agent', running(shell(), agent())],
  ['that is no shell', running(note({ pid: 100, relation: 'root', program: 'vim', role: 'interactive' }))],
  ['that is not in front', running(shell({ relation: 'background' }))],
  ['whose processes are not seen', without(complete(plainShell()), 'processes')],
  ['that is dead', complete(deadPane())],
  ['that is dead and not seen', without(complete(deadPane()), 'processes')],
  ['with nothing to look at', []],
])('and for no other: one %s', (_, evidence) => {
  expect(isVouched(factsOf(evidence))).toBe(false);
});
