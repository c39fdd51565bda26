import { describe, expect, it } from 'vitest';
import { readReceived } from '../../../src/core/close/bodies.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import type { ConversationClues } from '../../../src/core/conversation/clues.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { keepConversations } from '../../../src/engine/act/conversations/keep.ts';
import { putBackConversations } from '../../../src/engine/act/conversations/put-back.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import type { AgentAdapter, ConversationSight } from '../../../src/ports/agent.ts';
import type { CopyKept, PutBack } from '../../../src/ports/conversations.ts';

const ONE = { kind: 'claude', conversation: 'c', transcript: '/t', env: {}, cwd: '/w', paneId: '%1' };
const WHOLE: ConversationSight = { lacks: null, files: ['/t'], deletedAt: 99 };
const KEPT: CopyKept = { state: 'kept', digest: 'd', bytes: 3, leaving: [] };

interface Given {
  readonly sights?: readonly ConversationSight[];
  readonly kept?: CopyKept;
  readonly put?: PutBack;
  readonly folders?: readonly string[];
  readonly isUnknown?: boolean;
  /** Copies that had to go for those that came after them. */
  readonly gone?: readonly string[];
}

function room(given: Given = {}) {
  const { sights = [WHOLE], kept = KEPT, put, folders = ['/f', '/w'], isUnknown, gone = [] } = given;
  const asked: string[] = [];
  const left = [...sights];
  const conversations = {
    folder: () => '/f',
    read: async ({ cwd }: ConversationClues) => {
      asked.push(`read in ${cwd}`);
      return left.length > 1 ? (left.shift() as ConversationSight) : (left[0] as ConversationSight);
    },
  };
  const agent: AgentAdapter = {
    kind: 'claude',
    recognises: () => false,
    ...(isUnknown ? {} : { conversations }),
  };
  const hands = {
    agents: [agent],
    isFolder: (path: string) => folders.includes(path),
    now: () => 100,
    archive: {
      read: () => ({
        state: 'read',
        document: readKept({ panes: [{ paneId: '%1', agent: ONE }] }),
        digest: 'x',
      }),
    },
    conversations: {
      keep: async (name: string) => {
        asked.push(`keep ${name}`);
        return kept;
      },
      putBack: async (name: string) => {
        asked.push(`put back ${name}`);
        return put ?? { state: 'done', paths: [] };
      },
      cluesOf: (name: string) => (gone.includes(name) || !asked.includes(`keep ${name}`) ? null : ONE),
      list: () => ({ count: 0, bytes: 0, removed: [] }),
    },
  };
  return { asked, hands: hands as unknown as Hands };
}

const RECEIPT = { receipt: 'r1', conversations: [{ agent: 'claude', conversation: 'c', copy: 'd' }] };
const GONE: ConversationSight = { lacks: 'it is gone', files: [], deletedAt: null };

describe('keeping a conversation', () => {
  const keep = async (given: Given = {}, isAlive = false) => {
    const { hands, asked } = room(given);
    const { conversations, notes } = await keepConversations(hands, 'r1', [ONE], () => isAlive);
    return { asked, notes, one: conversations[0] };
  };

  it('reads it, keeps a copy and says for how long it is good', async () => {
    const { one, asked } = await keep();
    expect(asked).toEqual(['read in /w', 'keep r1-0']);
    expect(one).toEqual({
      ...{ paneId: '%1', agent: 'claude', conversation: 'c', isProven: true, lacks: null },
      ...{ copy: 'd', copyBytes: 3, notKept: null, goodUntil: null },
    });
  });

  it('touches nothing of an agent that still runs', async () => {
    const { one, asked } = await keep({}, true);
    expect(asked).toEqual([]);
    expect(one).toMatchObject({ isProven: false, lacks: 'its agent still runs', copy: null });
  });

  it('asks nothing of a folder that gives no answer', async () => {
    const { one, asked } = await keep({ folders: [] });
    expect([asked, one?.lacks]).toEqual([[], '/f is not there, or gives no answer']);
    expect((await keep({ folders: ['/f'] })).asked).toEqual(['read in null', 'keep r1-0']);
  });

  it('says why there is no copy, and until when its agent keeps it', async () => {
    const { one } = await keep({ kept: { state: 'not-kept', text: 'the disk is full' } });
    expect(one).toMatchObject({ isProven: true, copy: null, notKept: 'the disk is full', goodUntil: 99 });
    const none = await keep({ sights: [{ ...WHOLE, files: [] }] });
    expect(none.one).toMatchObject({ isProven: true, notKept: 'it is no file of its own' });
    expect((await keep({ sights: [GONE] })).one).toMatchObject({ isProven: false, lacks: 'it is gone' });
    expect((await keep({ isUnknown: true })).one?.lacks).toBe('where claude keeps it is not known');
  });

  it('tells which only copies had to go for it, and no others', async () => {
    const copy = {
      name: 'r0-1',
      kind: 'codex',
      keptAt: 1,
      bytes: 1,
      isElsewhere: false,
    };
    const leaving = [
      { copy, isOnly: true },
      { copy, isOnly: false },
    ];
    expect((await keep({ kept: { ...KEPT, leaving } })).notes).toEqual([
      'the only copy of the codex conversation of receipt r0 was removed, to keep to archive.keepConversations',
    ]);
  });
});

