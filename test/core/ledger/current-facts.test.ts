import { describe, expect, it } from 'vitest';
import { currentFacts, foldFacts, receiptName, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
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
      origin: { at: 1001, sequence: 2, how: 'started', place: null },
      held: null,
      retained: null,
      claims: { task: 't1', role: 'worker', owner: null, branch: null, worktree: null, pr: null },
      completion: null,
      closing: null,
      closed: null,
      reopened: null,
    });
  });

  it('know where it was started, from what intent and outcome say together', () => {
    const server = { socketPath: '/tmp/s', pid: 900, startTicks: 1234 };
    const facts = factsAfter(
      { kind: 'intent', action: 'run', session: { key: null, name: 'build' }, body: { server } },
      {
        ...{ kind: 'outcome', action: 'run', session, cause: 1 },
        body: { result: 'done', sessionId: '$3', createdAtSeconds: 17, paneId: '%4', pid: 77 },
      },
    );
    expect(facts?.origin?.place).toEqual({ server, sessionId: '$3', createdAtSeconds: 17 });
    expect(facts?.origin?.pane).toEqual({ paneId: '%4', pid: 77 });
    const adopted = factsAfter(said('adopt', { paneId: '%4', pid: 77 }));
    const untold = factsAfter(said('run', { paneId: '%4' }));
    expect([adopted?.origin?.pane, untold?.origin?.pane]).toEqual([undefined, undefined]);
  });

  it.each<[string, JsonObject]>([
    ['no server', { sessionId: '$3', createdAtSeconds: 17 }],
    ['half a server', { server: { socketPath: '/tmp/s' }, sessionId: '$3', createdAtSeconds: 17 }],
    ['no server to speak of', { server: null, sessionId: '$3', createdAtSeconds: 17 }],
    ['no session id', { server: { socketPath: '/tmp/s', pid: 1, startTicks: 2 }, createdAtSeconds: 17 }],
  ])('do not guess a place from an entry with %s', (_, body) => {
    expect(factsAfter(said('adopt', body))?.origin).toMatchObject({ how: 'adopted', place: null });
  });

  it('say who began a close, and when another session took the place of this one', () => {
    expect(factsAfter({ kind: 'intent', action: 'close', session })?.closing).toEqual({
      ...{ at: 1000, sequence: 1 },
      actor: { pid: 7, bootId: 'boot' },
    });
    const next = { key: 'another', name: 'build' };
    const reopen = (body: JsonObject): EntryDraft => ({
      ...{ kind: 'declared', action: 'reopen', session: next, body },
    });
    const facts = currentFacts(chained([said('adopt'), reopen({ reopens: KEY })]));
    expect(facts.get(KEY)?.reopened).toEqual({ at: 1001, sequence: 2, key: 'another' });
    expect(facts.get('another')).toMatchObject({ origin: { how: 'reopened' }, reopened: null });
    expect(factsAfter(said('adopt'), reopen({ reopens: 'stranger' }))?.reopened).toBeNull();
    expect(factsAfter(said('adopt'), reopen({}))?.reopened).toBeNull();
  });

  it('S34: know the pid namespace of whoever first spoke of it, or took it into care', () => {
    const from = (action: string, pidNamespace: string) => said(action, { pidNamespace });
    expect(factsAfter(said('hold'))).not.toHaveProperty('pidNamespace');
    expect(factsAfter(from('hold', '1'), from('unhold', '2'))?.pidNamespace).toBe('1');
    expect(factsAfter(said('hold'), from('retain', '2'))).not.toHaveProperty('pidNamespace');
    for (const action of ['run', 'adopt', 'reopen'])
      expect(factsAfter(said('hold'), from(action, '2'))?.pidNamespace).toBe('2');
    const intent = { ...from('close', '2'), kind: 'intent' } as const;
    expect(factsAfter(from('adopt', '1'), intent)?.closing?.actor).toEqual({
      ...{ pid: 7, bootId: 'boot', pidNamespace: '2' },
    });
  });

  it('come out the same wherever the ledger was folded in between', () => {
    const other = { key: 'other', name: 'other' };
    const entries = chained([
      {
        kind: 'intent',
        action: 'run',
        session: { key: null, name: 'build' },
        body: { claims: { task: 't' } },
      },
      said('hold'),
      { kind: 'outcome', action: 'run', session, cause: 1, body: { result: 'done' } },
      { kind: 'intent', action: 'close', session: other },
      said('unhold'),
      { kind: 'outcome', action: 'close', session: other, cause: 4, body: { result: 'failed' } },
    ]);
    const whole = foldFacts(UNFOLDED, entries);
    expect(whole.facts.get(KEY)).toMatchObject({
      origin: { how: 'started' },
      claims: { task: 't' },
      held: null,
    });
    expect(whole.openIntents.size).toBe(0);
    for (let cut = 0; cut <= entries.length; cut += 1) {
      const folded = foldFacts(foldFacts(UNFOLDED, entries.slice(0, cut)), entries.slice(cut));
      expect(folded).toEqual(whole);
    }
    expect(UNFOLDED.facts.size).toBe(0);
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

  it('are known by the panes that they showed when they were adopted, held or kept', () => {
    const shown = (...paneIds: string[]) => ({ paneIds });
    const facts = factsAfter(
      said('adopt', shown('%1')),
      said('hold', shown('%1', '%2')),
      said('retain', shown('%3')),
      said('hold', shown()),
      said('unhold'),
    );
    expect(facts?.paneIds).toEqual(['%1', '%2', '%3']);
    expect(factsAfter(said('hold'))?.paneIds).toBeUndefined();
  });

  it('are held until they are not', () => {
    expect(factsAfter(said('hold', { reason: 'mine' }))?.held).toMatchObject({ reason: 'mine' });
    expect(factsAfter(said('hold'))?.held).toMatchObject({ reason: null });
    expect(factsAfter(said('hold'), said('unhold'))?.held).toBeNull();
  });

  it('are retained for a time, and completed, on the awake clock too', () => {
    const kept = { until: 9, forMs: 5, awakeMs: 4 };
    expect(factsAfter(said('retain', kept))?.retained).toMatchObject(kept);
    expect(factsAfter(said('complete', { awakeMs: 4 }))?.completion?.awakeMs).toBe(4);
    expect(factsAfter(said('complete'))?.completion).not.toHaveProperty('awakeMs');
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
    // A close that ended an agent and then stopped has a receipt too.
    const partial = { ...receipt, body: { receipt: 'r0', result: 'partial' } };
    expect(factsAfter(intent, partial)).toMatchObject({ closing: { sequence: 1 }, closed: null });
    expect(factsAfter(intent, partial, outcome('aborted'))).toMatchObject({ closing: null, closed: null });
    expect(factsAfter(partial, receipt)).toMatchObject({ closed: { receipt: 'r1' } });
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

describe('when somebody last counted on a session', () => {
  it.each(['hold', 'retain', 'claim', 'gate-start'])('is told by %s', (action) => {
    expect(factsAfter(said('adopt'), said(action))?.wantedAt).toBe(1001);
  });

  it('is not told by what takes something back, or says that it is done', () => {
    const others = ['unhold', 'complete', 'cancel', 'gate-stop', 'end'].map((action) => said(action));
    expect(factsAfter(said('adopt'), ...others)).not.toHaveProperty('wantedAt');
    expect(factsAfter(said('retain', { released: true }))).not.toHaveProperty('wantedAt');
  });
});

describe('how a session ended', () => {
  const server = { socketPath: '/tmp/s', pid: 900, startTicks: 1234 };

  it('is known with its last few lines, and by which run it was started', () => {
    const lines = ['1', '2', '3', '4', '5', '6'];
    const facts = factsAfter(
      said('run', { run: 'r1' }),
      said('end', { run: 'r1', exitStatus: 3, exitSignal: null, endedAt: 5, lines }),
    );
    expect(facts?.origin?.run).toBe('r1');
    expect(facts?.ended).toMatchObject({ exitStatus: 3, endedAt: 5, sequence: 2, lines: lines.slice(1) });
    expect(facts?.closed).toBeNull();
    expect(factsAfter(said('end', { text: 'not understood' }))?.ended).toBeUndefined();
  });

  it('a receipt tells what came of it, why, and where it was', () => {
    const body = { receipt: 'r1', result: 'finished', reason: 'ended with status 0' };
    const where = { server, sessionId: '$3', createdAt: 17_000 };
    const receipt = { kind: 'receipt', action: 'close', session } as const;
    const place = { server, sessionId: '$3', createdAtSeconds: 17 };
    expect(factsAfter({ ...receipt, body: { ...body, session: where } })?.closed).toMatchObject({
      ...body,
      place,
    });
    expect(factsAfter({ ...receipt, body: { receipt: 'r1' } })?.closed).toEqual(
      expect.not.objectContaining({ place: expect.anything() }),
    );
  });

  it('a close on its way tells where the session was', () => {
    const body = { server, sessionId: '$3', createdAtSeconds: 17 };
    const closing = factsAfter({ kind: 'intent', action: 'close', session, body })?.closing;
    expect(closing?.place).toEqual(body);
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
