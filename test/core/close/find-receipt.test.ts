import { describe, expect, it } from 'vitest';
import { findReceipt, lostSession } from '../../../src/core/close/find-receipt.ts';
import { livesAgain } from '../../../src/core/close/live-again.ts';
import { currentFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  deadPane,
  exitedAgent,
  idleAgent,
  named,
  onPane,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { paneEntry } from '../doctor/checks/doctor-facts.ts';
import { entry } from './entry.ts';

const HERE = 'm.b.7.70';
const session = (key: string, name = 'worker') => ({ key, name });

/** Entries as the ledger would have them, numbered from 1. */
function ledger(...drafts: EntryDraft[]): LedgerEntry[] {
  return drafts.map((draft, index) => ({
    ...{
      at: index,
      host: 'm',
      bootId: 'b',
      actor: { kind: 'cli', pid: 1, user: 'me' },
      cause: null,
      body: {},
    },
    ...{ sequence: index + 1, previous: '', hash: `hash${index + 1}` },
    ...draft,
  }));
}

const receipt = (key: string, word: string, name?: string): EntryDraft => ({
  ...{ kind: 'receipt', action: 'close', session: session(key, name), body: { receipt: word } },
});

describe('what is to be reopened', () => {
  it('is found by its receipt', () => {
    const entries = ledger(receipt(`${HERE}.s1.1`, 'r1'), receipt(`${HERE}.s2.2`, 'r2'));
    expect(findReceipt(entries, 'r1')).toMatchObject({
      state: 'one',
      closed: { facts: { key: `${HERE}.s1.1` } },
    });
    expect(findReceipt(entries, 'r3')).toEqual({ state: 'none' });
  });

  it('is the newest of its name on its server, and anything by its key', () => {
    const entries = ledger(receipt(`${HERE}.s1.1`, 'r1'), receipt(`${HERE}.s2.2`, 'r2'));
    expect(findReceipt(entries, 'worker')).toMatchObject({
      state: 'one',
      closed: { receipt: { body: { receipt: 'r2' } } },
    });
    expect(findReceipt(entries, `${HERE}.s1.1`)).toMatchObject({
      closed: { receipt: { body: { receipt: 'r1' } } },
    });
  });

  it('is the newest also where the server ended in between: the socket counts', () => {
    const at = (key: string, word: string, socketPath: string): EntryDraft => ({
      ...receipt(key, word),
      body: { receipt: word, session: { server: { socketPath } } },
    });
    const again = 'm.b.9.90.s0.5';
    const started: EntryDraft = {
      ...{ kind: 'declared', action: 'adopt', session: session(again) },
      body: { server: { socketPath: '/a', pid: 9, startTicks: 90 }, sessionId: '$0', createdAtSeconds: 5 },
    };
    const three = ledger(
      at(`${HERE}.s1.1`, 'r1', '/a'),
      at('m.b.8.80.s0.3', 'r2', '/a'),
      started,
      receipt(again, 'r3'),
    );
    expect(findReceipt(three, 'worker')).toMatchObject({ state: 'one', closed: { facts: { key: again } } });
    const other = ledger(at(`${HERE}.s1.1`, 'r1', '/a'), at('m.b.8.80.s0.3', 'r2', '/b'));
    expect(findReceipt(other, 'worker')).toMatchObject({ state: 'several' });
    for (const word of ['b:worker', '/b:worker']) {
      expect(findReceipt(other, word)).toMatchObject({ closed: { receipt: { body: { receipt: 'r2' } } } });
    }
    expect(findReceipt(other, 'c:worker')).toEqual({ state: 'none' });
    expect(findReceipt(ledger(receipt(`${HERE}.s1.1`, 'r1')), 'a:worker')).toEqual({ state: 'none' });
    const elsewhere = ledger(at(`${HERE}.s1.1`, 'r1', '/a'), at('n.b.8.80.s0.3', 'r2', '/a'));
    expect(findReceipt(elsewhere, 'worker')).toMatchObject({ state: 'several' });
  });

  it('is every receipt of one session by its name, and by the name of the session the last that kept something', () => {
    const key = `${HERE}.s1.1`;
    const kept = (word: string, result: string, archive: string | null): EntryDraft => ({
      ...receipt(key, word),
      body: { receipt: word, result, archive },
    });
    const entries = ledger(kept('r1', 'partial', '/a/r1'), kept('r2', 'closed', '/a/r2'));
    for (const [word, name] of [
      ['r1', 'r1'],
      ['r2', 'r2'],
      ['worker', 'r2'],
    ] as const) {
      expect(findReceipt(entries, word)).toMatchObject({ closed: { receipt: { body: { receipt: name } } } });
    }
    const lost = ledger(kept('r1', 'partial', '/a/r1'), kept('r2', 'gone', null));
    expect(findReceipt(lost, 'worker')).toMatchObject({ closed: { receipt: { body: { receipt: 'r1' } } } });
    expect(findReceipt(lost, 'r2')).toMatchObject({ closed: { receipt: { body: { receipt: 'r2' } } } });
    const nameless = lost.map((one) => ({ ...one, session: null }));
    expect(findReceipt(nameless, 'r1')).toEqual({ state: 'none' });
  });

  it('is found by the receipt itself, not by what was made from it, nor by how that close went', () => {
    const key = `${HERE}.s1.1`;
    const done = { result: 'done', receipt: 'r1' };
    const made = ledger(
      receipt(key, 'r1'),
      { kind: 'outcome', action: 'close', session: session(key), body: { ...done, result: 'closed' } },
      { kind: 'outcome', action: 'reopen', session: session(`${HERE}.s9.9`, 'again'), body: done },
    );
    for (const word of ['r1', 'worker']) {
      expect(findReceipt(made, word)).toMatchObject({
        closed: { facts: { key }, receipt: { kind: 'receipt' } },
      });
    }
  });

  it('is asked back for where two servers had the name, the one that was closed last at the end', () => {
    const three = ledger(
      receipt(`${HERE}.s1.1`, 'r1'),
      receipt('m.b.8.80.s1.1', 'r2'),
      receipt(`${HERE}.s2.2`, 'r3'),
    );
    const bodies = [{ receipt: { body: { receipt: 'r2' } } }, { receipt: { body: { receipt: 'r3' } } }];
    expect(findReceipt(three, 'worker')).toMatchObject({ state: 'several', closed: bodies });
  });

  it('is asked back for where two servers had the name', () => {
    const entries = ledger(receipt(`${HERE}.s1.1`, 'r1'), receipt('m.b.8.80.s1.1', 'r2'));
    expect(findReceipt(entries, 'worker')).toMatchObject({ state: 'several', closed: [{}, {}] });
  });

  it('may be one that rollcall started and nobody closed', () => {
    const entries = ledger(
      {
        kind: 'intent',
        action: 'run',
        session: { key: null, name: 'worker' },
        body: { cwd: '/p', argv: ['x'] },
      },
      {
        kind: 'outcome',
        action: 'run',
        cause: 1,
        session: session(`${HERE}.s1.1`),
        body: { result: 'done', run: 'w' },
      },
      { kind: 'declared', action: 'hold', session: session(`${HERE}.s2.2`, 'other') },
      {
        kind: 'outcome',
        action: 'run',
        session: session(`${HERE}.s3.3`, 'orphan'),
        body: { result: 'done' },
      },
    );
    expect(findReceipt(entries, 'worker')).toMatchObject({
      closed: { receipt: null, start: { body: { cwd: '/p', argv: ['x'], run: 'w' } } },
    });
    const died = entries.map((one) =>
      one.cause === 1 ? { ...one, body: { ...one.body, result: 'died' } } : one,
    );
    expect(findReceipt(died, 'worker')).toMatchObject({ closed: { start: { body: { run: 'w' } } } });
    expect(findReceipt(entries, 'other')).toEqual({ state: 'none' });
    expect(findReceipt(entries, 'orphan')).toEqual({ state: 'none' });
  });
});

describe('what was lost is made again', () => {
  const from = (entries: LedgerEntry[], key: string) => {
    const facts = currentFacts(entries).get(key);
    if (!facts) throw new Error(`nothing is known of ${key}`);
    const { receipt: own, start } = lostSession(facts, entries);
    return [own?.body.receipt ?? null, start?.action ?? null];
  };
  const [first, second, third] = [`${HERE}.s1.1`, `${HERE}.s2.2`, `${HERE}.s3.3`];
  const reopen = (key: string, word: string, intent: number): EntryDraft[] => [
    { kind: 'intent', action: 'reopen', session: { key: null, name: 'again' }, body: { receipt: word } },
    {
      ...{ kind: 'outcome', action: 'reopen', cause: intent, session: session(key, 'again') },
      body: { result: 'done', receipt: word },
    },
  ];

  it('from its own receipt; from that of what it was reopened from; from nothing where it was adopted', () => {
    const entries = ledger(
      receipt(first, 'r1'),
      ...reopen(second, 'r1', 2),
      receipt(third, 'r2'),
      ...reopen(`${HERE}.s4.4`, 'r2', 5),
      { kind: 'declared', action: 'hold', session: session(second, 'again') },
      { kind: 'declared', action: 'adopt', session: session(`${HERE}.s5.5`, 'adopted') },
    );
    expect(from(entries, first)).toEqual(['r1', null]);
    expect(from(entries, second)).toEqual(['r1', 'reopen']);
    expect(from(entries, `${HERE}.s4.4`)).toEqual(['r2', 'reopen']);
    expect(from(entries, `${HERE}.s5.5`)).toEqual([null, null]);
  });
});

describe('what slept is reopened', () => {
  const key = `${HERE}.s1.1`;
  const slept = (word: string): EntryDraft => ({
    ...{ kind: 'receipt', action: 'hibernate', session: session(key) },
    body: { receipt: word, result: 'asleep', archive: `/a/${word}` },
  });
  const wake = (cause: number, result: string): EntryDraft[] => [
    { kind: 'intent', action: 'wake', session: session(key), body: { cwd: '/p', argv: ['claude'] } },
    { kind: 'outcome', action: 'wake', cause, session: session(key), body: { result, run: 'w-2' } },
  ];
  const found = (word: string, ...drafts: EntryDraft[]) => {
    const answer = findReceipt(ledger(...drafts), word);
    return answer.state === 'one'
      ? [answer.closed.receipt?.body.receipt ?? null, answer.closed.start?.body.run ?? null]
      : answer.state;
  };

  it('from the receipt of its hibernation, by its name and by its session', () => {
    expect(found('r1', slept('r1'))).toEqual(['r1', null]);
    expect(found('worker', slept('r1'))).toEqual(['r1', null]);
  });

  it('as it was woken, once it was: what was said since is in no earlier archive', () => {
    expect(found('worker', slept('r1'), ...wake(2, 'done'))).toEqual([null, 'w-2']);
    expect(found('r1', slept('r1'), ...wake(2, 'done'))).toEqual(['r1', 'w-2']);
    expect(found('worker', slept('r1'), ...wake(2, 'done'), receipt(key, 'r2'))).toEqual(['r2', 'w-2']);
    expect(found('worker', slept('r1'), ...wake(2, 'done'), slept('r2'))).toEqual(['r2', 'w-2']);
  });

  it('from its receipt as before, where it did not wake', () => {
    for (const result of ['died', 'failed']) {
      expect(found('worker', slept('r1'), ...wake(2, result))).toEqual(['r1', null]);
    }
  });
});

describe('what lives is not made again', () => {
  const sought = { key: `${HERE}.s1.1`, receipt: 'r1', isPartial: false, conversation: 'c-1' };
  const stranger = entry([], { key: `${HERE}.s9.9` });
  const reopened = (body: object): LedgerEntry[] =>
    ledger({
      ...{ kind: 'outcome', action: 'reopen', cause: 1, session: session(stranger.key) },
      body: { result: 'done', ...body },
    });

  it('itself', () => {
    const itself = entry([], { key: sought.key });
    expect(livesAgain(sought, [itself], [])).toMatchObject({ text: 'it is still there' });
    expect(livesAgain(sought, [{ ...itself, lifecycle: 'lost' }], [])).toBeNull();
    expect(livesAgain(sought, [stranger], [])).toBeNull();
  });

  it('what was reopened from it', () => {
    expect(livesAgain(sought, [stranger], reopened({ reopens: sought.key }))).toMatchObject({
      entry: stranger,
    });
    expect(livesAgain(sought, [stranger], reopened({ receipt: 'r1' }))).toMatchObject({ entry: stranger });
    expect(livesAgain({ ...sought, receipt: null }, [stranger], reopened({ receipt: null }))).toBeNull();
    expect(livesAgain(sought, [stranger], reopened({ reopens: sought.key, result: 'failed' }))).toBeNull();
    const nameless = reopened({ reopens: sought.key }).map((one) => ({ ...one, session: null }));
    expect(livesAgain(sought, [stranger], nameless)).toBeNull();
  });

  describe('what was reopened from it again', () => {
    const key = (number: number) => `${HERE}.s${number}.${number}`;
    const again = (to: string | null, body: object): EntryDraft => ({
      ...{ kind: 'outcome', action: 'reopen', cause: 1, session: { key: to, name: 'worker' } },
      body: { result: 'done', ...body },
    });
    const line = (last: EntryDraft) =>
      ledger(
        again(key(2), { reopens: key(1) }),
        receipt(key(2), 'r2'),
        again(key(3), { reopens: key(2) }),
        last,
      );
    const pane = { server: { socketPath: '/s', pid: 7, startTicks: 70 }, paneId: '%5', pid: 55 };
    const human = entry([], {
      key: key(8),
      server: { socketPath: '/s', label: 's', pid: 7, startTicks: 70, version: null },
      panes: [paneEntry({ paneId: '%5', pid: 55 })],
    });

    it('to the end of the line, by session and by receipt', () => {
      expect(livesAgain(sought, [stranger], line(again(stranger.key, { reopens: key(3) })))).not.toBeNull();
      const beside = line(again(stranger.key, { reopens: null, receipt: 'r2' }));
      expect(livesAgain(sought, [stranger], beside)).not.toBeNull();
      expect(livesAgain(sought, [stranger], line(again(stranger.key, { reopens: key(4) })))).toBeNull();
      const another = ledger(receipt(key(7), 'r7'), again(stranger.key, { receipt: 'r7' }));
      expect(livesAgain(sought, [stranger], another)).toBeNull();
      const elsewhere = ledger(again(stranger.key, { reopens: key(1), result: 'moved' }));
      expect(livesAgain(sought, [stranger], elsewhere)).toBeNull();
    });

    it('where only its pane is left, in another session', () => {
      const moved = {
        entry: human,
        text: 'it was reopened before, and its pane %5 is in another session now',
      };
      const was = (body: object) => line(again(key(4), { reopens: key(3), ...pane, ...body }));
      expect(livesAgain(sought, [human], was({}))).toEqual(moved);
      expect(livesAgain(sought, [human], was({ result: 'moved' }))).toEqual(moved);
      expect(livesAgain(sought, [human], was({ result: 'died' }))).toBeNull();
      expect(livesAgain(sought, [human], was({ pid: 56 }))).toBeNull();
      expect(livesAgain(sought, [human], was({ server: { ...pane.server, startTicks: 71 } }))).toBeNull();
      for (const untold of [{ server: null }, { server: { pid: 7 } }, { paneId: null }, { pid: null }])
        expect(livesAgain(sought, [human], was(untold))).toBeNull();
    });

    it('also where it was moved before its session was known', () => {
      const moved = ledger(again(null, { reopens: key(1), ...pane, result: 'moved' }));
      expect(livesAgain(sought, [human], moved)).toMatchObject({ entry: human });
      expect(livesAgain(sought, [{ ...human, lifecycle: 'lost' }], moved)).toBeNull();
      expect(livesAgain(sought, [human], ledger({ ...receipt(key(2), 'r2'), session: null }))).toBeNull();
    });
  });

  describe('where a close ended its agent and left it standing', () => {
    const ended = { ...sought, isPartial: true };
    const stands = (evidence: readonly Evidence[]) => entry(evidence, { key: sought.key });

    it('it may be made beside it while no agent runs there, or only another one', () => {
      expect(livesAgain(ended, [stands(exitedAgent())], [])).toBeNull();
      expect(livesAgain(ended, [stands([...exitedAgent(), named()])], [])).toBeNull();
      expect(livesAgain(ended, [stands(deadPane())], [])).toBeNull();
      expect(livesAgain(ended, [stands(without(deadPane(), 'processes'))], [])).toBeNull();
      const another = stands(withPieces(idleAgent(), named({ conversation: 'c-2' })));
      expect(livesAgain(ended, [another], [])).toBeNull();
    });

    it('not while its agent runs there, or may', () => {
      const may = { text: 'it stands, and its agent may run in it' };
      expect(livesAgain(ended, [stands(idleAgent())], [])).toMatchObject(may);
      expect(livesAgain(ended, [stands(without(idleAgent(), 'processes'))], [])).toMatchObject(may);
      expect(livesAgain(ended, [stands(without(idleAgent(), 'agent'))], [])).toMatchObject(may);
      const { conversation: _, ...untold } = named();
      const unnamed = withPieces(idleAgent(), untold);
      expect(livesAgain(ended, [stands(unnamed)], [])).toMatchObject(may);
      expect(livesAgain({ ...ended, conversation: null }, [stands(idleAgent())], [])).toMatchObject(may);
      const beside = stands([...exitedAgent(), ...onPane('%2', idleAgent())]);
      expect(livesAgain(ended, [beside], [])).toMatchObject(may);
    });

    it('not while its server gives no answer: nobody knows what runs there', () => {
      const unheard = entry([], { key: sought.key, panes: [] });
      const silent = { ...unheard, server: { ...unheard.server, version: null } };
      expect(livesAgain(ended, [silent], [])).toMatchObject({
        text: 'its tmux server does not answer, so its agent may still run there',
      });
    });

    it('not where it was made again from the same receipt; what took the place of the session says nothing', () => {
      expect(livesAgain(ended, [stranger], reopened({ receipt: 'r1', reopens: null }))).not.toBeNull();
      expect(livesAgain(ended, [stranger], reopened({ receipt: 'r2', reopens: sought.key }))).toBeNull();
      const talking = entry(idleAgent(), { key: stranger.key });
      expect(livesAgain(ended, [stands(exitedAgent()), talking], [])).toMatchObject({ entry: talking });
    });
  });

  it('its conversation, in whatever session', () => {
    const talking = entry(idleAgent(), { key: stranger.key });
    expect(livesAgain(sought, [talking], [])).toMatchObject({
      text: expect.stringContaining('another session'),
    });
    expect(livesAgain(sought, [{ ...talking, evidence: [] }], [])).not.toBeNull();
    expect(livesAgain(sought, [{ ...talking, agent: null }], [])).not.toBeNull();
    const left = { ...talking, evidence: [], agent: talking.agent && { ...talking.agent, pid: null } };
    expect(livesAgain(sought, [left], [])).toBeNull();
    expect(livesAgain({ ...sought, conversation: null }, [talking], [])).toBeNull();
    expect(livesAgain({ ...sought, conversation: 'c-2' }, [talking], [])).toBeNull();
  });
});
