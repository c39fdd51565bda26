import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepEvidence } from '../../../src/core/history/keep-evidence.ts';
import { keptPiece } from '../../../src/core/history/kept-piece.ts';
import type { SeenRecord } from '../../../src/core/history/record.ts';
import { historyLine, readHistoryLine } from '../../../src/core/history/record.ts';
import { restoreEvidence } from '../../../src/core/history/restore-evidence.ts';
import type { Moment } from '../../../src/core/text/moment.ts';
import { classify } from '../../../src/core/verdict/classify.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Verdict } from '../../../src/core/verdict/verdict.ts';
import {
  agent,
  client,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  POLICY,
  pane,
  people,
  plainShell,
  processes,
  screen,
  shell,
  sign,
  standing,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { piece } from '../arbitrary-evidence.ts';
import { judged, later, seenAt } from './rounds.ts';

/** Written, read back, and seen again at that moment. */
function replayed(evidence: readonly Evidence[], then: Moment = NOW, now: Moment = then): Evidence[] {
  const { activity, waitingFor, lifecycle, since } = judged('a', evidence, then);
  const record: SeenRecord = {
    ...{ kind: 'seen', now: then, key: 'k', name: 'a', server: 'default', memoryBytes: 1, number: 0 },
    ...{ verdict: { activity, waitingFor, lifecycle, since }, isWhole: true, dropped: [] },
    pieces: keepEvidence(evidence, then),
  };
  const read = readHistoryLine(historyLine(record));
  if (read.state !== 'read' || read.record.kind !== 'seen' || read.record.pieces === null) return [];
  return restoreEvidence(read.record.pieces, now);
}

const codes = ({ activity, lifecycle, blockers, protections }: Verdict) => ({
  ...{ activity, lifecycle },
  blockers: blockers.map(({ code }) => code),
  protections: protections.map(({ code }) => code),
});

/** One piece on each subject, as one look makes them. */
function onePerSubject(pieces: readonly Evidence[]): Evidence[] {
  const bySubject = new Map<string, Evidence>();
  for (const one of pieces) {
    const source = one.kind === 'agent-sign' || one.kind === 'sensor-unavailable' ? one.source : '';
    bySubject.set(`${one.kind} ${'paneId' in one ? one.paneId : ''} ${source}`, one);
  }
  return [...bySubject.values()];
}

describe('evidence that was recorded', () => {
  test('tells that a completion has ended, and when the turn in which it was said was over', () => {
    const restedAt = NOW.at - HOUR;
    const used = replayed(withPieces(idleAgent(), history({ used: 'secret words', restedAt })));
    expect(used.find(({ kind }) => kind === 'history')).toMatchObject({
      used: 'it was used since',
      restedAt,
    });
  });

  test('is judged as the original was, whatever it was', () => {
    const base = fc.constantFrom(idleAgent(), exitedAgent(), plainShell(), []);
    fc.assert(
      fc.property(base, fc.array(piece, { maxLength: 8 }), (first, more) => {
        const evidence = onePerSubject([...first, ...more]);
        const original = codes(classify(evidence, NOW, POLICY));
        expect(codes(classify(replayed(evidence), NOW, POLICY))).toEqual(original);
      }),
      { numRuns: 500 },
    );
  });

  test('is judged later as a look at that time would have been, if nothing happened', () => {
    const bases = [idleAgent(), exitedAgent(), plainShell()];
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.integer({ min: 0, max: 9 * HOUR }), (evidence, ms) => {
        const now = later(ms);
        const looked = codes(classify(seenAt(evidence, now), now, POLICY));
        expect(codes(classify(replayed(evidence, NOW, now), now, POLICY))).toEqual(looked);
      }),
    );
  });

  test('S26: eight hours of suspend are no rest: the awake clock stood still', () => {
    const evidence = withPieces(idleAgent(), history({ quietMs: 5 * MINUTE, disturbedMs: 5 * MINUTE }));
    const woken = { at: NOW.at + 8 * HOUR, awakeMs: NOW.awakeMs + 1000, suspendedMs: 8 * HOUR };
    const verdict = classify(replayed(evidence, NOW, woken), woken, POLICY);
    expect(verdict.lifecycle).toBe('active');
  });

  test('keeps no text that somebody wrote: no screen, title, draft, command line, folder or reason', () => {
    const secret = 'hunter2';
    const evidence: Evidence[] = [
      pane({ title: secret }),
      processes([shell({ command: `bash ${secret}` }), agent({ command: `claude ${secret}` })]),
      screen({ tail: [secret], isPromptEmpty: null }),
      git({
        ...{ branch: secret, cwd: `/${secret}`, root: `/${secret}` },
        branches: [{ name: secret, changedAt: 1, isOwn: true }],
        below: {
          ...{ count: 1, isCut: false },
          unsaved: [{ path: secret, isSubmodule: true, changedAt: 1, state: 'failed', text: secret }],
        },
      }),
      named({
        conversation: secret,
        transcript: secret,
        resume: ['claude', secret],
        gaps: [{ code: 'x', text: secret }],
      }),
      word({ text: secret }),
      people({ clients: [client({ tty: secret })] }),
      standing({
        ...{ held: { at: 1, reason: secret }, retained: { at: 1, until: null, reason: secret } },
        ...{ claims: { role: 'worker', task: secret, owner: secret } },
        completion: { at: 1, outcome: 'done', evidence: secret, blockers: [{ code: 'clean', text: secret }] },
        gates: [
          { at: 1, id: 'g-1', task: secret, expiresAt: 2, missing: [secret], stale: null },
          {
            at: 1,
            id: 'g-2',
            task: secret,
            expiresAt: 2,
            missing: [],
            stale: { at: 1, code: 'x', text: secret },
          },
        ],
      }),
      ...[{ kind: 'sensor-unavailable', source: 'git', observedAt: NOW.at, text: secret } as const],
    ];
    expect(JSON.stringify(keepEvidence(evidence, NOW))).not.toContain(secret);
  });

  test('is judged with work that is to be finished for as long as that had time', () => {
    const gates = [
      { at: NOW.at, id: 'g-1', task: 't', expiresAt: NOW.at + HOUR, missing: ['m'], stale: null },
    ];
    const open = withPieces(idleAgent(), standing({ gates }));
    const at = (now: Moment) => classify(replayed(open, NOW, now), now, POLICY);
    expect(at(later(HOUR - 1))).toMatchObject({
      lifecycle: 'active',
      reasons: [{ code: 'work-unfinished' }, {}],
    });
    expect(at(later(HOUR)).lifecycle).toBe('safe-to-close');
  });

  test('stays below a threshold that it was below', () => {
    const busy = note({ cpuPercent: 24.999, ioBytesPerSecond: 262_143.9 });
    const [back] = replayed([processes([shell(), busy])]);
    expect(back).toMatchObject({ processes: [{}, { cpuPercent: 24.99, ioBytesPerSecond: 262_143 }] });
  });

  test('knows who used a terminal, or that nobody could tell', () => {
    const user = { pid: 12, startTicks: 9, program: 'train.py', command: 'train --key secret' };
    const [used] = replayed([{ ...processes(), terminalUsers: [user] }]);
    expect(used).toMatchObject({ terminalUsers: [{ pid: 12, program: 'train.py' }] });
    expect(JSON.stringify(used)).not.toContain('secret');
    expect(replayed([{ ...processes(), terminalUsers: null }])).toMatchObject([{ terminalUsers: null }]);
  });

  test('knows that an agent sleeps, and nothing of what it is woken from', () => {
    const asleep = { at: 5, receipt: 'secret', agentKind: 'claude', conversation: 'secret', freedBytes: 1 };
    const [back] = replayed([pane({ asleep })]);
    expect(back).toMatchObject({ asleep: { at: 5, receipt: '', agentKind: null, conversation: null } });
  });

  test('knows that a folder could not be seen, and not which', () => {
    const unseen = 'the folder of secret (pid 1) is elsewhere';
    const back = replayed([processes([shell()], { unseen }), git({}, { unseen })]);
    expect(back).toMatchObject([{ unseen: expect.any(String) }, { unseen: expect.any(String) }]);
    expect(JSON.stringify(back)).not.toContain('secret');
  });

  test('is as old as it was, and too old where it was', () => {
    const ages = [0, 900, -900, 14_200, 15_001, -1001].map((ms) =>
      pane({ paneId: `%${ms}`, observedAt: NOW.at - ms }),
    );
    expect(replayed(ages).map(({ observedAt }) => NOW.at - observedAt)).toEqual([
      0, 0, 0, 15_000, 16_000, -2000,
    ]);
  });

  test('is not built on where two pieces speak on the same subject', () => {
    expect(keepEvidence([pane(), pane({ isDead: true })], NOW)).toBeNull();
    expect(replayed([pane(), pane({ isDead: true })])).toEqual([]);
  });

  test('may hold several signs of one source', () => {
    const signs = [sign({ source: 'hook', turn: 'over' }), sign({ source: 'hook', turn: 'running' })];
    expect(replayed(signs)).toMatchObject([{ turn: 'over' }, { turn: 'running' }]);
    const event = sign({ source: 'hook', isLive: false, turn: 'over', observedAt: NOW.at - 5000 });
    expect(replayed([event])).toMatchObject([{ since: NOW.at - 5000 }]);
    expect(replayed([{ ...event, beganAt: 7 }])).toMatchObject([{ beganAt: 7 }]);
  });

  test('is not built on where it is not understood', () => {
    expect(keptPiece(null)).toBeNull();
    expect(keptPiece({ kind: 'tea-leaves' })).toBeNull();
    expect(keptPiece({ ...pane(), isDead: 'maybe' })).toBeNull();
    expect(keptPiece({ ...pane(), exitStatus: 'bad' })).toBeNull();
    expect(keptPiece({ ...pane(), paneId: 7 })).toBeNull();
    expect(keptPiece({ ...pane(), exitStatus: Number.NaN })).toBeNull();
    expect(keptPiece({ ...people(), clients: 'many' })).toBeNull();
    expect(keptPiece({ ...people(), clients: ['me'] })).toBeNull();
    expect(keptPiece({ ...screen(), isPromptEmpty: 'yes' })).toBeNull();
    const { facts } = git();
    expect(keptPiece({ ...git(), facts })).not.toBeNull();
    // Not to know of changes is not to know that there are none.
    expect(keptPiece({ ...git(), facts: { ...facts, dirtyFiles: undefined } })).toBeNull();
  });
});
