import { describe, expect, it } from 'vitest';
import { countingCompletion, isSpokenFor, unspokenIn } from '../../../src/core/memory/spoken-for.ts';
import type { Completion } from '../../../src/core/verdict/declared.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  clock,
  DAY,
  deadPane,
  exitedAgent,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  onPane,
  pane,
  processes,
  shell,
  spoken,
  standing,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { factsOf } from '../judged.ts';

const SAID = NOW.at - HOUR;
const DONE: Completion = { at: SAID, outcome: 'done', evidence: null, blockers: [], speaksFor: [spoken()] };
const { speaksFor: _, ...OLD } = DONE;
const said = (evidence: Evidence[], completion: Completion = DONE) =>
  factsOf(withPieces(evidence, standing({ completion })));
const why = (evidence: Evidence[], completion?: Completion) => unspokenIn(said(evidence, completion));
const beside = (evidence: Evidence[]) =>
  onPane(
    '%2',
    evidence.filter((one) => 'paneId' in one),
  );
const withAgents = (...notes: Parameters<typeof processes>[0] & object) =>
  withPieces(idleAgent(), processes([shell(), ...notes]));
const atRest = { ...DONE, speaksFor: [spoken({ at: SAID, isAtRest: true })] };
const ANOTHER = '%1: another program runs in it since, or it cannot be seen';

describe('a completion speaks for', () => {
  it.each<[string, Evidence[], Completion]>([
    ['the agent that was there', idleAgent(), DONE],
    ['its conversation', idleAgent(), { ...DONE, speaksFor: [spoken({ conversation: 'c-1' })] }],
    ['an agent that now says which conversation it is', idleAgent(), DONE],
    [
      'one that does not say it any more',
      without(idleAgent(), 'agent'),
      { ...DONE, speaksFor: [spoken({ conversation: 'c-1' })] },
    ],
    ['what it started itself', withAgents(agent(), agent({ pid: 301, parentPid: 300 })), DONE],
    [
      'a pane that something outside of it bears the mark of',
      withAgents(agent({ relation: 'outside' })),
      DONE,
    ],
    ['the shell that it left', exitedAgent(), DONE],
    ['the turn in which it was said', withPieces(idleAgent(), word({ since: NOW.at })), DONE],
    ['an agent that rests since', withPieces(idleAgent(), word({ since: SAID })), atRest],
    ['its program, however it ended', withPieces(deadPane(), pane({ isDead: true, deadPid: 100 })), DONE],
    ['a pane beside one that is dead', [...idleAgent(), ...beside(deadPane())], DONE],
  ])('%s', (_, evidence, completion) => {
    expect(why(evidence, completion)).toBeNull();
    expect(countingCompletion(said(evidence, completion))).toBe(completion);
  });
});

