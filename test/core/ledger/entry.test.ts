import { describe, expect, it } from 'vitest';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import { contentOf, MAX_BODY_LENGTH, namespaceOf } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import { AUTHOR } from './sample-chain.ts';

const DRAFT: EntryDraft = { kind: 'intent', action: 'close', session: { key: 'k', name: 'n' } };

describe('the content of an entry', () => {
  it('adds who, where and when to what was said', () => {
    expect(contentOf({ ...DRAFT, body: { a: 1 } }, AUTHOR, 5)).toEqual({
      ...AUTHOR,
      at: 5,
      kind: 'intent',
      action: 'close',
      session: { key: 'k', name: 'n' },
      cause: null,
      body: { a: 1 },
    });
  });

  it('names whoever asked where that is somebody else', () => {
    const actor = { kind: 'hook', pid: 9, user: 'bob' };
    expect(contentOf({ ...DRAFT, actor, cause: 3 }, AUTHOR, 5)).toMatchObject({ actor, cause: 3 });
  });

  it.each<[string, Partial<EntryDraft>, string]>([
    ['an unknown kind', { kind: 'wish' as 'note' }, "no kind 'wish'"],
    ['an action that is not one word', { action: 'Close it' }, "'Close it' is not the name of an action"],
    ['a cause that is no number', { cause: 1.5 }, 'whole numbers'],
    ['a negative pid', { actor: { kind: 'cli', pid: -1, user: '' } }, 'whole numbers'],
    ['a name with a NUL', { session: { key: null, name: 'a\0b' } }, 'cannot be stored'],
    ['a name with half a character', { session: { key: null, name: '\ud800' } }, 'cannot be stored'],
    ['an endless name', { session: { key: null, name: 'a'.repeat(5000) } }, 'too long'],
    ['an outcome of nothing', { kind: 'outcome' }, 'names its intent'],
    ['a body that is not JSON', { body: { a: Number.NaN } }, 'its body: $.a is not JSON'],
    ['a body that is too large', { body: { a: 'x'.repeat(MAX_BODY_LENGTH) } }, 'more than'],
  ])('refuses %s', (_, wrong, message) => {
    const make = () => contentOf({ ...DRAFT, ...wrong }, AUTHOR, 5);
    expect(make).toThrow(LedgerError);
    expect(make).toThrow(message);
  });

  it('S34: tells from which pid namespace a session is spoken of', () => {
    const inside = { ...AUTHOR, pidNamespace: '4026531836' };
    const content = contentOf({ ...DRAFT, body: { a: 1 } }, inside, 5);
    expect(content.body).toEqual({ a: 1, pidNamespace: '4026531836' });
    expect(namespaceOf(content)).toEqual({ pidNamespace: '4026531836' });
    expect(namespaceOf(contentOf(DRAFT, AUTHOR, 5))).toEqual({});
    expect(contentOf({ ...DRAFT, session: null }, inside, 5).body).toEqual({});
  });

  it('takes an entry about no session, and a body of the largest size', () => {
    const body = { a: 'x'.repeat(MAX_BODY_LENGTH - 8) };
    expect(contentOf({ ...DRAFT, session: null, body }, AUTHOR, 5).body).toBe(body);
  });
});
