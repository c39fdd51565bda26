import { describe, expect, it } from 'vitest';
import { isStartOn, mayHaveAny, startedOn } from '../../../src/core/close/live-again.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { idleAgent } from '../../support/evidence.ts';
import { entry } from './entry.ts';

const SOUGHT = { kind: 'claude', conversation: 'c-1' };
const KEY = 'm.b.7.70.s9.9';
const silent = entry([], { key: KEY, activity: 'starting', lifecycle: 'active' });

function entryOf(over: Partial<LedgerEntry>): LedgerEntry {
  return {
    ...{ sequence: 1, at: 0, host: 'm', bootId: 'b', actor: { kind: 'cli', pid: 1, user: 'me' } },
    ...{ kind: 'intent', action: 'reopen', session: null, cause: null, body: {}, previous: '', hash: '' },
    ...over,
  };
}

const intent = (agent: JsonObject | null = { ...SOUGHT }, over: Partial<LedgerEntry> = {}) =>
  entryOf({ body: { agent }, ...over });
const outcome = (over: Partial<LedgerEntry> = {}) =>
  entryOf({
    ...{ kind: 'outcome', sequence: 2, cause: 1, session: { key: KEY, name: 'worker' } },
    body: { result: 'done' },
    ...over,
  });

describe('an intent to start an agent on a conversation', () => {
  it('is one of a run, a reopening or a waking, with that agent and that conversation', () => {
    expect(isStartOn(SOUGHT, intent())).toBe(true);
    expect(isStartOn(SOUGHT, intent(undefined, { action: 'run' }))).toBe(true);
    expect(isStartOn(SOUGHT, intent(undefined, { action: 'wake' }))).toBe(true);
    expect(isStartOn(SOUGHT, intent(undefined, { action: 'hibernate' }))).toBe(false);
    expect(isStartOn(SOUGHT, intent(undefined, { action: 'close' }))).toBe(false);
    expect(isStartOn(SOUGHT, intent(undefined, { kind: 'outcome' }))).toBe(false);
    expect(isStartOn(SOUGHT, intent({ kind: 'claude', conversation: 'c-2' }))).toBe(false);
    expect(isStartOn(SOUGHT, intent({ kind: 'codex', conversation: 'c-1' }))).toBe(false);
    expect(isStartOn(SOUGHT, intent(null))).toBe(false);
  });
});

describe('a session that was started on a conversation', () => {
  it('has it as long as it does not say another', () => {
    expect(startedOn(SOUGHT, [silent], [intent(), outcome()])).toBe(silent);
    const talking = entry(idleAgent(), { key: KEY });
    expect(talking.agent?.conversation).toBe('c-1');
    expect(startedOn(SOUGHT, [talking], [intent(), outcome()])).toBeNull();
  });

  it('is there, and not only what its agent left', () => {
    expect(mayHaveAny(silent)).toBe(true);
    expect(mayHaveAny({ ...silent, lifecycle: 'lost' })).toBe(false);
    expect(mayHaveAny({ ...silent, activity: 'exited' })).toBe(false);
    expect(mayHaveAny({ ...silent, activity: 'none' })).toBe(false);
    expect(mayHaveAny({ ...silent, activity: 'asleep' })).toBe(false);
    const agent = { kind: 'claude', version: null, conversation: null, pid: 1 };
    expect(mayHaveAny({ ...silent, agent })).toBe(true);
  });

  it('is known by an outcome that was done, of such an intent', () => {
    const sought = (...entries: LedgerEntry[]) => startedOn(SOUGHT, [silent], entries);
    expect(sought(intent())).toBeNull();
    expect(sought(outcome())).toBeNull();
    expect(sought(intent(null), outcome())).toBeNull();
    expect(sought(intent(), outcome({ body: { result: 'failed' } }))).toBeNull();
    expect(sought(intent(), outcome({ cause: null }))).toBeNull();
    expect(sought(intent(), outcome({ session: null }))).toBeNull();
    expect(sought(intent(), outcome({ session: { key: 'another', name: 'worker' } }))).toBeNull();
  });
});
