import { describe, expect, it } from 'vitest';
import type { GateEnding } from '../../../src/core/gate/cases.ts';
import { gateTally } from '../../../src/core/gate/report.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { chained, KEY } from '../ledger/sample-chain.ts';

const session = { key: KEY, name: 'build' };
const said = (action: string, body: JsonObject, over: Partial<EntryDraft> = {}): Partial<EntryDraft> => ({
  ...{ kind: 'declared', action, session, body },
  ...over,
});
const start = (gate = 'g-1', over: JsonObject = {}) =>
  said('gate-start', { gate, task: 'fix it', expiresAt: 9000, ...over });
const stopped = (verdict: string, reason: string, over: JsonObject = {}) =>
  said('gate-stop', {
    ...{ gate: 'g-1', verdict, reason, text: reason, mode: 'enforce', agent: 'claude', latencyMs: 50 },
    ...over,
  });
const blocked = (over: JsonObject = {}) => stopped('blocked', 'checks-unmet', over);
const ended = (phase: string, over: JsonObject = {}) =>
  said('gate-end', { gate: 'g-1', phase, text: phase, ...over });
/** Entries are a millisecond apart, from 1000 on. */
const report = (drafts: readonly Partial<EntryDraft>[], since = 0, now = 2000) =>
  gateTally(chained(drafts), [], since, now);

it('of nothing is nothing', () => {
  const none = { met: 0, forced: 0, 'let-go': 0, abandoned: 0, expired: 0, open: 0 };
  expect(report([said('hold', {})])).toEqual({
    ...{ from: null, to: null, stops: 0, approved: 0, wouldBlock: 0, blocked: 0 },
    ...{ reasons: [], agents: [], cases: [], blockedEnds: none, shadowEnds: none },
    ...{ latency: null, changes: [] },
  });
});

it('counts every stop: asked of rollcall, let through by the hook, recorded and not recorded yet', () => {
  const entries = chained([
    stopped('approved', 'another-pane', { gate: null }),
    stopped('approved', 'another-pane', { agent: 'codex' }),
    stopped('approved', 'checks-unknown', { latencyMs: 70 }),
    stopped('would-block', 'checks-unmet', { mode: 'shadow' }),
    blocked({ latencyMs: 900 }),
    said('gate-passed', { stops: 5, by: { claude: 3, gemini: 2, bad: 'x', none: 0 } }, { session: null }),
    said('gate-passed', {}, { session: null }),
  ]);
  expect(gateTally(entries, [{ agentKind: 'gemini' }, { agentKind: 'opencode' }], 0, 2000)).toMatchObject({
    ...{ from: 1000, to: 1006, stops: 12, approved: 10, wouldBlock: 1, blocked: 1 },
    reasons: [
      { reason: 'nobody-here', times: 7 },
      { reason: 'another-pane', times: 2 },
      { reason: 'checks-unknown', times: 1 },
    ],
    agents: [
      { agent: 'claude', stops: 7 },
      { agent: 'gemini', stops: 3 },
      { agent: 'codex', stops: 1 },
      { agent: 'opencode', stops: 1 },
    ],
    latency: { stops: 5, p50Ms: 50, p99Ms: 900, maxMs: 900 },
  });
});

it('orders agents by their names where they stopped as often', () => {
  const agents = ['b', 'a', 'c'].map((agentKind) => ({ agentKind }));
  expect(gateTally([], agents, 0, 0).agents.map(({ agent }) => agent)).toEqual(['a', 'b', 'c']);
});

it('passes over what is not understood, and what is no declaration', () => {
  const entries = [
    stopped('trapped', 'checks-unmet'),
    stopped('approved', 'because'),
    said('gate-stop', {}),
    { ...blocked(), kind: 'note' },
    { ...said('gate-passed', { by: { claude: 2 } }), kind: 'note' },
    { ...said('gate-mode', { from: 'off', to: 'enforce' }), kind: 'note' },
  ] as const;
  expect(report(entries)).toMatchObject({ stops: 0, cases: [], changes: [], latency: null });
  const bare = said('gate-stop', { verdict: 'approved', reason: 'failed' });
  expect(report([bare])).toMatchObject({
    ...{ stops: 1, agents: [{ agent: 'unknown', stops: 1 }], latency: null },
  });
});

it('S54: shows names from outside without anything that could steer a terminal', () => {
  const evil = '\u001b[2J';
  const entries = chained([
    start('g-1', { task: evil }),
    blocked({ agent: evil, text: evil, missing: [evil, 7] }),
    ended('abandoned', { text: evil }),
    blocked({ gate: evil }),
    said('gate-passed', { by: { [evil]: 1 } }),
    said('gate-mode', { from: evil, to: evil, project: evil }),
    said('gate-switch', { state: evil, reason: evil }),
  ]);
  expect(JSON.stringify(gateTally(entries, [{ agentKind: evil }], 0, 2000))).not.toContain('\\u001b');
});

