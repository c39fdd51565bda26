import { describe, expect, it } from 'vitest';
import { currentFacts, type SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { declaredOf, openGates } from '../../../src/core/verdict/declared.ts';
import { chained, KEY } from './sample-chain.ts';

type Said = readonly [action: string, body: JsonObject];

const facts = (...said: Said[]) =>
  currentFacts(
    chained(
      said.map(([action, body]) => ({
        kind: 'declared',
        action,
        session: { key: KEY, name: 'build' },
        body,
      })),
    ),
  ).get(KEY) as SessionFacts;
const start = (gate = 'g-1', over: JsonObject = {}): Said => [
  'gate-start',
  { gate, task: 'fix it', expiresAt: 9000, owner: { paneId: '%1' }, ...over },
];
const stopped = (verdict: string, reason: string, over: JsonObject = {}): Said => [
  'gate-stop',
  { gate: 'g-1', verdict, reason, text: `${reason}!`, mode: 'enforce', missing: ['tests fail'], ...over },
];
const blocked = stopped('blocked', 'checks-unmet');
const letGo = stopped('approved', 'budget-spent');
const STALE = { at: 1001, code: 'budget-spent', text: 'budget-spent!' };

describe('the facts about work that is to be finished', () => {
  it('are absent where there never was any', () => {
    expect('gates' in facts(['hold', {}])).toBe(false);
    expect(declaredOf(facts(['hold', {}]))).not.toHaveProperty('gates');
  });

  it('begin with its start', () => {
    expect(facts(start()).gates).toEqual([
      {
        ...{ at: 1000, sequence: 1, id: 'g-1', paneId: '%1', task: 'fix it', expiresAt: 9000 },
        ...{ missing: [], stale: null },
      },
    ]);
    expect(facts(start('g-1', { task: null, owner: null })).gates).toMatchObject([
      { task: null, paneId: null },
    ]);
  });

  it.each<[string, Said, readonly string[], object | null]>([
    ['blocked', blocked, ['tests fail'], null],
    [
      'would have been blocked',
      stopped('would-block', 'checks-unmet', { mode: 'shadow' }),
      ['tests fail'],
      null,
    ],
    ['let go', letGo, ['tests fail'], STALE],
    ['let go by shadow', stopped('approved', 'budget-spent', { mode: 'shadow' }), ['tests fail'], null],
    ['not told of', stopped('approved', 'checks-unknown', { missing: [] }), [], null],
    ['held by another hook', stopped('approved', 'held-by-another'), ['tests fail'], null],
  ])('tell what it lacks after its owner was %s', (_, said, missing, stale) => {
    expect(facts(start(), said).gates).toMatchObject([{ id: 'g-1', missing, stale }]);
  });

  it('are stale until the owner is kept going again', () => {
    expect(facts(start(), letGo, stopped('approved', 'same-stop')).gates?.[0]?.stale).toEqual(STALE);
    expect(facts(start(), letGo, blocked).gates?.[0]?.stale).toBeNull();
  });

  it.each<[string, Said]>([
    ['a stop of somebody else', stopped('approved', 'another-pane', { missing: ['theirs'] })],
    ['a stop while the switch is tripped', stopped('approved', 'switched-off')],
    ['a stop that rollcall failed at', stopped('approved', 'failed')],
    ['a stop that is not understood', stopped('approved', 'whatever')],
    ['a stop about other work', stopped('blocked', 'checks-unmet', { gate: 'g-9' })],
    ['a stop about none', stopped('blocked', 'checks-unmet', { gate: null })],
    ['the end of other work', ['gate-end', { gate: 'g-9', phase: 'finished' }]],
    ['a start without an end', ['gate-start', { gate: 'g-2' }]],
    ['something else about it', ['hold', { gate: 'g-1' }]],
  ])('S53: are not changed by %s', (_, said) => {
    expect(facts(start(), letGo, said).gates).toEqual(facts(start(), letGo).gates);
  });

  it.each<[string, Said]>([
    ['it was finished, abandoned or has expired', ['gate-end', { gate: 'g-1', phase: 'finished' }]],
    ['its checks were met at a stop', stopped('approved', 'checks-met')],
    ['a stop came too late', stopped('approved', 'expired')],
  ])('go when %s', (_, said) => {
    expect(facts(start(), letGo, said).gates).toEqual([]);
    expect(declaredOf(facts(start(), said))).not.toHaveProperty('gates');
  });

  it('S53: know of two agents in one tmux session, and of one piece of work in each pane', () => {
    const ids = (...said: Said[]) => facts(...said).gates?.map(({ id }) => id);
    const second = start('g-2', { owner: { paneId: '%2' } });
    expect(ids(start(), second)).toEqual(['g-1', 'g-2']);
    expect(ids(start(), second, start('g-3'))).toEqual(['g-2', 'g-3']);
    expect(ids(start(), start('g-3', { owner: {} }))).toEqual(['g-1', 'g-3']);
    expect(ids(start(), start())).toEqual(['g-1']);
    const nowhere = (id: string) => start(id, { owner: {} });
    expect(ids(nowhere('g-1'), nowhere('g-1'), nowhere('g-2'))).toEqual(['g-1', 'g-2']);
    const both = facts(start(), second, letGo).gates;
    expect(both?.map(({ stale }) => stale !== null)).toEqual([true, false]);
  });

  it('drop what has run out when the next begins', () => {
    const short = start('g-1', { expiresAt: 1001 });
    expect(facts(short, start('g-2', { owner: { paneId: '%2' } })).gates).toMatchObject([{ id: 'g-2' }]);
  });

  it('are shown in words that steer no terminal, and count while there is time', () => {
    const evil = '\u001b[2J';
    const declared = declaredOf(
      facts(start('g-1', { task: evil }), stopped('approved', 'agent-cap', { missing: [evil], text: evil })),
    );
    expect(declared.gates).toEqual([
      {
        ...{ at: 1000, id: 'g-1', task: '\\e[2J', expiresAt: 9000, missing: ['\\e[2J'] },
        stale: { at: 1001, code: 'agent-cap', text: '\\e[2J' },
      },
    ]);
    const clock = { suspendedMs: 0, steppedMs: 0 };
    const when = (at: number) => ({ now: { at, awakeMs: 0, suspendedMs: 0 }, clock });
    expect(openGates(declared, when(8999))).toHaveLength(1);
    expect(openGates(declared, when(9000))).toEqual([]);
    expect(openGates({}, when(0))).toEqual([]);
    expect(openGates(declared, { ...when(9000), clock: { ...clock, steppedMs: 1 } })).toHaveLength(1);
  });

  it('S26: whose start is known on the awake clock last for as long on it, whoever found their time over', () => {
    const made = start('g-1', { awakeMs: 100 });
    const late: Said[] = [
      stopped('approved', 'expired'),
      ['gate-end', { gate: 'g-1', phase: 'expired' }],
      start('g-2', { owner: { paneId: '%2' } }),
    ];
    const declared = declaredOf(facts(start('g-1', { awakeMs: 100, expiresAt: 1001 }), ...late));
    expect(declared.gates).toMatchObject([{ id: 'g-1', awakeMs: 100 }, { id: 'g-2' }]);
    const open = (awakeMs: number) => {
      const now = { at: 1_000_000, awakeMs, suspendedMs: 0 };
      return openGates(declaredOf(facts(made)), { now }).length;
    };
    expect([open(8099), open(8100)]).toEqual([1, 0]);
  });

  it('go when their time was found over where only the wall clock is known', () => {
    expect(facts(start(), ['gate-end', { gate: 'g-1', phase: 'expired' }]).gates).toEqual([]);
  });
});
