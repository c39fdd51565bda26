import { describe, expect, it } from 'vitest';
import { isSealed, openCheckpoint, sealCheckpoint } from '../../../src/core/ledger/checkpoint.ts';
import { foldFacts, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import { isSettledFor, MAX_SETTLED, withoutSettled } from '../../../src/core/ledger/settled.ts';
import { AUTHOR, chained, digest, KEY } from './sample-chain.ts';

const session = (key: string) => ({ key, name: 'x' });
const said = (action: string, key: string): Partial<EntryDraft> => ({
  ...{ kind: 'declared', action, session: session(key) },
});

describe('law 9: what is kept of a folded ledger', () => {
  const entries = chained([
    said('hold', KEY),
    { kind: 'intent', action: 'close', session: session(KEY), body: { archive: 'a' } },
  ]);
  const folded = foldFacts(UNFOLDED, entries);
  const checkpoint = { file: 'ledger.db', head: { sequence: 2, hash: 'x' }, mark: null, folded };
  const written = () => JSON.parse(JSON.stringify(sealCheckpoint(checkpoint, digest)));

  it('comes back as it was', () => {
    const read: unknown = written();
    if (!isSealed(read, digest)) throw new Error('it is not whole');
    expect(openCheckpoint(read)).toEqual(checkpoint);
  });

  it('counts for nothing where anything of it is otherwise', () => {
    const whole = written();
    for (const content of [
      { ...whole.content, facts: [] },
      { ...whole.content, head: { sequence: 3, hash: 'x' } },
      { ...whole.content, format: 2 },
    ]) {
      expect(isSealed({ ...whole, content }, digest)).toBe(false);
    }
    const older = { ...whole.content, format: 2 };
    expect(isSealed({ sha256: digest(JSON.stringify(older)), content: older }, digest)).toBe(false);
    for (const odd of [null, 1, 'x', [], {}, { sha256: '' }]) expect(isSealed(odd, digest)).toBe(false);
  });
});

describe('law 16: facts', () => {
  const bounded = (drafts: Partial<EntryDraft>[]) =>
    withoutSettled(foldFacts(UNFOLDED, chained(drafts)), AUTHOR).facts;
  const receipt = (key: string) => ({ ...said('close', key), kind: 'receipt' as const });

  it('do not grow with sessions that were closed or put back', () => {
    const keys = Array.from({ length: MAX_SETTLED + 2 }, (_, index) => `k${index}`);
    const reopened = [
      { kind: 'intent', action: 'reopen', session: session('first'), body: { reopens: 'first' } },
      { kind: 'outcome', action: 'reopen', session: session('second'), cause: 2, body: { result: 'done' } },
    ] as const;
    const kept = bounded([said('adopt', 'first'), ...reopened, ...keys.map(receipt)]);
    expect(kept.size).toBe(MAX_SETTLED + 1);
    expect([kept.has('first'), kept.has('second'), kept.has('k1'), kept.has('k2')]).toEqual([
      ...[false, true, false, true],
    ]);
  });

  it('stay as they are while few were closed', () => {
    const few = foldFacts(UNFOLDED, chained([said('adopt', KEY), receipt('closed')]));
    expect(withoutSettled(few, AUTHOR)).toBe(few);
  });

  it('leave out what is of an earlier boot only for the boot that they left it out for', () => {
    const earlier = chained([said('retain', 'machine.earlier.1.2.s1.1')]);
    const left = withoutSettled(foldFacts(UNFOLDED, earlier), AUTHOR);
    const reader = (host: string, bootId: string) => isSettledFor(left, { host, bootId });
    expect(left.facts.size).toBe(0);
    expect([reader('machine', 'boot'), reader('machine', 'earlier'), reader('another', 'earlier')]).toEqual([
      ...[true, false, true],
    ]);
    const closed = chained([said('adopt', 'machine.earlier.1.2.s1.1')]);
    const all = withoutSettled(foldFacts(UNFOLDED, closed), AUTHOR);
    expect(isSettledFor(all, { host: 'machine', bootId: 'earlier' })).toBe(true);
    const further = foldFacts(left, chained([said('hold', KEY)]));
    expect(isSettledFor(further, { host: 'machine', bootId: 'earlier' })).toBe(false);
  });

  it('keep every session that may still be closed, is expected, or was held on this boot', () => {
    const keys = Array.from({ length: MAX_SETTLED + 2 }, (_, index) => `k${index}`);
    const closing = { kind: 'intent', action: 'close', session: session('closing') } as const;
    const kept = bounded([
      ...[said('hold', 'machine.boot.1.2.s1.1'), said('hold', 'machine.earlier.1.2.s1.1')],
      ...[said('adopt', 'machine.earlier.1.2.s2.1'), closing, receipt('closing')],
      ...keys.map((key) => said('adopt', key)),
    ]);
    expect([...kept.keys()].slice(0, 3)).toEqual([
      ...['machine.boot.1.2.s1.1', 'machine.earlier.1.2.s2.1', 'closing'],
    ]);
    expect(kept.size).toBe(keys.length + 3);
  });
});
