import { describe, expect, it } from 'vitest';
import {
  type Folded,
  factsAbout,
  foldFacts,
  type SessionFacts,
  UNFOLDED,
} from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { bootNoted, mayHaveLost } from '../../../src/core/ledger/loss.ts';
import { AUTHOR, chained } from './sample-chain.ts';

// Keys: machine, boot, pid and start mark of the server, number and second of the session.
const OLD = 'machine.boot.900.1234.s3.1';
const LATER = 'machine.boot.901.1300.s0.5';
const repair: Partial<EntryDraft> = {
  ...{ action: 'repair', body: { ticks: 1250, boots: ['machine.boot', 'machine.before', 'other.known'] } },
};
const said = (action: string, key: string): Partial<EntryDraft> => ({
  ...{ kind: 'declared', action, session: { key, name: 'x' } },
});
const folded = (...drafts: Partial<EntryDraft>[]): Folded => foldFacts(UNFOLDED, chained(drafts));
const heldIn = (all: Folded, key: string): SessionFacts['held'] | undefined => factsAbout(all, key)?.held;
/** Entries that another machine, or another boot of this one, wrote. */
const by = (host: string, bootId: string, entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.map((entry) => ({ ...entry, host, bootId, sequence: entry.sequence + 100 }));

describe('law 15: a ledger that lost entries', () => {
  it('holds every session that may have lived then, whether it knows of it or not', () => {
    const after = folded(said('adopt', OLD), repair);
    expect(heldIn(after, OLD)).toMatchObject({
      sequence: 2,
      reason: expect.stringContaining('lost entries'),
    });
    expect(heldIn(folded(repair), OLD)?.reason).toContain('rollcall unhold');
    expect(heldIn(folded(repair, said('adopt', OLD)), OLD)).toMatchObject({ sequence: 1 });
  });

  it('asks no wall clock: a session that seems to come from the future is held', () => {
    const future = 'machine.boot.900.1234.s3.9999999999';
    expect(heldIn(folded(repair), future)).not.toBeUndefined();
    expect(heldIn(folded(said('retain', future), repair), future)).not.toBeNull();
    expect(heldIn(folded(repair, said('adopt', future)), future)).not.toBeNull();
  });

  it('holds none on a server that was started after it by the clock of the boot', () => {
    expect(factsAbout(folded(repair), LATER)).toBeUndefined();
    expect(heldIn(folded(repair, said('adopt', LATER)), LATER)).toBeNull();
    expect(heldIn(folded(repair), 'machine.boot.901.1250.s0.5')).not.toBeUndefined();
    // A repair that did not tell the clock, or a server whose mark nobody read, proves nothing.
    expect(heldIn(folded({ action: 'repair' }), LATER)).not.toBeUndefined();
    expect(heldIn(folded(repair), 'machine.boot.901.0.s0.5')).not.toBeUndefined();
  });

  it('holds none that was closed', () => {
    const receipt = { ...said('close', OLD), kind: 'receipt' as const };
    expect(heldIn(folded(receipt, repair), OLD)).toBeNull();
  });

  it('holds none of a boot that came later, and those of every boot that it knew before', () => {
    const all = folded(repair);
    expect(heldIn(all, 'machine.after.900.7.s3.1')).toBeUndefined();
    expect(heldIn(all, 'machine.before.900.7.s3.1')).not.toBeUndefined();
  });

  it('holds those of another machine until that was heard of again in an earlier boot', () => {
    const [first, second] = ['other.first.900.7.s3.1', 'other.second.900.7.s3.1'];
    expect([heldIn(folded(repair), first), heldIn(folded(repair), second)]).not.toContain(undefined);
    const heard = foldFacts(folded(repair), by('other', 'first', chained([said('hold', KNOWN)])));
    expect(heldIn(heard, first)).not.toBeUndefined();
    expect(heldIn(heard, second)).toBeUndefined();
    expect(heldIn(heard, 'other.known.900.7.s3.1')).not.toBeUndefined();
    const again = foldFacts(heard, by('other', 'second', chained([said('unhold', KNOWN)])));
    expect(heldIn(again, second)).toBeUndefined();
  });

  it('releases each by a word of its own, until entries are lost again', () => {
    const released = folded(said('adopt', OLD), repair, said('unhold', OLD));
    expect(heldIn(released, OLD)).toBeNull();
    expect(heldIn(folded(repair, said('unhold', OLD)), OLD)).toBeNull();
    expect(heldIn(folded(repair, said('unhold', OLD), repair), OLD)).toMatchObject({ sequence: 3 });
  });

  it('does not hold what rollcall itself started after it, on whatever server', () => {
    const run = { kind: 'intent', action: 'run', session: { key: null, name: 'x' } } as const;
    const done = { ...said('run', OLD), kind: 'outcome', body: { result: 'done' } } as const;
    expect(heldIn(folded(repair, run, { ...done, cause: 2 }), OLD)).toBeNull();
    expect(heldIn(folded(run, repair, { ...done, cause: 1 }), OLD)).not.toBeNull();
  });

  it('cannot tell of a key that names no server', () => {
    const { loss } = folded(repair);
    expect([mayHaveLost(loss, 'odd'), mayHaveLost(null, OLD)]).toEqual([true, false]);
    expect(bootNoted(AUTHOR)).toBe('machine.boot');
  });
});

const KNOWN = 'other.first.1.1.s1.1';
