import { describe, expect, test } from 'vitest';
import type { LoadedThread } from '../../../../src/adapters/agents/codex/app-server.ts';
import {
  type CodexClient,
  conversationOf,
  createClients,
} from '../../../../src/adapters/agents/codex/conversation.ts';
import { signOfAll, signOfThread } from '../../../../src/adapters/agents/codex/status.ts';
import { idOf } from './fake-app-server.ts';

const root = (number: number, over: Partial<LoadedThread> = {}): LoadedThread => ({
  id: idOf(number),
  session: idOf(number),
  parent: null,
  cwd: '/a',
  name: null,
  transcript: null,
  isEphemeral: false,
  status: 'idle',
  flags: [],
  terminals: 0,
  ...over,
});
const child = (number: number, of: LoadedThread, over: Partial<LoadedThread> = {}): LoadedThread =>
  root(number, { session: of.session, parent: of.id, ...over });
const client = (pid: number, over: Partial<CodexClient> = {}): CodexClient => ({
  pid,
  startTicks: 1,
  folder: '/a',
  title: 'a',
  isIdInTitle: false,
  ...over,
});
const shown = (
  me: CodexClient,
  others: readonly CodexClient[],
  threads: readonly LoadedThread[],
  connections: number | null = 1 + others.length,
): string | undefined =>
  conversationOf(me, [me, ...others], { state: 'answered', threads, clients: connections })?.id;

describe('the conversation of a client', () => {
  test('is the only one where it is the only client', () => {
    expect(shown(client(1), [], [root(1)])).toBe(idOf(1));
    expect(shown(client(1), [], [root(1), child(2, root(1)), root(3, { isEphemeral: true })])).toBe(idOf(1));
  });

  test('is not known while a client is not known, or may have none, or left one behind', () => {
    expect(shown(client(1), [], [root(1)], 2)).toBeUndefined();
    expect(shown(client(1), [], [root(1)], null)).toBeUndefined();
    expect(shown(client(1), [client(2)], [root(1)])).toBeUndefined();
    expect(shown(client(1), [], [root(1), root(2)])).toBeUndefined();
    expect(shown(client(1), [], [])).toBeUndefined();
  });

  test('is told by the folder where each has its own', () => {
    const threads = [root(1), root(2, { cwd: '/b' })];
    expect(shown(client(1), [client(2, { folder: '/b' })], threads)).toBe(idOf(1));
    expect(shown(client(2, { folder: '/b' }), [client(1)], threads)).toBe(idOf(2));
    expect(shown(client(1, { folder: '/c' }), [client(2, { folder: '/b' })], threads)).toBeUndefined();
  });

  test('is never guessed between two in one folder', () => {
    expect(shown(client(1), [client(2)], [root(1), root(2)])).toBeUndefined();
    expect(shown(client(1), [client(2)], [root(1), root(2, { cwd: '/b' })])).toBeUndefined();
    const named = [root(1, { name: 'Same' }), root(2, { name: 'Same' })];
    const titles = { title: 'Same | a' };
    expect(shown(client(1, titles), [client(2, titles)], named)).toBeUndefined();
  });

  test('is told by the name in the title, whoever else there is', () => {
    const threads = [root(1, { name: 'Fix it' }), root(2, { name: 'Fix' }), root(3)];
    for (const title of ['Fix it | a', '⠙ Fix it | a', '[ ! ] Action Required | Fix it | a'])
      expect(shown(client(1, { title }), [], threads, null)).toBe(idOf(1));
    for (const title of ['Fix it', 'Fix it too | a', 'x Fix it | a', 'a'])
      expect(shown(client(1, { title }), [], threads, null)).toBeUndefined();
  });

  test('is told by the id in the title where that was set up', () => {
    const threads = [root(1), root(2)];
    const title = `Ready | ${idOf(2).slice(0, 29)}... | a`;
    expect(shown(client(1, { title, isIdInTitle: true }), [], threads, null)).toBe(idOf(2));
    expect(shown(client(1, { title }), [], threads, null)).toBeUndefined();
    expect(
      shown(client(1, { title: 'Ready | 01a1de | a', isIdInTitle: true }), [], threads, null),
    ).toBeUndefined();
  });

  test('is what it was started with only while nothing else can be it', () => {
    const [one, two] = [client(1, { resumes: idOf(1) }), client(2, { resumes: idOf(2) })];
    const threads = [root(1), root(2)];
    expect(shown(one, [two], threads)).toBe(idOf(1));
    expect(shown(two, [one], threads)).toBe(idOf(2));
    expect(shown(client(3), [one], threads)).toBe(idOf(2));
    expect(shown(one, [two], [...threads, root(3)])).toBeUndefined();
    expect(shown(one, [client(2, { resumes: idOf(1) })], threads)).toBeUndefined();
    expect(shown(one, [], [root(3, { cwd: '/b' })])).toBeUndefined();
  });

  test('is what the others’ titles leave over', () => {
    const threads = [root(1), root(2, { name: 'Fix it' })];
    expect(shown(client(1), [client(2, { title: '⠙ Fix it | a' })], threads)).toBe(idOf(1));
  });
});

