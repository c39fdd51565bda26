import { describe, expect, it } from 'vitest';
import {
  type Folded,
  factsAbout,
  foldFacts,
  type SessionFacts,
  UNFOLDED,
} from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import { mayHaveLost } from '../../../src/core/ledger/loss.ts';
import { chained } from './sample-chain.ts';

// Entries of the sample chain are at 1000 ms and a little; keys end in the second in which their session was made.
const OLD = 'machine.boot.900.1234.s3.1';
const NEW = 'machine.boot.900.1234.s4.5';
const repair: Partial<EntryDraft> = { action: 'repair' };
const said = (action: string, key: string): Partial<EntryDraft> => ({
  ...{ kind: 'declared', action, session: { key, name: 'x' } },
});
const folded = (...drafts: Partial<EntryDraft>[]): Folded => foldFacts(UNFOLDED, chained(drafts));
const heldIn = (all: Folded, key: string): SessionFacts['held'] | undefined => factsAbout(all, key)?.held;

describe('law 15: a ledger that lost entries', () => {
  it('holds every session that lived then, whether it knows of it or not', () => {
    const after = folded(said('adopt', OLD), repair);
    expect(heldIn(after, OLD)).toMatchObject({
      sequence: 2,
      reason: expect.stringContaining('lost entries'),
    });
    expect(heldIn(folded(repair), OLD)?.reason).toContain('rollcall unhold');
    expect(heldIn(folded(repair, said('adopt', OLD)), OLD)).toMatchObject({ sequence: 1 });
  });

  it('holds none that began later, was closed, or is of another boot', () => {
    expect(factsAbout(folded(repair), NEW)).toBeUndefined();
    expect(heldIn(folded(repair, said('adopt', NEW)), NEW)).toBeNull();
    const receipt = { ...said('close', OLD), kind: 'receipt' as const };
    expect(heldIn(folded(receipt, repair), OLD)).toBeNull();
    const earlier = 'machine.earlier.900.1234.s3.1';
    expect(heldIn(folded(said('adopt', earlier), repair), earlier)).toBeNull();
  });

  it('releases each by a word of its own, until entries are lost again', () => {
    const released = folded(said('adopt', OLD), repair, said('unhold', OLD));
    expect(heldIn(released, OLD)).toBeNull();
    expect(heldIn(folded(repair, said('unhold', OLD)), OLD)).toBeNull();
    expect(heldIn(folded(repair, said('unhold', OLD), repair), OLD)).toMatchObject({ sequence: 3 });
  });

  it('does not hold what rollcall itself started after it in the same second', () => {
    const run = { kind: 'intent', action: 'run', session: { key: null, name: 'x' } } as const;
    const done = { ...said('run', OLD), kind: 'outcome', body: { result: 'done' } } as const;
    expect(heldIn(folded(repair, run, { ...done, cause: 2 }), OLD)).toBeNull();
    expect(heldIn(folded(run, repair, { ...done, cause: 1 }), OLD)).not.toBeNull();
  });

  it('cannot tell of a key that names no time', () => {
    const { loss } = folded(repair);
    expect([mayHaveLost(loss, 'odd'), mayHaveLost(null, OLD)]).toEqual([true, false]);
  });
});
