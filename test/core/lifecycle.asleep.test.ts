import { describe, expect, it } from 'vitest';
import { atRest } from '../../src/core/checks/at-rest.ts';
import { finished } from '../../src/core/checks/finished.ts';
import { nothingUnsent } from '../../src/core/checks/nothing-unsent.ts';
import { rested } from '../../src/core/checks/rested.ts';
import type { Completion } from '../../src/core/verdict/declared.ts';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import {
  client,
  DAY,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  note,
  onPane,
  people,
  plainShell,
  processes,
  screen,
  shell,
  sleepingAgent,
  spoken,
  standing,
  unavailable,
  withPieces,
} from '../support/evidence.ts';
import { blockersOf, judgedOf, stateOf, verdictOn } from './judged.ts';

const done = (agoMs: number, over: Partial<Completion> = {}): Evidence =>
  standing({
    completion: {
      ...{ at: NOW.at - agoMs, outcome: 'done', evidence: null, blockers: [], speaksFor: [spoken()] },
      ...over,
    },
  });
const dead = sleepingAgent({ isDead: true, exitStatus: 0 });
const beside = (evidence: Evidence[]) =>
  onPane(
    '%2',
    evidence.filter((one) => 'paneId' in one),
  );

describe('a session whose agent sleeps', () => {
  it('is asleep and active, with the agent that sleeps, since it fell asleep', () => {
    expect(verdictOn(sleepingAgent())).toMatchObject({
      ...{ activity: 'asleep', lifecycle: 'active', since: NOW.at - HOUR },
      agent: { kind: 'claude', version: null, conversation: 'c-1', pid: null },
      reasons: [{ code: 'asleep' }],
    });
    expect(stateOf(dead)).toBe('asleep/active');
  });

  it('is never due by time alone', () => {
    const longAgo = sleepingAgent({ lastOutputAt: NOW.at - 300 * DAY });
    const evidence = withPieces(longAgo, history({ agentSeen: 'claude', quietMs: 300 * DAY }));
    expect(stateOf(evidence)).toBe('asleep/active');
    expect(blockersOf(evidence)).toEqual(['rested']);
  });

  it('is kept and then safe to close once its work was declared complete', () => {
    expect(stateOf(withPieces(sleepingAgent(), done(MINUTE)))).toBe('asleep/completed-retained');
    expect(stateOf(withPieces(sleepingAgent(), done(2 * HOUR)))).toBe('asleep/safe-to-close');
    expect(stateOf(withPieces(sleepingAgent(), done(2 * HOUR), git({ dirtyFiles: 2 })))).toBe('asleep/stale');
    expect(stateOf(withPieces(sleepingAgent(), done(2 * HOUR, { outcome: 'failed' })))).toBe('asleep/active');
  });

  it('is not due by what was declared of its agent: the sleeper came later', () => {
    const sleeper = shell({ role: 'sleeper', pid: 500, startTicks: 5000 });
    const evidence = withPieces(sleepingAgent(), processes([sleeper]), done(2 * HOUR));
    expect(stateOf(evidence)).toBe('asleep/active');
    expect(verdictOn(evidence).reasons).toMatchObject([{ code: 'asleep' }, { code: 'completion-over' }]);
  });

  it('is kept on request, and not due when that is over', () => {
    const kept = (until: number) => standing({ retained: { at: NOW.at - HOUR, until, reason: null } });
    expect(stateOf(withPieces(sleepingAgent(), kept(NOW.at + HOUR)))).toBe('asleep/completed-retained');
    expect(stateOf(withPieces(sleepingAgent(), kept(NOW.at - MINUTE)))).toBe('asleep/active');
  });

  it.each<[string, string, Evidence[]]>([
    ['the agent beside it is idle', 'idle/active', [...sleepingAgent(), ...beside(idleAgent())]],
    [
      'a command runs in another pane',
      'working/active',
      [...sleepingAgent(), ...beside(withPieces(plainShell(), processes([shell(), note()])))],
    ],
    ['a plain terminal is beside it', 'asleep/active', [...sleepingAgent(), ...beside(plainShell())]],
    [
      'somebody is there',
      'asleep/active',
      withPieces(sleepingAgent(), people({ clients: [client()], awayMs: 0 })),
    ],
    ['its processes cannot be seen', 'unknown/unknown', [...sleepingAgent(), unavailable('process')]],
  ])('where %s: %s', (_, state, evidence) => {
    expect(stateOf(evidence)).toBe(state);
  });

  it('has not rested where the agent beside it has: closing would take both', () => {
    expect(blockersOf([...sleepingAgent(), ...beside(idleAgent())])).toEqual(['rested']);
  });

  it('is closing while it is put to sleep, and that is said', () => {
    const { lifecycle, reasons } = verdictOn(
      withPieces(idleAgent(), standing({ closing: { at: NOW.at - MINUTE, isSleep: true } })),
    );
    expect(lifecycle).toBe('closing');
    expect(reasons[0]).toMatchObject({ code: 'close-under-way', text: 'its hibernation began 1 min ago' });
  });

  it('is not at work by what its sleeper uses', () => {
    const busy = shell({ role: 'sleeper', cpuPercent: 90 });
    expect(stateOf(withPieces(sleepingAgent(), processes([busy])))).toBe('asleep/active');
    const command = note({ cpuPercent: 90 });
    expect(stateOf(withPieces(sleepingAgent(), processes([busy, command])))).toBe('working/active');
  });
});

describe('the closing checklist of what sleeps', () => {
  it.each([
    ['met', 'its agent sleeps', atRest],
    ['met', 'its agent sleeps, receipt r-1', finished],
    ['unmet', 'an agent in it sleeps, to be woken again', rested],
  ] as const)('%s: %s', (state, text, check) => {
    const judged = judgedOf(sleepingAgent());
    const said = check(judged);
    expect([said].flat()).toMatchObject([{ state, text }]);
  });

  it('nothing is unsent: a sleeper takes no text', () => {
    const typed = [
      screen({ isPromptEmpty: false }),
      history({ agentSeen: 'claude', entered: 'something was entered in it' }),
    ];
    expect(nothingUnsent(judgedOf(withPieces(sleepingAgent(), ...typed)))).toMatchObject({ state: 'met' });
    expect(nothingUnsent(judgedOf(withPieces(plainShell(), ...typed)))).toMatchObject({ state: 'unmet' });
    expect(nothingUnsent(judgedOf([...sleepingAgent(), unavailable('screen')]))).toMatchObject({
      state: 'unknown',
    });
  });
});
