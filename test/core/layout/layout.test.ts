import { describe, expect, it } from 'vitest';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { type Layout, layoutText, parseLayout } from '../../../src/core/layout/layout.ts';
import { nextLayout } from '../../../src/core/layout/next-layout.ts';
import { isLayoutDue, isSeenWhole, layoutPrint, takeLayout } from '../../../src/core/layout/take-layout.ts';
import { hasLeft, withAgent, withoutLeft } from '../../../src/core/layout/with-agent.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import type { EndRecord } from '../../../src/core/memory/ended.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { idleAgent } from '../../support/evidence.ts';
import { entry } from '../close/entry.ts';

const MINUTE = 60_000;
const KEY = 'm.b.7.70.s1.1800000000';

const agentPane = (conversation: string | null, pid = 8, over: JsonObject = {}): JsonObject => ({
  paneId: '%1',
  processes: [
    { role: 'agent', pid },
    { role: 'shell', pid: 3 },
  ],
  agent: { kind: 'claude', conversation, resume: conversation && ['claude', '--resume', conversation] },
  ...over,
});

const layout = (panes: readonly unknown[], over: Partial<Layout> = {}): Layout => ({
  ...{ key: KEY, at: 0, print: 'p', document: readKept({ session: { key: KEY }, panes }) },
  ...over,
});

