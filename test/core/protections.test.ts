import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/core/evidence.ts';
import { lastInputAt, protectionsOf } from '../../src/core/protections.ts';
import { client, MINUTE, NOW, people, SECOND, standing } from '../support/evidence.ts';
import { factsOf } from './judged.ts';

const managed = standing();
const kept = (until: number | null) => ({ at: NOW.at - MINUTE, until, reason: 'review' });
const done = { at: NOW.at, outcome: 'done', evidence: null, blockers: [] };

describe('what keeps a session from being closed', () => {
  it.each<[string, Evidence[], string[]]>([
    ['nothing, for a managed session that nobody is in', [managed, people()], []],
    ['not being managed', [standing({ isManaged: false })], ['not-managed']],
    ['not knowing whether it is managed', [], ['not-managed']],
    ['rollcall running in it', [standing({ isOwnSession: true })], ['own-session']],
    ['a protected name', [standing({ protectedBy: 'crew-*' })], ['human-managed']],
    ['a hold', [standing({ held: { at: NOW.at, reason: null } })], ['held']],
    ['a retention', [standing({ retained: kept(NOW.at + 1) })], ['retained']],
    ['a retention without end', [standing({ retained: kept(null) })], ['retained']],
    ['a retention that is over', [standing({ retained: kept(NOW.at) })], []],
    ['a completion, which is none', [standing({ completion: done })], []],
    ['an attached person', [managed, people({ clients: [client()] })], ['attached']],
    ['a control-mode client', [managed, people({ clients: [client({ isControl: true })] })], ['attached']],
    ['input a moment ago', [managed, people({ lastAttachedAt: NOW.at - MINUTE })], ['recent-input']],
    ['input that is no longer recent', [managed, people({ lastAttachedAt: NOW.at - 2 * MINUTE })], []],
    [
      'input a moment ago by one who is still there',
      [managed, people({ clients: [client({ lastInputAt: NOW.at - SECOND })] })],
      ['attached', 'recent-input'],
    ],
    [
      'input that a stepped clock puts into the future',
      [managed, people({ lastAttachedAt: NOW.at + MINUTE })],
      ['recent-input'],
    ],
  ])('%s', (_, evidence, codes) => {
    expect(protectionsOf(factsOf(evidence)).map((one) => one.code)).toEqual(codes);
  });

  it('says it in words', () => {
    const evidence = [
      standing({
        ...{ isOwnSession: true, isManaged: false, protectedBy: 'crew-*' },
        held: { at: NOW.at - MINUTE, reason: 'mine' },
        retained: kept(NOW.at + 2 * MINUTE),
      }),
      people({ clients: [client()], isThroughGroup: true, lastAttachedAt: NOW.at - MINUTE }),
    ];
    expect(protectionsOf(factsOf(evidence)).map((one) => one.text)).toEqual([
      'rollcall itself runs in it',
      'its name matches the protected pattern crew-*',
      'held for 1 min: mine',
      'kept on request: review; 2 min more',
      '1 attached (through a grouped session)',
      'someone was there 1 min ago',
      'rollcall neither started nor adopted it, so it is never closed automatically',
    ]);
  });
});

describe('the last input', () => {
  it.each([
    ['of nobody, ever, is 0', { clients: [] }, 0],
    ['is when somebody was last attached', { clients: [], lastAttachedAt: 7 }, 7],
    [
      'is the latest of all clients',
      { clients: [client({ lastInputAt: 5 }), client({ lastInputAt: 9 })], lastAttachedAt: 7 },
      9,
    ],
    ['of a client that never typed is when it was attached', { clients: [client()], lastAttachedAt: 7 }, 7],
  ])('%s', (_, over, at) => {
    const { lastAttachedAt: __, ...nobody } = people();
    expect(lastInputAt({ ...nobody, ...over })).toBe(at);
  });
});