test('clients are forgotten when they are no longer seen', () => {
  let now = 0;
  const clients = createClients(() => now);
  clients.note('/h', client(1));
  clients.note('/h', client(1, { title: 'new' }));
  clients.note('/other', client(2));
  expect(clients.of('/h')).toEqual([client(1, { title: 'new' })]);
  now = 3_001;
  expect(clients.of('/h')).toEqual([]);
  expect(clients.of('/none')).toEqual([]);
});

const BASE = { observedAt: 9, isVerified: true };
const facts = (sign: ReturnType<typeof signOfThread>): object | null => {
  if (sign === null) return null;
  const { source, isLive, observedAt, isVerified, text: _, ...rest } = sign;
  expect({ source, isLive, observedAt, isVerified }).toEqual({ source: 'agent', isLive: true, ...BASE });
  return rest;
};

describe('the daemon’s word on a conversation', () => {
  const of = (over: Partial<LoadedThread>, ...others: LoadedThread[]): object | null => {
    const thread = root(1, over);
    return facts(signOfThread(thread, [thread, ...others], BASE));
  };

  test.each([
    [{ status: 'active' }, { turn: 'running', waitingFor: null }],
    [
      { status: 'active', flags: ['waitingOnApproval'] },
      { turn: 'running', waitingFor: 'permission' },
    ],
    [
      { status: 'active', flags: ['waitingOnUserInput'] },
      { turn: 'running', waitingFor: 'question' },
    ],
    [{ status: 'active', flags: ['somethingNew'] }, { turn: 'running' }],
    [{ status: 'idle' }, { turn: 'over', background: 0 }],
    [{ status: 'systemError' }, { turn: 'over', waitingFor: 'error', background: 0 }],
    [{ status: 'notLoaded' }, null],
    [{ status: 'somethingNew' }, null],
    [{ status: '' }, null],
  ])('%j', (over, expected) => expect(of(over)).toEqual(expected));

  test('S15: never denies a dialog while the conversation rests: the client opens some by itself', () => {
    expect(of({ status: 'idle' })).not.toHaveProperty('waitingFor');
  });

  test('S12: counts subagents and commands that outlive the turn, its own and its subagents’', () => {
    const parent = root(1);
    const busy = child(2, parent, { status: 'active' });
    expect(of({}, busy)).toEqual({ turn: 'over', background: 1 });
    expect(of({}, child(3, busy, { session: idOf(1), status: 'active' }))).toMatchObject({ background: 1 });
    expect(of({ terminals: 2 }, child(2, parent, { terminals: 1 }))).toMatchObject({ background: 3 });
    expect(of({}, child(2, parent))).toMatchObject({ background: 0 });
    expect(of({}, root(4, { status: 'active', terminals: 5 }))).toMatchObject({ background: 0 });
  });

  test('S12: says nothing of the background that it was not told', () => {
    expect(of({ terminals: null })).toEqual({ turn: 'over' });
    expect(of({}, child(2, root(1), { status: 'somethingNew' }))).toEqual({ turn: 'over' });
    expect(of({ terminals: null }, child(2, root(1), { status: 'active' }))).toMatchObject({ background: 1 });
  });
});

describe('the daemon’s word on all of its conversations', () => {
  const all = (threads: readonly LoadedThread[], clients = 2, connections: number | null = 2) =>
    facts(signOfAll(threads, { clients, connections }, BASE));

  test('holds for each when every one of them rests', () => {
    expect(all([root(1), root(2), child(3, root(1))])).toEqual({ turn: 'over', background: 0 });
  });

  test('tells nothing when one of them does not, or may not', () => {
    expect(all([root(1), root(2, { status: 'active' })])).toBeNull();
    expect(all([root(1), root(2, { status: 'systemError' })])).toBeNull();
    expect(all([root(1), root(2), child(3, root(1), { status: 'active' })])).toBeNull();
    expect(all([root(1), root(2, { terminals: 1 })])).toBeNull();
    expect(all([root(1), root(2, { terminals: null })])).toBeNull();
  });

  test('S32: tells nothing of a client whose conversation may not be among them', () => {
    expect(all([])).toBeNull();
    expect(all([], 0)).toBeNull();
    expect(all([root(1)])).toBeNull();
    expect(all([root(1), root(2)], 2, 1)).toBeNull();
    expect(all([root(1), root(2)], 2, null)).toBeNull();
  });
});
