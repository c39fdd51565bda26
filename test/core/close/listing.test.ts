import { expect, it } from 'vitest';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { listing } from '../../../src/core/close/listing.ts';
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

const user = (pid: number) => ({ pid, startTicks: 9, program: 'train.py', command: 'python3 train.py' });

const evidence = [
  ...withPieces(
    idleAgent(),
    processes([
      shell(),
      agent({ pid: 250 }),
      agent({ parentPid: 250 }),
      note({ pid: 400, parentPid: 300, helper: 'MCP server' }),
      note({ pid: 401, parentPid: 300 }),
      note({ pid: 402, relation: 'outside' }),
      note({ pid: 403, kept: 'it serves more', relation: 'outside' }),
      note({ pid: 404, kept: 'it serves more' }),
    ]),
  ),
  ...onPane('%2', [
    pane({ isWindowShared: true }),
    { ...processes([note({ pid: 500 })]), terminalUsers: [user(501)] },
  ]),
  ...onPane('%3', [
    pane(),
    {
      ...processes([note({ pid: 402, relation: 'outside' })]),
      terminalUsers: [user(502), { ...user(503), isJob: true as const }],
    },
  ]),
];

const fates = (isForced: boolean) =>
  Object.fromEntries(
    listing(closingPanes(entry(evidence), NOW.at), { isForced }).map(({ pid, what, why }) => [
      pid,
      why === null ? what : `${what}: ${why}`,
    ]),
  );

it('without force, only an agent, its launchers and its helpers are ended', () => {
  expect(fates(false)).toEqual({
    100: 'hang-up',
    250: 'end',
    300: 'end',
    400: 'end',
    401: 'hang-up',
    402: 'keep',
    403: 'keep: it serves more',
    404: 'hang-up: it serves more',
    500: 'keep: its window lives on in another session',
    501: 'keep: its window lives on in another session',
    502: 'hang-up: only its terminal ties it to the session',
    503: 'hang-up: is run by its tmux server, and would end with it',
  });
});

it('with force, everything that is its own, each once, and nothing that is nobody’s', () => {
  expect(fates(true)).toEqual({
    ...fates(false),
    100: 'end',
    401: 'end',
    402: 'end',
  });
});
