import { describe, expect, it } from 'vitest';
import { readReceived } from '../../../src/core/close/bodies.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { conversationsIn } from '../../../src/core/conversation/clues.ts';
import { type CopyIndex, indexText, parseIndex } from '../../../src/core/conversation/copy-index.ts';
import {
  copyName,
  dayOf,
  doubtOf,
  type KeptConversation,
  receiptOf,
} from '../../../src/core/conversation/kept.ts';
import { type CopySighting, leavingFor } from '../../../src/core/conversation/room.ts';

const CLUES = { kind: 'claude', conversation: 'c', transcript: '/t', env: { HOME: '/h' }, cwd: '/w' };

describe('clues', () => {
  it('are those of every agent of an archive whose conversation is known', () => {
    const panes = [
      { paneId: '%1', agent: { ...CLUES, env: { HOME: '/h', ODD: 1 } } },
      { paneId: '%2', agent: { kind: 'claude' } },
      { agent: { kind: 'codex', conversation: 'd' } },
      { paneId: '%4', agent: null },
      7,
    ];
    expect(conversationsIn(readKept({ panes }))).toEqual([
      { ...CLUES, paneId: '%1' },
      { kind: 'codex', conversation: 'd', transcript: null, env: {}, cwd: null, paneId: null },
    ]);
    expect(conversationsIn(readKept({}))).toEqual([]);
  });
});

const BARE = {
  ...{ paneId: null, isProven: false, lacks: null, copy: null, copyBytes: null, notKept: null },
  goodUntil: null,
};

describe('the index of a copy', () => {
  const file = { path: '/t', mode: 0o640, folders: [0o700], bytes: 3, digest: 'd' };
  const index: CopyIndex = { clues: CLUES, keptAt: 5, files: [file] };

  it('is read as it was written, with a salt that changes its digest', () => {
    expect(parseIndex(indexText(index, 's'))).toEqual(index);
    expect(indexText(index, 's')).not.toBe(indexText(index, 't'));
    for (const folders of [undefined, null, 7]) {
      const text = JSON.stringify({ ...CLUES, keptAt: 5, files: [{ ...file, folders }] });
      expect(parseIndex(text)?.files).toEqual([{ ...file, folders: [] }]);
    }
  });

  it.each([
    ['no JSON', 'x'],
    ['no object', '[]'],
    ['no conversation', JSON.stringify({ keptAt: 5, files: [file] })],
    ['no time', JSON.stringify({ ...CLUES, files: [file] })],
    ['no file', JSON.stringify({ ...CLUES, keptAt: 5, files: [] })],
    ['half a file', JSON.stringify({ ...CLUES, keptAt: 5, files: [file, { path: '/u' }] })],
    ['a place that is none', JSON.stringify({ ...CLUES, keptAt: 5, files: [{ ...file, path: 't' }] })],
    ['a file without size', JSON.stringify({ ...CLUES, keptAt: 5, files: [{ ...file, bytes: null }] })],
    ['a file without rights', JSON.stringify({ ...CLUES, keptAt: 5, files: [{ ...file, mode: null }] })],
    [
      'a folder without rights',
      JSON.stringify({ ...CLUES, keptAt: 5, files: [{ ...file, folders: ['x'] }] }),
    ],
    ['no file at all', JSON.stringify({ ...CLUES, keptAt: 5, files: [1] })],
  ])('is none with %s', (_, text) => {
    expect(parseIndex(text)).toBeNull();
  });
});

describe('room', () => {
  const copy = (name: string, keptAt: number, over: Partial<CopySighting> = {}): CopySighting => ({
    ...{ name, keptAt, kind: 'claude', bytes: 10, isElsewhere: false },
    ...over,
  });
  const names = (copies: readonly CopySighting[], maxBytes: number) =>
    leavingFor(copies, 'new-1', maxBytes).map(
      ({ copy: { name }, isOnly }) => `${name}${isOnly ? ' only' : ''}`,
    );

  it('is made by nobody while there is enough', () => {
    expect(names([copy('a', 1), copy('new-1', 2)], 20)).toEqual([]);
  });

  it('is made by what something else has too, the oldest first, and then by the oldest', () => {
    const there = { isElsewhere: true };
    const copies = [copy('new-1', 9), copy('c', 3, there), copy('b', 2), copy('a', 1), copy('d', 4, there)];
    expect(names(copies, 40)).toEqual(['c']);
    expect(names(copies, 25)).toEqual(['c', 'd', 'a only']);
    expect(names(copies, 0)).toEqual(['c', 'd', 'a only', 'b only']);
  });

  it('is made by copies of the same receipt only where all others are not enough', () => {
    const there = { isElsewhere: true };
    const copies = [
      copy('new-0', 1),
      copy('new-2', 2, there),
      copy('new-1', 3),
      copy('b-0', 4),
      copy('a-1', 5),
    ];
    expect(names(copies, 30)).toEqual(['b-0 only', 'a-1 only']);
    expect(names(copies, 10)).toEqual(['b-0 only', 'a-1 only', 'new-2', 'new-0 only']);
  });
});

describe('what a receipt says', () => {
  const kept: KeptConversation = {
    ...{ paneId: '%1', agent: 'claude', conversation: 'c', isProven: true, lacks: null },
    ...{ copy: 'd', copyBytes: 3, notKept: null, goodUntil: null },
  };

  it('is read again; earlier versions said nothing', () => {
    expect(readReceived({ conversations: [{ ...kept }, { agent: 'claude' }, 1] }).conversations).toEqual([
      kept,
    ]);
    const least = { agent: 'claude', conversation: 'c', isProven: 'yes', copyBytes: 'many', lacks: 7 };
    expect(readReceived({ conversations: [least] }).conversations).toEqual([
      { ...BARE, agent: 'claude', conversation: 'c' },
    ]);
    expect(readReceived({}).conversations).toEqual([]);
    expect(copyName('r1', 0)).toBe('r1-0');
    expect(receiptOf(copyName('r-1', 12))).toBe('r-1');
  });

  it('doubts only what is not proven, or not kept', () => {
    expect(doubtOf(kept)).toBeNull();
    expect(doubtOf({ ...kept, isProven: false, lacks: 'it is cut' })).toBe(
      'its conversation may not be resumable: it is cut',
    );
    const without = { ...kept, copy: null, notKept: 'the disk is full' };
    expect(doubtOf(without)).toBe('no copy of its conversation is kept: the disk is full');
    expect(doubtOf({ ...without, goodUntil: 86_400_000 })).toMatch(/; its agent keeps it until 1970-01-02$/);
    expect(dayOf(Number.NaN)).toBe('an unknown day');
  });
});
