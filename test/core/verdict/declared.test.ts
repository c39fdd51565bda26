import { describe, expect, it } from 'vitest';
import { currentFacts, type SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { acceptedCompletion, declaredOf, refusedCompletion } from '../../../src/core/verdict/declared.ts';
import { chained, KEY } from '../ledger/sample-chain.ts';

const facts = (...said: [action: string, body?: JsonObject][]) =>
  currentFacts(
    chained(
      said.map(([action, body = {}]) => ({
        kind: 'declared',
        action,
        session: { key: KEY, name: 'build' },
        body,
      })),
    ),
  ).get(KEY) as SessionFacts;
const completion = (body: JsonObject) => declaredOf(facts(['complete', body]));

describe('what was declared', () => {
  it('is nothing where only a note names the session', () => {
    expect(declaredOf(facts(['claim', {}]))).toEqual({});
  });

  it('tells origin, claims, hold, retention and completion with their times', () => {
    const declared = declaredOf(
      facts(
        ['adopt', { claims: { task: 't1', role: 'worker', branch: 'topic' } }],
        ['hold', { reason: 'mine' }],
        ['retain', { until: 5, reason: 'to read' }],
        ['complete', { outcome: 'done', evidence: 'tests pass' }],
      ),
    );
    expect(declared).toEqual({
      origin: { at: 1000, how: 'adopted' },
      claims: { task: 't1', role: 'worker', branch: 'topic' },
      held: { at: 1001, reason: 'mine' },
      retained: { at: 1002, until: 5, reason: 'to read' },
      completion: { at: 1003, outcome: 'done', evidence: 'tests pass', blockers: [] },
    });
  });

  it('tells the pane that was started', () => {
    expect(declaredOf(facts(['reopen', { paneId: '%4', pid: 77 }]))).toEqual({
      origin: { at: 1000, how: 'reopened' },
    });
    expect(declaredOf(facts(['run', { paneId: '%4', pid: 77 }]))).toEqual({
      origin: { at: 1000, how: 'started', pane: { paneId: '%4', pid: 77 } },
    });
  });

  it('says nothing where no reason was given', () => {
    const timed = declaredOf(
      facts(['retain', { until: 5, forMs: 3, awakeMs: 2 }], ['complete', { awakeMs: 4 }]),
    );
    expect(timed).toMatchObject({ retained: { until: 5, forMs: 3, awakeMs: 2 }, completion: { awakeMs: 4 } });
    const spoken = { paneId: '%1', at: 1, pid: 7, startTicks: 8, agents: [] };
    expect(declaredOf(facts(['complete', { speaksFor: [spoken] }])).completion?.speaksFor).toEqual([spoken]);
    const declared = declaredOf(facts(['hold'], ['retain'], ['complete']));
    expect(declared).toMatchObject({
      held: { reason: null },
      retained: { until: null, reason: null },
      completion: { outcome: 'done', evidence: null },
    });
  });

  it('S54: holds no character that could steer a terminal, and no endless text', () => {
    const evil = `\u001b[31m${'x'.repeat(9000)}`;
    const declared = declaredOf(
      facts(
        ['claim', { claims: { task: evil } }],
        ['hold', { reason: evil }],
        ['retain', { reason: evil }],
        ['complete', { outcome: evil, evidence: evil, blockers: [{ code: evil, text: evil }, evil] }],
      ),
    );
    expect(JSON.stringify(declared)).not.toContain('\\u001b');
    expect(JSON.stringify(declared).length).toBeLessThan(3500);
    expect(declared.held?.reason).toMatch(/^\\e\[31mx/);
  });
});

describe('a completion', () => {
  it.each<[string, JsonObject, boolean, boolean]>([
    ['that says done', { outcome: 'done' }, true, false],
    ['that says nothing of its outcome', {}, true, false],
    ['with an empty list of blockers', { blockers: [] }, true, false],
    ['without blockers', { blockers: null }, true, false],
    ['that failed', { outcome: 'failed' }, false, false],
    ['with a word that nobody knows', { outcome: 'DONE' }, false, false],
    ['that failed and lacks something', { outcome: 'failed', blockers: ['clean'] }, false, false],
    ['that lacks something', { blockers: [{ code: 'clean', text: '2 files' }] }, false, true],
    ['that lacks something in a way that is not understood', { blockers: 'tests' }, false, true],
  ])('%s: accepted and refused are told apart', (_, body, isAccepted, isRefused) => {
    const declared = completion(body);
    expect([acceptedCompletion(declared) !== null, refusedCompletion(declared) !== null]).toEqual([
      isAccepted,
      isRefused,
    ]);
  });

  it('names what it lacks, however it was written', () => {
    const blockers = [{ code: 'clean', text: '2 files' }, 'tests fail', { code: 'odd' }, 7, null];
    expect(completion({ blockers }).completion?.blockers).toEqual([
      { code: 'clean', text: '2 files' },
      { code: 'contract', text: 'tests fail' },
      { code: 'odd', text: '{"code":"odd"}' },
      { code: 'contract', text: '7' },
      { code: 'contract', text: 'null' },
    ]);
  });

  it('has evidence in one text or several', () => {
    expect(completion({ evidence: ['a', 'b'] }).completion?.evidence).toBe('a; b');
    expect(completion({ evidence: [] }).completion?.evidence).toBeNull();
    expect(completion({ evidence: 7 }).completion?.evidence).toBeNull();
  });

  it('is nothing where none was declared', () => {
    expect([acceptedCompletion({}), refusedCompletion({})]).toEqual([null, null]);
  });
});
