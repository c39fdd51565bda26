import { expect, it } from 'vitest';
import { bornSince, closingPanes, newcomers } from '../../../src/core/close/closing-pane.ts';
import {
  agent,
  idleAgent,
  NOW,
  note,
  onPane,
  pane,
  processes,
  shell,
  withPieces,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

it('tells what began since the list: what a shell started, not what a listed program did', () => {
  const evidence = [
    ...withPieces(
      idleAgent(),
      processes([
        shell(),
        agent(),
        note({ pid: 401, parentPid: 300 }),
        note({ pid: 402, parentPid: shell().pid }),
        note({ pid: 403, parentPid: 402 }),
        note({ pid: 404, relation: 'outside' }),
        note({ pid: 405, relation: 'outside' }),
        note({ pid: 406, relation: 'outside', isKeeper: true }),
      ]),
    ),
    ...onPane('%2', [
      pane({ isWindowShared: true }),
      processes([note({ pid: 500 }), note({ pid: 501, relation: 'outside' })]),
    ]),
  ];
  const listed = new Set([shell().pid, agent().pid, 405]);
  const panes = closingPanes(entry(evidence), NOW.at);
  const pidsOf = (among: typeof newcomers) =>
    among(panes, ({ pid }) => listed.has(pid)).map(({ pid }) => pid);
  expect(pidsOf(newcomers)).toEqual([402, 403]);
  expect(pidsOf(bornSince)).toEqual([404]);
});
