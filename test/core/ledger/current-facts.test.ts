import { describe, expect, it } from 'vitest';
import { currentFacts, receiptName } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { chained, KEY } from './sample-chain.ts';

const session = { key: KEY, name: 'build' };
const said = (action: string, body: JsonObject = {}): EntryDraft => ({
  kind: 'declared',
  action,
  session,
  body,
});
const factsAfter = (...drafts: Partial<EntryDraft>[]) => currentFacts(chained(drafts)).get(KEY);

describe('the facts about a session', () => {
  it('begin with its start, when that was done, with the claims it was started with', () => {
    const facts = factsAfter(
      {
        kind: 'intent',
        action: 'run',
        session: { key: null, name: 'build' },
        body: { claims: { task: 't1', role: 'worker' } },
      },
      { kind: 'outcome', action: 'run', session, cause: 1, body: { result: 'done' } },
    );
    expect(facts).toEqual({
      key: KEY,
      name: 'build',
      origin: { at: 1001, sequence: 2, how: 'started' },
      held: null,
      retained: null,
      claims: { task: 't1', role: 'worker', owner: null, branch: null, worktree: null, pr: null },
      completion: null,
      closing: null,
      closed: null,
    });
  });

  it('know how it came under care', () => {
    expect(factsAfter(said('adopt'))?.origin?.how).toBe('adopted');
    expect(factsAfter(said('reopen'))?.origin?.how).toBe('reopened');
  });

  it('hold nothing that failed or was only intended', () => {
    const failed = factsAfter(
      { kind: 'intent', action: 'hold', session },
      { kind: 'outcome', action: 'hold', session, cause: 1, body: { result: 'failed' } },
    );
    expect(failed?.held).toBeNull();
    expect(factsAfter({ kind: 'intent', action: 'adopt', session })?.origin).toBeNull();
    expect(factsAfter({ kind: 'note', action: 'hold', session })?.held).toBeNull();
  });

  it('are held until they are not', () => {
    expect(factsAfter(said('hold', { reason: 'mine' }))?.held).toMatchObject({ reason: 'mine' });
    expect(factsAfter(said('hold'))?.held).toMatchObject({ reason: null });
    expect(factsAfter(said('hold'), said('unhold'))?.held).toBeNull();
  });

  it('are retained with a reason, until a time or without end', () => {
    expect(factsAfter(said('retain', { until: 9, reason: 'review' }))?.retained).toMatchObject({
      until: 9,
      reason: 'review',
    });
    expect(factsAfter(said('retain', { until: '9' }))?.retained?.until).toBeNull();
  });

  it('keep claims that are not spoken of, and take back those that are null', () => {
    const facts = factsAfter(
      said('claim', { claims: { task: 't', pr: '7', owner: 'ann' } }),
      said('claim', { claims: { pr: null, branch: 'b', other: 'x' } }),
      said('claim', { claims: ['no'] }),
      said('claim', { claims: 'no' }),
      said('claim', { claims: null }),
    );
    expect(facts?.claims).toEqual({
      task: 't',
      role: null,
      owner: 'ann',
      branch: 'b',
      worktree: null,
      pr: null,
    });
  });

  it('know a completion, and that it was taken back', () => {
    expect(factsAfter(said('complete', { outcome: 'failed', evidence: 'log' }))?.completion).toEqual({
      at: 1000,
      sequence: 1,
      outcome: 'failed',
      body: { outcome: 'failed', evidence: 'log' },
    });
    expect(factsAfter(said('complete'))?.completion?.outcome).toBe('done');
    expect(factsAfter(said('complete'), said('cancel'))?.completion).toBeNull();
  });

  it('show a close on its way, and what came of it', () => {
    const intent = { kind: 'intent', action: 'close', session } as const;
    const receipt = { kind: 'receipt', action: 'close', session, cause: 1, body: { receipt: 'r1' } } as const;
    const outcome = (result: string) =>
      ({ kind: 'outcome', action: 'close', session, cause: 1, body: { result } }) as const;
    expect(factsAfter(intent)).toMatchObject({ closing: { sequence: 1 }, closed: null });
    expect(factsAfter(intent, outcome('failed'))).toMatchObject({ closing: null, closed: null });
    expect(factsAfter(intent, receipt)).toMatchObject({
      closing: { sequence: 1 },
      closed: { receipt: 'r1' },
    });
    expect(factsAfter(intent, receipt, outcome('done'))).toMatchObject({
      closing: null,
      closed: { receipt: 'r1' },
    });
    expect(factsAfter({ ...receipt, action: 'run' })?.closed).toBeNull();
  });

  it('stay claims and holds after a close', () => {
    const facts = factsAfter(said('claim', { claims: { task: 't' } }), said('hold'), {
      ...{ kind: 'receipt', action: 'close', session },
    });
    expect(facts).toMatchObject({ claims: { task: 't' }, held: {}, closed: { sequence: 3 } });
  });

  it('S3: belong to one generation: the next session of the same name starts with nothing', () => {
    const next = { key: 'another', name: 'build' };
    const facts = currentFacts(
      chained([said('hold'), said('complete'), { kind: 'declared', action: 'adopt', session: next }]),
    );
    expect(facts.get(KEY)).toMatchObject({ held: {}, completion: {} });
    expect(facts.get('another')).toMatchObject({ held: null, completion: null, origin: { how: 'adopted' } });
  });

  it('follow a session through its names, and pass over what concerns none', () => {
    const facts = currentFacts(
      chained([said('hold'), {}, { ...said('peek'), session: { key: KEY, name: 'new' } }]),
    );
    expect([...facts.keys()]).toEqual([KEY]);
    expect(facts.get(KEY)).toMatchObject({ name: 'new', held: {} });
  });
});

describe('a receipt', () => {
  it('has the name that it was given, or one from its place in the ledger', () => {
    const [named, plain] = chained([{ kind: 'receipt', body: { receipt: 'r7' } }, { kind: 'receipt' }]) as [
      LedgerEntry,
      LedgerEntry,
    ];
    expect(receiptName(named)).toBe('r7');
    expect(receiptName(plain)).toBe(`2-${plain.hash.slice(0, 8)}`);
  });
});
