import { expect, it } from 'vitest';
import { nothingOutside } from '../../../src/core/checks/nothing-outside.ts';
import type { Evidence, ProcessEvidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import {
  deadPane,
  exitedAgent,
  idleAgent,
  note,
  onPane,
  pane,
  processes,
  shell,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const MET = 'no detached process belongs to it';
const stray = note({ program: 'job', relation: 'outside' });
const shared = (...conversations: string[]) => ({
  ...{ pid: 900, startTicks: 9, program: 'build', command: 'make', conversations },
});
const daemon = (evidence: Evidence[], ...notes: ReturnType<typeof shared>[]): Evidence[] =>
  evidence.map((piece) => (piece.kind === 'processes' ? { ...piece, shared: notes } : piece));
const uses = (evidence: Evidence[], terminalUsers: ProcessEvidence['terminalUsers'] | null): Evidence[] =>
  evidence.map((piece) =>
    piece.kind === 'processes' && terminalUsers !== undefined ? { ...piece, terminalUsers } : piece,
  );
const user = { pid: 12, startTicks: 9, program: 'train.py', command: 'python3 train.py' };
const doubt = 'whose build (pid 900) is cannot be told: it runs below a daemon that others share';
const unseen = 'detached processes cannot be seen';

it.each<[string, Check['state'], string, Evidence[]]>([
  ['nothing', 'met', 'no detached process belongs to it', exitedAgent()],
  [
    'a job of its tmux server, before who only uses its terminal',
    'unmet',
    'train.py (pid 13) is run by its tmux server, and would end with it',
    uses(exitedAgent(), [user, { ...user, pid: 13, isJob: true }]),
  ],
  [
    'a stray',
    'unmet',
    'job (pid 200) was started here, detached, and still runs',
    withPieces(exitedAgent(), processes([shell(), stray])),
  ],
  [
    'a keeper that is proven to be one',
    'met',
    'no detached process belongs to it; ssh-agent (pid 200) serves more than this session, and stays',
    withPieces(exitedAgent(), processes([shell(), { ...stray, program: 'ssh-agent', isKeeper: true }])),
  ],
  [
    'a keeper beside a stray',
    'unmet',
    'job (pid 200) was started here, detached, and still runs',
    withPieces(exitedAgent(), processes([shell(), stray, { ...stray, pid: 201, isKeeper: true }])),
  ],
  [
    'a stray of a dead pane',
    'unmet',
    'job (pid 200) was started here, detached, and still runs',
    withPieces(deadPane(), processes([stray])),
  ],
  [
    'several',
    'unmet',
    'job (pid 200) and 1 more were started here, detached, and still run',
    withPieces(exitedAgent(), processes([shell(), stray, { ...stray, pid: 201 }])),
  ],
  [
    'work of its own in a shared daemon',
    'unmet',
    'build (pid 900) works for it below a daemon that others share',
    daemon(idleAgent(), shared('other'), shared('c-1')),
  ],
  ['work of another in a shared daemon', 'met', MET, daemon(idleAgent(), shared('other'))],
  ['work in a shared daemon that names nobody', 'unknown', doubt, daemon(idleAgent(), shared())],
  [
    'work in a shared daemon, of an agent whose conversation is not known',
    'unknown',
    doubt,
    daemon(without(idleAgent(), 'agent'), shared('other')),
  ],
  ['work of another, where no agent is left', 'met', MET, daemon(exitedAgent(), shared('other'))],
  ['nobody at its terminal', 'met', MET, uses(exitedAgent(), [])],
  [
    'somebody at its terminal whom nothing else ties to it',
    'unmet',
    'train.py (pid 12) uses its terminal, and nothing else ties it to the session',
    uses(exitedAgent(), [user]),
  ],
  [
    'nobody knows who at its terminal',
    'unknown',
    'who uses its terminal cannot be told',
    uses(exitedAgent(), null),
  ],
  [
    'nobody knows who at the terminal of one of two panes',
    'unknown',
    'who uses its terminal cannot be told',
    [...uses(exitedAgent(), []), ...onPane('%2', uses(exitedAgent(), null)).filter((one) => 'paneId' in one)],
  ],
  ['what cannot be seen', 'unknown', unseen, without(deadPane(), 'processes')],
  ['what cannot be seen of one pane', 'unknown', unseen, [...exitedAgent(), ...onPane('%2', [pane()])]],
  ['no pane', 'unknown', unseen, []],
])('S21: outside is %s: %s', (_, state, text, evidence) => {
  expect(nothingOutside(judgedOf(evidence))).toEqual({ code: 'nothing-outside', state, text });
});