describe('the layout of a session', () => {
  it('is read as it was written, and not where it is of another session or not whole', () => {
    const own = layout([{ paneId: '%1' }], { lackingSince: 5 });
    const read = (change: object) =>
      parseLayout(JSON.stringify({ ...JSON.parse(layoutText(own)), ...change }), KEY);
    expect(read({})).toEqual(own);
    expect(read({ lackingSince: null })).toEqual(layout([{ paneId: '%1' }]));
    expect(parseLayout(layoutText(own), 'other')).toBeNull();
    for (const change of [
      { version: 2 },
      { at: null },
      { print: 1 },
      { document: null },
      { document: { session: { key: 'other' }, panes: [{}] } },
      { document: { session: { key: KEY }, panes: [] } },
    ])
      expect(read(change)).toBeNull();
    expect(parseLayout('{', KEY)).toBeNull();
  });

  it('is taken again when something of it changed, when an agent is missed, and now and then', () => {
    const known = { print: 'p', at: 0 };
    expect(isLayoutDue(null, 'p', 0)).toBe(true);
    expect(isLayoutDue(known, 'q', 0)).toBe(true);
    expect(isLayoutDue({ ...known, lackingSince: 0 }, 'p', 0)).toBe(true);
    expect([MINUTE, -MINUTE, 5 * MINUTE, -5 * MINUTE].map((now) => isLayoutDue(known, 'p', now))).toEqual([
      ...[false, false, true, true],
    ]);
  });

  it('is made of what an archive has, without evidence and what its agent runs', () => {
    const seen = entry(idleAgent());
    const parts = { at: 3, entry: seen, panes: closingPanes(seen, 3), windows: [] };
    const none = { startedAs: new Map(), environments: new Map() };
    const { document, ...rest } = takeLayout({ ...parts, ...none }, layoutPrint(seen));
    expect(rest).toEqual({ key: KEY, at: 3, print: layoutPrint(seen) });
    expect(Object.keys(document)).toEqual(['session', 'windows', 'panes', 'git']);
    const [pane] = document.panes;
    expect(pane?.processes.every(({ role, relation }) => role === 'agent' || relation === 'root')).toBe(true);
    const bare = entry(idleAgent().filter(({ kind }) => kind !== 'processes' && kind !== 'agent'));
    expect(
      takeLayout({ ...parts, ...none, entry: bare, panes: closingPanes(bare, 3) }, 'p').document.panes,
    ).toHaveLength(bare.panes.length);
  });

  it('is not taken from a look that did not see its processes', () => {
    const seen = entry(idleAgent());
    const blind = { ...seen, evidence: seen.evidence.filter(({ kind }) => kind !== 'processes') };
    expect([isSeenWhole(seen), isSeenWhole(blind), isSeenWhole({ ...seen, panes: [] })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isSeenWhole({ ...blind, panes: blind.panes.map((pane) => ({ ...pane, isDead: true })) })).toBe(
      true,
    );
    // What `split-window -I` makes has no process.
    const empty = { ...(seen.panes[0] as SessionEntry['panes'][number]), paneId: '%7', pid: 0 };
    expect(isSeenWhole({ ...seen, panes: [...seen.panes, empty] })).toBe(true);
    expect(layoutPrint(seen)).not.toBe(layoutPrint({ ...seen, name: 'other' }));
  });
});

describe('from one layout to the next', () => {
  const conversationIn = (one: Layout | null) => one?.document.panes[0]?.agent?.conversation;

  it('what is seen first, or tells of another conversation, is kept', () => {
    const first = layout([agentPane('c-1')]);
    expect(nextLayout(null, first)).toBe(first);
    expect(conversationIn(nextLayout(first, layout([agentPane('c-2')])))).toBe('c-2');
  });

  it('an agent that does not tell its conversation just now is still in it, if it is the same', () => {
    const before = layout([agentPane('c-1')]);
    expect(conversationIn(nextLayout(before, layout([agentPane(null)])))).toBe('c-1');
    expect(nextLayout(before, layout([agentPane(null, 9)], { at: 7 }))).toEqual({
      ...before,
      lackingSince: 7,
    });
    const known = layout([
      { paneId: '%1', agent: { kind: 'claude', conversation: 'c-1' }, processes: [null, { role: 'agent' }] },
    ]);
    expect(nextLayout(known, layout([agentPane(null)], { at: 7 }))).toMatchObject({ lackingSince: 7 });
    expect(nextLayout(layout([]), layout([agentPane(null)]))).toMatchObject({ print: 'p' });
    const nowhere = layout([agentPane('c-1', 8, { paneId: 7 })]);
    expect(nextLayout(nowhere, layout([], { at: 7 }))).toMatchObject({ at: 7 });
  });

  it('what was said last of an agent is taken over whole', () => {
    const bare = layout([{ ...agentPane('c-1'), agent: { kind: 'claude', conversation: 'c-1' } }]);
    expect(nextLayout(bare, layout([agentPane(null)]))?.document.panes).toMatchObject([
      { agent: { conversation: 'c-1', resume: null, transcript: null } },
    ]);
  });

  it('an agent that went is told of for a minute: the whole machine may be going down', () => {
    const before = layout([agentPane('c-1')]);
    const without = (at: number) => layout([{ paneId: '%1', agent: null }, null], { at });
    const lacking = nextLayout(before, without(10)) as Layout;
    expect(lacking).toEqual({ ...before, lackingSince: 10 });
    expect(nextLayout(lacking, without(10 + MINUTE - 1))).toBeNull();
    expect(conversationIn(nextLayout(lacking, without(10 + MINUTE)))).toBeUndefined();
    expect(conversationIn(nextLayout(lacking, without(10 - MINUTE)))).toBeUndefined();
    expect(nextLayout(lacking, layout([agentPane('c-1')]))).not.toHaveProperty('lackingSince');
  });
});

describe('from an agent to its sleeper', () => {
  it('what is seen is kept at once: the agent is not gone, and its receipt has it', () => {
    const asleep = layout([{ paneId: '%1', agent: null, activity: 'asleep' }], { at: 10 });
    expect(nextLayout(layout([agentPane('c-1')]), asleep)).toEqual(asleep);
    const beside = layout(
      [
        { paneId: '%1', agent: null },
        { paneId: '%2', activity: 'asleep' },
      ],
      { at: 10 },
    );
    expect(nextLayout(layout([agentPane('c-1')]), beside)).toMatchObject({ at: 0, lackingSince: 10 });
  });
});

describe('the agent that a pane was started with', () => {
  const started = { agent: { kind: 'claude', conversation: 'c-1' }, argv: ['claude', '--resume', 'c-1'] };
  const panesOf = (panes: readonly unknown[], over: object = {}) =>
    withAgent(readKept({ panes }), '%1', { ...started, ...over }).panes;

  it('is put where a look did not see it, and leaves another one alone', () => {
    const resumed = { ...started.agent, resume: started.argv };
    expect(panesOf([{ paneId: '%1', agent: null }, { paneId: '%2' }, null])).toEqual([
      { paneId: '%1', agent: resumed, processes: [] },
      { paneId: '%2', processes: [] },
    ]);
    expect(panesOf([{ paneId: '%1', agent: { kind: 'claude', cwd: '/p' } }])).toEqual([
      { paneId: '%1', agent: { cwd: '/p', ...resumed }, processes: [] },
    ]);
    const other = [{ paneId: '%1', agent: { kind: 'codex' }, processes: [] }];
    expect(panesOf(other)).toEqual(other);
    expect(panesOf([{ paneId: '%1' }], { agent: null })).toEqual([{ paneId: '%1', processes: [] }]);
    expect(panesOf([{ paneId: '%1' }], { argv: null })).toMatchObject([{ agent: { resume: null } }]);
  });
});

describe('a program that left its session before that went', () => {
  const end = (over: Partial<EndRecord>): EndRecord => ({
    ...{ run: 'r', exitStatus: 0, exitSignal: null, endedAt: 1, lines: [], pid: 8, sessions: new Map() },
    ...over,
  });

  it('is the one that the session was started with, and ended with 0', () => {
    const own = { paneId: '%1', pid: 8 };
    expect(hasLeft(end({}), own)).toBe(true);
    expect(hasLeft(null, own)).toBe(false);
    expect(hasLeft(end({ exitStatus: 143 }), own)).toBe(false);
    expect(hasLeft(end({ pid: 9 }), own)).toBe(false);
    expect(hasLeft(end({}), undefined)).toBe(false);
  });

  it('is taken out of the layout, and named with its resume', () => {
    const other = { paneId: '%2', processes: [{ role: 'shell', pid: 3 }] };
    const { document, missing } = withoutLeft(readKept({ panes: [agentPane('c1'), other, 'x'] }), '%1');
    expect(document.panes).toEqual([{ paneId: '%1', processes: [], agent: null }, other]);
    expect(missing).toEqual([
      'pane %1: claude is not started again, because it ended with status 0 before the session went; resume it with: claude --resume c1',
    ]);
    const program = { paneId: '%1', processes: [{ role: 'child', pid: 3 }] };
    expect(withoutLeft(readKept({ panes: [program] }), '%1').missing).toEqual([
      'pane %1: its program is not started again, because it ended with status 0 before the session went',
    ]);
  });
});
