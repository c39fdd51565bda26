import { describe, expect, test } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import type { RestoreMode } from '../../../src/core/restore/offer.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { Desk, RoundObserver } from '../../../src/engine/daemon/desk.ts';
import { createMissingObserver, createRestoreObserver } from '../../../src/engine/daemon/lost-observers.ts';

type Lost = Pick<SessionEntry, 'key' | 'lostBy'>;

/** A ledger that has these sessions, and rounds of a daemon at some second. */
function scene(keys: readonly string[]) {
  const facts = new Map(keys.map((key) => [key, { key, closed: null, reopened: null } as SessionFacts]));
  const ledger = { facts: () => ({ folded: { facts }, damage: null }) } as unknown as Desk['ledger'];
  const notes: EntryDraft[] = [];
  const record = async (some: readonly EntryDraft[]) => {
    notes.push(...some);
  };
  const round = (observe: RoundObserver, second: number, ...lost: Lost[]) => {
    const sessions = lost.map((one) => ({ name: one.key, lifecycle: 'lost', ...one }));
    const now = { at: second * 1000, awakeMs: second * 1000, suspendedMs: 0 };
    return observe({ now, roll: { sessions } } as unknown as Round);
  };
  return { facts, ledger, notes, record, round };
}

const missing = (key: string): Lost => ({ key, lostBy: 'missing' });
const ended = (key: string): Lost => ({ key, lostBy: 'ended' });
const restarted = (key: string): Lost => ({ key, lostBy: 'restarted' });

describe('S63: a session that is gone while its server answers', () => {
  test('is noted once that has lasted, and once', async () => {
    const { facts, ledger, notes, record, round } = scene(['a', 'b']);
    const observe = createMissingObserver(ledger, record);
    await round(observe, 1, missing('a'), ended('b'));
    await round(observe, 4, missing('a'), ended('b'));
    expect(notes).toEqual([]);
    await round(observe, 6, missing('a'), missing('b'));
    expect(notes).toMatchObject([{ action: 'session-missing', session: { key: 'a' } }]);
    facts.set('a', { ...(facts.get('a') as SessionFacts), missing: { at: 6000, sequence: 1 } });
    await round(observe, 60, missing('a'));
    expect(notes).toHaveLength(1);
  });

  test('is not noted where the server ended too, seconds later: the machine went down', async () => {
    const { ledger, notes, record, round } = scene(['a']);
    const observe = createMissingObserver(ledger, record);
    await round(observe, 1, missing('a'));
    await round(observe, 4, ended('a'));
    await round(observe, 60, ended('a'));
    expect(notes).toEqual([]);
  });
});

describe('S63: what the daemon does about sessions that were lost with their server', () => {
  function observer(mode: RestoreMode, keys: readonly string[]) {
    const one = scene(keys);
    const back: string[] = [];
    const observe = createRestoreObserver({
      ...{ mode, ledger: one.ledger, record: one.record, onOffer: () => {} },
      restore: async (lost) => {
        back.push(...lost.map(({ key }) => key));
      },
    });
    return { ...one, back, round: (second: number, ...lost: Lost[]) => one.round(observe, second, ...lost) };
  }

  test('offers what went with a server in this boot, and brings nothing of it back', async () => {
    const { notes, back, round } = observer('asleep', ['a']);
    await round(1, ended('a'));
    expect(notes).toEqual([]);
    await round(6, ended('a'));
    await round(60, ended('a'));
    expect(notes).toMatchObject([{ action: 'restore-offer', body: { count: 1 } }]);
    expect(back).toEqual([]);
  });

  test('offers nothing that an earlier daemon has offered', async () => {
    const { facts, notes, round } = observer('ask', ['a']);
    facts.set('a', { ...(facts.get('a') as SessionFacts), offered: { at: 1, sequence: 1 } });
    await round(1, ended('a'));
    await round(60, ended('a'));
    expect(notes).toEqual([]);
  });

  test('offers again, and brings back only then, what could not be recorded', async () => {
    const { ledger, notes, record, round } = scene(['a']);
    const back: string[] = [];
    let isLocked = true;
    const observe = createRestoreObserver({
      ...{ mode: 'asleep', ledger, onOffer: () => {} },
      record: async (some) => {
        if (isLocked) throw new Error('database is locked');
        await record(some);
      },
      restore: async (lost) => {
        back.push(...lost.map(({ key }) => key));
      },
    });
    await expect(round(observe, 1, restarted('a'))).rejects.toThrow('locked');
    expect([notes, back]).toEqual([[], []]);
    isLocked = false;
    await round(observe, 2, restarted('a'));
    await round(observe, 3, restarted('a'));
    expect([notes.length, back]).toEqual([1, ['a']]);
  });

  test('brings back what a boot took, at once, and not what was offered before it', async () => {
    const { facts, notes, back, round } = observer('asleep', ['a', 'b']);
    facts.set('b', { ...(facts.get('b') as SessionFacts), offered: { at: 1, sequence: 1 } });
    await round(1, restarted('a'), restarted('b'), ended('c'));
    await round(2, restarted('a'), restarted('b'));
    expect(back).toEqual(['a']);
    expect(notes).toHaveLength(1);
  });

  test('only offers with ask, and says nothing with off', async () => {
    const asked = observer('ask', ['a']);
    await asked.round(1, restarted('a'));
    expect([asked.notes.length, asked.back]).toEqual([1, []]);
    const off = observer('off', ['a']);
    await off.round(1, restarted('a'));
    expect([off.notes, off.back]).toEqual([[], []]);
  });
});