describe('laws 1 and 2: it does not speak for', () => {
  it.each<[string, string, Evidence[], Completion]>([
    [
      'a pane that was added',
      '%2: it was not said of this pane',
      [...idleAgent(), ...beside(idleAgent())],
      DONE,
    ],
    [
      'an agent that came later',
      '%1: claude (pid 301) was not there then',
      withAgents(agent({ pid: 301 })),
      DONE,
    ],
    [
      'one that has its pid by chance',
      '%1: codex (pid 300) was not there then',
      withAgents(agent({ startTicks: 9, agentKind: 'codex' })),
      DONE,
    ],
    [
      'an agent of no known kind',
      '%1: helper (pid 301) was not there then',
      withAgents(note({ pid: 301, role: 'agent', program: 'helper' })),
      DONE,
    ],
    ['a program in its place', ANOTHER, withPieces(idleAgent(), processes([shell({ pid: 101 })])), DONE],
    ['a program with its pid', ANOTHER, withPieces(idleAgent(), processes([shell({ startTicks: 3 })])), DONE],
    ['what cannot be seen', ANOTHER, without(idleAgent(), 'processes'), DONE],
    [
      'another conversation',
      '%1: its agent is in another conversation since',
      withPieces(idleAgent(), named({ conversation: 'c-2' })),
      { ...DONE, speaksFor: [spoken({ conversation: 'c-1' })] },
    ],
    [
      'a turn after it',
      '%1: a new turn has begun since',
      withPieces(idleAgent(), word({ since: NOW.at - MINUTE })),
      atRest,
    ],
    [
      'a turn after the one in which it was said',
      '%1: a new turn has begun since',
      withPieces(idleAgent(), word({ since: NOW.at - MINUTE }), history({ restedAt: SAID })),
      DONE,
    ],
    [
      'a turn that another sign tells the beginning of',
      '%1: a new turn has begun since',
      [...idleAgent(), word({ source: 'hook', isLive: false, since: NOW.at, beganAt: SAID + 1 })],
      { ...DONE, speaksFor: [spoken({ at: SAID })] },
    ],
    ['what was used since', '%1: x', withPieces(idleAgent(), history({ used: 'x' })), DONE],
  ])('%s', (_, text, evidence, completion) => {
    expect(why(evidence, completion)).toBe(text);
    expect(countingCompletion(said(evidence, completion))).toBeNull();
  });

  it('the bad end of a program that was started in its place', () => {
    const facts = said(withPieces(deadPane(), pane({ isDead: true, deadPid: 101 })));
    expect(facts.panes.map((one) => isSpokenFor(facts, one))).toEqual([false]);
    const own = said(deadPane());
    expect(own.panes.map((one) => isSpokenFor(own, one))).toEqual([true]);
  });

  it('anything where it was not accepted, or never said', () => {
    const refused = { ...DONE, blockers: [{ code: 'clean', text: 'x' }] };
    for (const facts of [said(idleAgent(), refused), factsOf(idleAgent()), factsOf([pane()])]) {
      expect([unspokenIn(facts), countingCompletion(facts)]).toEqual([null, null]);
      expect(facts.panes.map((one) => isSpokenFor(facts, one))).toEqual([false]);
    }
  });
});

describe('one that an earlier version recorded speaks for', () => {
  const awake = { ...OLD, at: NOW.at - DAY, awakeMs: NOW.awakeMs - HOUR };
  const stepped = (over: Parameters<typeof clock>[0] = {}) =>
    withPieces(idleAgent(), clock({ steppedMs: DAY, ...over }));

  it.each<[string, Evidence[], Completion]>([
    ['what is older', idleAgent(), OLD],
    ['what is older, also after a step of the clock', stepped(), awake],
    ['a program that had ended', deadPane(), OLD],
    ['one that tmux does not tell the end of', withPieces(deadPane(), silent()), OLD],
  ])('%s', (_, evidence, completion) => {
    const facts = said(evidence, completion);
    expect(facts.panes.map((one) => isSpokenFor(facts, one))).toEqual([true]);
  });

  it.each<[string, Evidence[], Completion]>([
    ['a younger agent', withAgents(agent({ startedAt: SAID - 999 })), OLD],
    ['a younger program', withPieces(exitedAgent(), processes([shell({ startedAt: SAID })])), OLD],
    ['what is not seen to run', withPieces(idleAgent(), processes([note({ relation: 'foreground' })])), OLD],
    ['what cannot be seen', without(idleAgent(), 'processes'), OLD],
    ['one that ended later', withPieces(deadPane(), pane({ isDead: true, lastOutputAt: NOW.at })), OLD],
    ['what may be younger after a step', stepped(), OLD],
    ['what may be younger after suspend', stepped({ suspendedMs: 2 * HOUR }), awake],
    ['what no clock tells of', without(idleAgent(), 'clock'), OLD],
    ['what no clock tells of, however well it was timed', without(idleAgent(), 'clock'), awake],
  ])('but not %s', (_, evidence, completion) => {
    const facts = said(evidence, completion);
    expect(facts.panes.map((one) => isSpokenFor(facts, one))).toEqual([false]);
  });
});

function silent() {
  const { lastOutputAt: _last, ...rest } = pane({ isDead: true });
  return rest;
}