it('promises no copy that had to go for another of the same receipt', async () => {
  const { hands } = room({ gone: ['r1-0'] });
  const { conversations } = await keepConversations(hands, 'r1', [ONE, { ...ONE, paneId: '%2' }]);
  const removed = {
    copy: null,
    copyBytes: null,
    notKept: 'it was removed, to keep to archive.keepConversations',
  };
  expect(conversations).toMatchObject([
    { ...removed, paneId: '%1', isProven: true, goodUntil: 99 },
    { paneId: '%2', copy: 'd', copyBytes: 3, notKept: null, goodUntil: null },
  ]);
});

describe('putting a conversation back', () => {
  const back = async (given: Given, body: JsonObject = RECEIPT) => {
    const { hands, asked } = room(given);
    return { asked, ...(await putBackConversations(hands, readReceived(body), 'k')) };
  };

  it('is for one that its agent has no more', async () => {
    const put: PutBack = { state: 'done', paths: ['/t'] };
    const fresh = { ...WHOLE, deletedAt: 101 };
    expect(await back({ sights: [GONE, fresh], put })).toMatchObject({ putBack: ['/t'], missing: [] });
    const old = await back({ sights: [GONE, WHOLE], put });
    expect(old.missing).toEqual([
      'claude may delete it again at once: by its settings it kept it until 1970-01-01',
    ]);
  });

  it('is not for one that lies elsewhere by now', async () => {
    expect(await back({ sights: [{ ...WHOLE, files: ['/moved'] }] })).toMatchObject({
      ...{ putBack: [], missing: [], asked: ['read in /w'] },
    });
  });

  it('is not done beside one that lies elsewhere by now, and is cut off there', async () => {
    const cut = { ...WHOLE, files: ['/moved'], lacks: 'the last record is cut off' };
    expect(await back({ sights: [cut] })).toMatchObject({
      ...{ putBack: [], asked: ['read in /w'] },
      missing: ['its conversation may not be resumable: the last record is cut off'],
    });
  });

  it.each<[string, PutBack, string]>([
    ['done', { state: 'done', paths: [] }, 'its copy was no better'],
    ['absent', { state: 'absent', removedAt: null }, 'its copy is gone'],
    ['changed', { state: 'changed', text: 'it differs' }, 'its copy was not used: it differs'],
  ])('says what is missing where it is %s', async (_, put, why) => {
    const { missing } = await back({ sights: [GONE], put });
    expect(missing).toEqual([`its conversation may not be resumable: it is gone; ${why}`]);
  });

  it('says that it failed only where its agent has none', async () => {
    const put: PutBack = { state: 'failed', text: 'EACCES' };
    expect(await back({ sights: [GONE], put })).toMatchObject({ missing: [], failed: ['EACCES'] });
    expect(await back({ sights: [WHOLE], put })).toMatchObject({ missing: [], failed: [] });
  });

  it('has nothing to do for receipts that say nothing, or of another conversation', async () => {
    expect((await back({}, { receipt: 'r1' })).asked).toEqual([]);
    const other = { receipt: 'r1', conversations: [{ agent: 'codex', conversation: 'c', copy: 'd' }] };
    expect((await back({}, other)).asked).toEqual([]);
    const never = { agent: 'claude', conversation: 'c', isProven: false };
    expect((await back({}, { receipt: 'r1', conversations: [never] })).asked).toEqual([]);
    const without = { receipt: 'r1', conversations: [{ ...never, isProven: true }] };
    expect((await back({ sights: [GONE] }, without)).missing).toEqual([
      'its conversation may not be resumable: it is gone; no copy of it was kept',
    ]);
  });
});
