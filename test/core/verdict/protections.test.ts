import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { personAwayMs, protectionsOf } from '../../../src/core/verdict/protections.ts';
import { client, clock, DAY, HOUR, MINUTE, NOW, people, SECOND, standing } from '../../support/evidence.ts';
import { factsOf } from '../judged.ts';

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
    [
      'a project whose file is broken',
      [standing({ brokenProject: '/a/.rollcall.json is empty' })],
      ['project-config-broken'],
    ],
    ['a hold', [standing({ held: { at: NOW.at, reason: null } })], ['held']],
    ['a retention', [standing({ retained: kept(NOW.at + 1) })], ['retained']],
    ['a retention without end', [standing({ retained: kept(null) })], ['retained']],
    ['a retention that is over', [standing({ retained: kept(NOW.at) })], []],
    ['a completion, which is none', [standing({ completion: done })], []],
    ['an attached person', [managed, clock(), people({ clients: [client()] })], ['attached']],
    [
      'a control-mode client',
      [managed, clock(), people({ clients: [client({ isControl: true })] })],
      ['attached'],
    ],
    ['input a moment ago', [managed, people({ awayMs: MINUTE })], ['recent-input']],
    ['input that is no longer recent', [managed, people({ awayMs: 2 * MINUTE })], []],
    [
      'input a moment ago by one who is still there',
      [managed, clock(), people({ clients: [client({ lastInputAt: NOW.at - SECOND })] })],
      ['attached', 'recent-input'],
    ],
    [
      'S26: nobody, where a stepped clock puts the last arrival into the future',
      [managed, people({ lastAttachedAt: NOW.at + DAY })],
      [],
    ],
    [
      'S26: who may just have left, where a stepped clock puts the arrival long ago',
      [managed, people({ lastAttachedAt: NOW.at - DAY, awayMs: SECOND })],
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
      clock(),
    ];
    expect(protectionsOf(factsOf(evidence)).map((one) => one.text)).toEqual([
      'rollcall itself runs in it',
      'its name matches the protected pattern crew-*',
      'held for 1 min: mine',
      'kept on request: review; 2 min more',
      '1 attached (through another session)',
      'someone was there 1 min ago',
      'rollcall neither started nor adopted it, so it is never closed automatically',
    ]);
  });
});

it('says when somebody may have been there, who is gone', () => {
  const [{ text = '' } = {}] = protectionsOf(factsOf([managed, people({ awayMs: MINUTE })]));
  expect(text).toBe('someone may have been there 1 min ago');
});

describe('how long nobody has been there', () => {
  const { lastAttachedAt: _, awayMs: __, ...never } = people();
  const attached = (...inputs: number[]) =>
    people({ clients: inputs.map((lastInputAt) => client({ lastInputAt })) });

  it.each<[string, number, Evidence[]]>([
    ['is for good where nobody ever was', Number.POSITIVE_INFINITY, [never]],
    ['is for good where nothing is known of people', Number.POSITIVE_INFINITY, []],
    ['is what the looks saw', MINUTE, [people({ awayMs: MINUTE })]],
    ['is none where somebody attached and no look tells more', 0, [{ ...never, lastAttachedAt: 7 }]],
    ['is the latest input of who is attached', SECOND, [attached(NOW.at - MINUTE, NOW.at - SECOND), clock()]],
    ['of a client that never typed is since it attached', DAY, [people({ clients: [client()] }), clock()]],
    ['of a client without any time is for good', NOW.at, [{ ...never, clients: [client()] }, clock()]],
    ['is cut by a step of the clock', 0, [attached(NOW.at - HOUR), clock({ steppedMs: DAY })]],
    ['is none of an attached client where the clock is not known', 0, [attached(NOW.at - HOUR)]],
  ])('%s', (_text, ms, evidence) => {
    expect(personAwayMs(factsOf(evidence))).toBe(ms);
  });
});
