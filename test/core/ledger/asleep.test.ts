import { describe, expect, it } from 'vitest';
import { currentFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { chained, KEY } from './sample-chain.ts';

const session = { key: KEY, name: 'build' };
const factsAfter = (...drafts: Partial<EntryDraft>[]) => currentFacts(chained(drafts)).get(KEY);

const server = { socketPath: '/tmp/tmux-0/default', pid: 7, startTicks: 70 };
const place = { server, sessionId: '$3', createdAtSeconds: 1_700_000_000 };
const sleeper = { paneId: '%1', pid: 500, startTicks: 5000 };

const intent = (action: string, body: JsonObject = {}): Partial<EntryDraft> => ({
  ...{ kind: 'intent', action, session, body },
});
const outcome = (action: string, cause: number, body: JsonObject): Partial<EntryDraft> => ({
  ...{ kind: 'outcome', action, session, cause, body },
});
const receipt = (over: JsonObject = {}): Partial<EntryDraft> => ({
  ...{ kind: 'receipt', action: 'hibernate', session },
  body: {
    ...{ receipt: 'r-1', result: 'asleep', sleeper: { ...sleeper, freedBytes: 1024, isPaneKept: true } },
    agent: { kind: 'claude', conversation: 'c-1' },
    session: { server, sessionId: '$3', createdAt: 1_700_000_000_000 },
    ...over,
  },
});
const started = [
  intent('run'),
  outcome('run', 1, { result: 'done', run: 'w-1', paneId: '%1', pid: 100, ...place }),
];
const fallen = [intent('hibernate', place), receipt(), outcome('hibernate', 1, { result: 'done' })];
const adopted = outcome('adopt', 1, { result: 'done', ...place });

describe('a session falls asleep', () => {
  it('on its way there it is being closed, and the facts say that it is to sleep', () => {
    expect(factsAfter(intent('hibernate', place))).toMatchObject({
      closing: { sequence: 1, actor: { pid: 7 }, place, isSleep: true },
    });
    const closing = factsAfter(intent('close', place))?.closing;
    expect(closing).toMatchObject({ place });
    expect(closing).not.toHaveProperty('isSleep');
  });

  it('by its receipt, with its sleeper and what it gave back', () => {
    expect(factsAfter(...fallen)).toMatchObject({
      asleep: {
        ...{ at: 1001, sequence: 2, receipt: 'r-1', ...sleeper },
        ...{ kind: 'claude', conversation: 'c-1', freedBytes: 1024, isPaneKept: true },
      },
      closing: null,
      closed: null,
    });
  });

  it('and comes into nobody’s care by that', () => {
    expect(factsAfter(...fallen)?.origin).toBeNull();
    expect(factsAfter(adopted, receipt())?.origin).toMatchObject({ how: 'adopted', place });
    expect(factsAfter(...started, receipt())?.origin).toMatchObject({ how: 'started', run: 'w-1' });
  });

  it('not by a partial receipt, nor by one that tells of no sleeper', () => {
    for (const over of [{ result: 'partial' }, { sleeper: null }, { receipt: null }]) {
      const facts = factsAfter(receipt(over));
      expect(facts).not.toHaveProperty('asleep');
      expect(facts).toMatchObject({ origin: null, closed: null });
    }
  });

  it('not by a hibernation that failed: it is only no longer on its way', () => {
    const facts = factsAfter(intent('hibernate', place), outcome('hibernate', 1, { result: 'failed' }));
    expect(facts).toMatchObject({ closing: null, closed: null });
    expect(facts).not.toHaveProperty('asleep');
  });

  it('not by a receipt of anything else', () => {
    const facts = factsAfter({ ...receipt(), action: 'lock' });
    expect(facts).not.toHaveProperty('asleep');
  });
});

describe('a session that sleeps', () => {
  const wakes = (body: JsonObject) => [intent('wake', { run: 'w-2' }), outcome('wake', 4, body)];

  it('is awake once a wake was done, and its agent is that of the wake', () => {
    const pane = { paneId: '%1', pid: 900 };
    const woken = outcome('wake', 3, { result: 'done', run: 'w-2', ...pane, ...place });
    const facts = factsAfter(adopted, receipt(), intent('wake', { run: 'w-2' }), woken);
    expect(facts?.asleep).toBeUndefined();
    expect(facts?.origin).toEqual({
      ...{ at: 1000, sequence: 1, how: 'adopted', place },
      ...{ run: 'w-2', pane, sleeper: sleeper.pid },
    });
  });

  it('stays in nobody’s care when it is woken, where nobody started or adopted it', () => {
    const facts = factsAfter(...fallen, ...wakes({ result: 'done', paneId: '%1', pid: 900, ...place }));
    expect(facts).toMatchObject({ asleep: undefined, origin: null });
  });

  it('keeps how it came into care when it is woken', () => {
    const woken = [
      intent('wake', { run: 'w-2' }),
      outcome('wake', 4, { result: 'done', paneId: '%1', pid: 900, ...place }),
    ];
    expect(factsAfter(...started, receipt(), ...woken)?.origin).toMatchObject({
      ...{ at: 1001, how: 'started', run: 'w-2', pane: { paneId: '%1', pid: 900 } },
    });
  });

  it('sleeps on behind another sleeper where its agent ended at once', () => {
    const next = { paneId: '%1', pid: 600, startTicks: 6000 };
    const facts = factsAfter(...fallen, ...wakes({ result: 'died', sleeper: next }));
    expect(facts?.asleep).toMatchObject({ ...next, at: 1001, sequence: 5, receipt: 'r-1', freedBytes: 1024 });
    expect(facts?.origin).toBeNull();
  });

  it('sleeps on as before where it was not woken', () => {
    const before = factsAfter(...fallen)?.asleep;
    for (const body of [
      { result: 'failed' },
      { result: 'died' },
      { result: 'died', sleeper: { paneId: '%1' } },
    ]) {
      expect(factsAfter(...fallen, ...wakes(body))?.asleep).toEqual(before);
    }
  });

  it('is not put to sleep by a wake that died, where nothing slept', () => {
    expect(factsAfter(intent('wake'), outcome('wake', 1, { result: 'died', sleeper }))?.asleep).toBe(
      undefined,
    );
    expect(factsAfter(intent('wake'), outcome('wake', 1, { result: 'done' }))?.origin).toBeNull();
  });

  it('does not sleep any more once it was closed; a close that stopped half-way leaves it asleep', () => {
    const close = (result: string): Partial<EntryDraft> => ({
      ...{ kind: 'receipt', action: 'close', session, body: { receipt: 'r-2', result } },
    });
    const closed = factsAfter(...fallen, close('closed'));
    expect(closed?.asleep).toBeUndefined();
    expect(closed?.closed).toMatchObject({ receipt: 'r-2' });
    expect(factsAfter(...fallen, close('partial'))?.asleep).toMatchObject({ receipt: 'r-1' });
  });

  it('sleeps anew after it was woken', () => {
    const again = { paneId: '%1', pid: 700, startTicks: 7000 };
    const facts = factsAfter(
      ...fallen,
      ...wakes({ result: 'done' }),
      receipt({ receipt: 'r-2', sleeper: again, agent: null }),
    );
    expect(facts?.asleep).toMatchObject({
      ...{ ...again, receipt: 'r-2', kind: null, conversation: null, freedBytes: null },
      isPaneKept: false,
    });
  });
});
