import { describe, expect, it } from 'vitest';
import type { ProgramEnd } from '../../../src/core/memory/ended.ts';
import {
  closedVerdict,
  closedWords,
  closingVerdict,
  endedVerdict,
  isFinished,
} from '../../../src/core/memory/gone.ts';
import { isGone } from '../../../src/core/sight/roll.ts';
import type { Declared } from '../../../src/core/verdict/declared.ts';
import { MINUTE, NOW } from '../../support/evidence.ts';

const end = (over: Partial<ProgramEnd> = {}): ProgramEnd => ({
  ...{ exitStatus: 0, exitSignal: null, endedAt: NOW.at - 2 * MINUTE, lines: [] },
  ...over,
});
const completed = (blockers: object[] = []): Declared =>
  ({ completion: { at: 1, outcome: 'done', evidence: null, blockers } }) as Declared;
const textOf = ({ reasons }: ReturnType<typeof endedVerdict>) => reasons[0]?.text;

describe('a session that went with its program', () => {
  it('has finished with status 0, or after a completion that was accepted', () => {
    expect(isFinished(end(), {}, NOW)).toBe(true);
    expect(isFinished(end({ exitStatus: 3 }), {}, NOW)).toBe(false);
    expect(isFinished(end({ exitStatus: null, exitSignal: '15' }), completed(), NOW)).toBe(true);
    expect(isFinished(end({ exitStatus: 3 }), completed([{ code: 'contract', text: 'no' }]), NOW)).toBe(
      false,
    );
  });

  it('is closed and no alarm where it has finished', () => {
    const verdict = endedVerdict(end(), {}, NOW);
    expect(verdict).toMatchObject({ lifecycle: 'closed', activity: 'exited', since: NOW.at - 2 * MINUTE });
    expect(textOf(verdict)).toBe('finished: ended with status 0 2 min ago');
    expect(textOf(endedVerdict(end({ exitStatus: 5 }), completed(), NOW))).toBe(
      'finished: declared complete, then ended with status 5 2 min ago',
    );
  });

  it('is stale otherwise, and says how and with which last line', () => {
    const verdict = endedVerdict(end({ exitStatus: 3, lines: ['one', 'no such table'] }), {}, NOW);
    expect(verdict).toMatchObject({ lifecycle: 'stale', checks: [], blockers: [], panes: [] });
    expect(textOf(verdict)).toBe('ended with status 3 2 min ago; last line: no such table');
    expect(textOf(endedVerdict(end({ exitStatus: 3 }), {}, NOW))).toBe('ended with status 3 2 min ago');
  });
});

describe('a session that went with its program, and that somebody still wants something of', () => {
  const gate = { at: NOW.at - MINUTE, awakeMs: NOW.awakeMs - MINUTE, id: 'g', task: 'the parser' };
  const open = { ...gate, expiresAt: NOW.at + MINUTE, missing: [], stale: null };
  const refused: Declared = completed([{ code: 'contract', text: 'tests fail' }]);

  it.each<[string, string, Declared]>([
    ['work-unfinished', 'its work is not finished (the parser)', { gates: [open] }],
    ['held', 'held 1 min ago: mine', { held: { at: NOW.at - MINUTE, reason: 'mine' } }],
    ['retained', 'kept on request', { retained: { at: 1, until: null, reason: null } }],
    ['completion-refused', expect.stringContaining('not accepted: tests fail'), refused],
  ])('is stale (%s), however well it ended', (code, text, declared) => {
    expect(isFinished(end(), declared, NOW)).toBe(false);
    expect(endedVerdict(end(), declared, NOW)).toMatchObject({
      lifecycle: 'stale',
      reasons: [
        { code, text },
        { code: 'program-ended', text: 'ended with status 0 2 min ago' },
      ],
    });
  });

  it('tells a bad end first', () => {
    const { reasons } = endedVerdict(end({ exitStatus: 3 }), { gates: [open] }, NOW);
    expect(reasons.map(({ code }) => code)).toEqual(['program-ended', 'work-unfinished']);
  });

  it('has finished once that is over; the retention of a completion keeps nothing', () => {
    const over = { ...open, expiresAt: NOW.at - 1 };
    const retained = { at: 1, until: NOW.at, reason: null };
    expect(isFinished(end(), { gates: [over], retained }, NOW)).toBe(true);
    expect(isFinished(end(), completed(), NOW)).toBe(true);
  });
});

it('a completion does not speak for work that came after it', () => {
  const killed = end({ exitStatus: null, exitSignal: '9', isOvertaken: true });
  expect(isFinished(killed, completed(), NOW)).toBe(false);
  expect(textOf(endedVerdict(killed, completed(), NOW))).toBe(
    'ended by signal 9 2 min ago, at work after it was declared complete',
  );
  expect(isFinished(end({ isOvertaken: true }), completed(), NOW)).toBe(true);
});

describe('a session with a receipt', () => {
  const closed = { at: NOW.at - MINUTE, sequence: 7, receipt: 'r1' };

  it('tells since when, the receipt and why', () => {
    expect(textOf(closedVerdict(closed, { reopened: null }, NOW.at))).toBe('closed 1 min ago, receipt r1');
    const told = { ...closed, result: 'closed', reason: 'enough' };
    expect(closedVerdict(told, { reopened: null }, NOW.at)).toMatchObject({
      lifecycle: 'closed',
      reasons: [{ code: 'closed', text: 'closed 1 min ago, receipt r1: enough' }],
    });
    const reopened = { at: 1, sequence: 8, key: 'k2' };
    expect(textOf(closedVerdict(closed, { reopened }, NOW.at))).toContain('; reopened as k2');
  });

  it('tells that it has finished, and how', () => {
    const finished = { ...closed, result: 'finished', reason: 'ended with status 0' };
    const ended = { at: 1, sequence: 6, ...end() };
    expect(closedVerdict(finished, { ended, reopened: null }, NOW.at).reasons).toMatchObject([
      { code: 'finished', text: 'finished 1 min ago, receipt r1: ended with status 0' },
    ]);
    expect(textOf(closedVerdict(finished, { reopened: null }, NOW.at))).toContain(': ended with status 0');
    expect(closedWords(finished, NOW.at)).toBe('finished 1 min ago');
  });

  it('is still to come while somebody closes it', () => {
    const verdict = closingVerdict(NOW.at - MINUTE, NOW.at);
    expect(verdict).toMatchObject({ lifecycle: 'closing', reasons: [{ code: 'closing' }] });
    expect(textOf(verdict)).toBe('being closed since 1 min; it is gone, its receipt is to come');
  });
});

it('gone is what is lost, closed, or went with its program', () => {
  expect(isGone({ lifecycle: 'lost' })).toBe(true);
  expect(isGone({ lifecycle: 'closed' })).toBe(true);
  expect(isGone({ lifecycle: 'stale', ended: end() })).toBe(true);
  expect(isGone({ lifecycle: 'stale' })).toBe(false);
});
