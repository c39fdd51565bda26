import { describe, expect, it } from 'vitest';
import type { HookMemory } from '../../../src/core/agent/hook-memory.ts';
import type { ClosedSession } from '../../../src/core/close/find-receipt.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { heardStart } from '../../../src/engine/act/heard-start.ts';

const entry = (body: JsonObject) => ({ body, session: { key: 'k', name: 'n' } }) as LedgerEntry;
const STARTED: JsonObject = {
  ...{ run: 'r', paneId: '%3', createdAtSeconds: 1, argv: ['agent', '--alone'] },
  ...{ server: { socketPath: '/s', pid: 40 }, agent: { kind: 'agent', conversation: null } },
};
const HEARD: HookMemory = {
  ...{ agentKind: 'agent', conversation: 'heard', subagents: [], beganAt: 1500 },
  sender: { parentPid: 7, tmuxSocket: '/s', tmuxServerPid: 40, paneId: '%3' },
  last: { event: 'Stop', at: 2000 },
};

function conversationOf(
  start: JsonObject | null,
  receipt: JsonObject | null = null,
  over: {
    readonly isFromPane?: (argv: readonly string[]) => boolean;
    readonly hasHooks?: boolean;
    readonly resumes?: (argv: readonly string[]) => string | null;
    readonly seen?: JsonObject;
  } = {},
) {
  const { isFromPane, hasHooks = true, resumes, seen } = over;
  const hooks = { events: [], translate: () => null, ...(isFromPane && { isFromPane }) };
  const hands = {
    agents: [{ kind: 'agent', ...(hasHooks && { hooks }), ...(resumes && { gate: { resumes } }) }],
    hooks: { about: () => [HEARD] },
    starts: { of: () => null },
    layouts: {
      of: () => (seen ? { state: 'read', layout: { document: { panes: [seen] } } } : { state: 'absent' }),
    },
    ledger: { facts: () => ({ folded: { facts: new Map() } }) },
  } as unknown as Hands;
  const facts = { key: 'k', origin: { how: 'started', pane: { paneId: '%3', pid: 7 } } };
  const closed = { facts, start: start && entry(start), receipt: receipt && entry(receipt) };
  const told = heardStart(hands, closed as unknown as ClosedSession)?.body.agent as
    | JsonObject
    | null
    | undefined;
  return told?.conversation;
}

describe('endings 1: a session that ended by itself goes on in its conversation', () => {
  it('by what its hooks told from its pane', () => {
    expect(conversationOf(STARTED)).toBe('heard');
  });

  it('by its receipt, once that has it: hooks are forgotten', () => {
    expect(conversationOf(STARTED, { agent: { kind: 'agent', conversation: 'kept' } })).toBe('kept');
    expect(conversationOf(STARTED, { agent: null })).toBe('heard');
  });

  it('by the one that was chosen at its start, before what its hooks told', () => {
    expect(conversationOf({ ...STARTED, agent: { kind: 'agent', conversation: 'chosen' } })).toBe('chosen');
  });

  it('by the one that it was last seen in, which may be another than the chosen one', () => {
    const chosen = { ...STARTED, agent: { kind: 'agent', conversation: 'chosen' } };
    const pane = { paneId: '%3', pid: 7, agent: { kind: 'agent', conversation: 'seen' } };
    const of = (seen: JsonObject) => conversationOf(chosen, null, { seen });
    expect(of(pane)).toBe('seen');
    expect(of({ ...pane, pid: 8 })).toBe('chosen');
    expect(of({ ...pane, paneId: '%4' })).toBe('chosen');
    expect(of({ ...pane, agent: { kind: 'other', conversation: 'seen' } })).toBe('chosen');
    expect(of({ ...pane, agent: { kind: 'agent', conversation: null } })).toBe('chosen');
    const receipt = { agent: { kind: 'agent', conversation: 'kept' } };
    expect(conversationOf(chosen, receipt, { seen: pane })).toBe('kept');
  });

  it('by the one that its command line took up again, where nothing else tells', () => {
    const resumes = (argv: readonly string[]) => argv.join(' ');
    expect(conversationOf(STARTED, null, { hasHooks: false, resumes })).toBe('agent --alone');
    expect(conversationOf(STARTED, null, { resumes })).toBe('heard');
  });

  it('not where its hooks may be those of others', () => {
    const words: (readonly string[])[] = [];
    const isFromPane = (argv: readonly string[]) => {
      words.push(argv);
      return false;
    };
    expect(conversationOf(STARTED, null, { isFromPane })).toBeNull();
    expect(words).toEqual([['agent', '--alone']]);
    expect(conversationOf(STARTED, null, { isFromPane: () => true })).toBe('heard');
  });

  it('not where nothing tells of its pane, its hooks or its agent', () => {
    expect(conversationOf({ ...STARTED, paneId: null })).toBeNull();
    expect(conversationOf({ ...STARTED, server: null })).toBeNull();
    expect(conversationOf(STARTED, null, { hasHooks: false })).toBeNull();
    expect(conversationOf({ ...STARTED, agent: null })).toBeUndefined();
    expect(conversationOf(null)).toBeUndefined();
  });
});