it('tells when mode and switch were changed, and why', () => {
  const { changes } = report([
    said('gate-mode', { from: 'shadow', to: 'enforce', project: null }, { session: null }),
    said('gate-mode', { from: null, to: 'off', project: '/project' }, { session: null }),
    said('gate-switch', { state: 'off', reason: 'it nags' }, { session: null }),
    said('gate-switch', { state: 'on', reason: null }, { session: null }),
  ]);
  expect(changes).toEqual([
    { at: 1000, text: 'mode shadow to enforce' },
    { at: 1001, text: 'mode none to off in /project' },
    { at: 1002, text: 'switched off: it nags' },
    { at: 1003, text: 'switched on' },
  ]);
});

describe('how blocked work ended', () => {
  const letGo = (over: JsonObject = {}) => stopped('approved', 'budget-spent', over);

  it.each<[string, GateEnding, number | null, readonly Partial<EntryDraft>[]]>([
    ['it goes on', 'open', null, [blocked()]],
    ['its checks were met at a later stop', 'met', 1002, [blocked(), stopped('approved', 'checks-met')]],
    ['somebody finished it', 'met', 1002, [blocked(), ended('finished')]],
    [
      'somebody finished it with something missing',
      'forced',
      1002,
      [blocked(), ended('finished', { missing: ['x'] })],
    ],
    ['it was abandoned', 'abandoned', 1002, [blocked(), ended('abandoned')]],
    ['its time was over', 'expired', 1002, [blocked(), ended('expired', { text: null })]],
    ['it was let go', 'let-go', 1002, [blocked(), letGo()]],
    ['it was let go and kept going again', 'open', null, [blocked(), letGo(), blocked()]],
    ['it was let go and finished', 'met', 1003, [blocked(), letGo(), ended('finished')]],
    ['shadow would have let it go', 'open', null, [blocked(), letGo({ mode: 'shadow' })]],
    ['nobody else ends it', 'open', null, [blocked(), stopped('approved', 'another-pane')]],
    ['a note ends nothing', 'open', null, [blocked(), { ...ended('abandoned'), kind: 'note' }]],
    ['a mode changes nothing', 'open', null, [blocked(), said('gate-mode', { gate: 'g-1' })]],
  ])('%s: %s', (_, ending, endedAt, drafts) => {
    const { cases, blockedEnds, shadowEnds } = report([start(), ...drafts]);
    expect(cases).toMatchObject([
      { gate: 'g-1', task: 'fix it', session: 'build', firstAt: 1001, ending, endedAt },
    ]);
    expect(blockedEnds[ending]).toBe(1);
    expect(Object.values(blockedEnds).reduce((sum, one) => sum + one, 0)).toBe(1);
    expect(Object.values(shadowEnds).every((one) => one === 0)).toBe(true);
  });

  it('its time may be over without anybody saying so; what was let go before stays so', () => {
    const over = (...drafts: Partial<EntryDraft>[]) => report([start(), ...drafts], 0, 9000).cases[0];
    expect(over(blocked())).toMatchObject({ ending: 'expired', endedAt: 9000 });
    expect(over(blocked(), letGo())).toMatchObject({ ending: 'let-go' });
    expect(report([start('g-1', { expiresAt: null }), blocked()], 0, 9000).cases[0]?.ending).toBe('open');
  });

  it('is told apart from what was only in shadow', () => {
    const shadow = { gate: 'g-2', mode: 'shadow' };
    const { cases, blockedEnds, shadowEnds } = report([
      start(),
      said('gate-start', { gate: 'g-2' }, { session: null }),
      blocked(),
      stopped('would-block', 'checks-unmet', shadow),
      stopped('would-block', 'checks-unmet', shadow),
      stopped('approved', 'checks-met', shadow),
      stopped('approved', 'another-pane', { gate: 'g-3' }),
    ]);
    expect(cases).toMatchObject([
      { gate: 'g-1', blocked: 1, wouldBlock: 0, ending: 'open' },
      { gate: 'g-2', task: null, session: null, blocked: 0, wouldBlock: 2, ending: 'met' },
    ]);
    expect([blockedEnds.open, blockedEnds.met, shadowEnds.open, shadowEnds.met]).toEqual([1, 0, 0, 1]);
  });

  it('counts from a time on, with what was said of the work before it', () => {
    const all = [start(), blocked(), blocked(), start('g-2'), blocked({ gate: 'g-2' }), ended('abandoned')];
    expect(report(all, 1002)).toMatchObject({
      ...{ from: 1002, to: 1005, stops: 2, blocked: 2 },
      cases: [
        { gate: 'g-1', task: 'fix it', blocked: 1, firstAt: 1002, ending: 'abandoned' },
        { gate: 'g-2', blocked: 1, ending: 'open' },
      ],
    });
    expect(report(all, 1005)).toMatchObject({ stops: 0, cases: [] });
  });
});
