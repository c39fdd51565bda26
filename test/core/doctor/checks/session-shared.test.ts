import { describe, expect, it } from 'vitest';
import { duplicates } from '../../../../src/core/doctor/checks/session-duplicates.ts';
import { groupedSessions } from '../../../../src/core/doctor/checks/session-grouped.ts';
import type { SessionEntry } from '../../../../src/core/sight/roll.ts';
import type { Evidence, ProcessNote } from '../../../../src/core/verdict/evidence.ts';
import { agent, git, named, processes, shell } from '../../../support/evidence.ts';
import { classes, doctorFacts, entry, found, keyOf, NOT_MANAGED, paneEntry, SERVER } from './doctor-facts.ts';

const all = (...sessions: SessionEntry[]) => doctorFacts({ sessions });

/** A session with one agent in the pane of the same number. */
function seat(
  number: number,
  cwd: string | null,
  extra: Evidence[] = [],
  notes: ProcessNote[] = [shell(), agent()],
) {
  const paneId = `%${number}`;
  return entry({
    key: keyOf(number),
    name: `s${number}`,
    panes: [paneEntry({ paneId, cwd })],
    evidence: [processes(notes, { paneId }), ...extra.map((piece) => ({ ...piece, paneId }) as Evidence)],
  });
}

describe('duplicates', () => {
  it('are two agents on one conversation, told once', () => {
    const [finding, ...others] = found(duplicates, all(seat(1, '/a', [named()]), seat(2, '/a', [named()])));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ class: 'one-conversation', severity: 'warning', remedy: null });
    expect(finding?.text).toBe('2 agents share the conversation claude c-1: s1 (main), s2 (main)');
    expect(finding?.evidence).toEqual(['s1 (main) %1: claude, pid 300', 's2 (main) %2: claude, pid 300']);
  });

  it('are two agents in one folder', () => {
    const facts = all(seat(1, '/a', [named()]), seat(2, '/a', [named({ conversation: 'c-2' })]));
    expect(found(duplicates, facts)[0]).toMatchObject({
      class: 'one-work-tree',
      severity: 'info',
      remedy: null,
    });
  });

  it('are two agents below one root of a work tree', () => {
    const facts = all(seat(1, '/project/a', [git()]), seat(2, '/project/b', [git()]));
    expect(classes(duplicates, facts)).toEqual(['one-work-tree']);
  });

  it.each<[string, SessionEntry[]]>([
    ['agents in folders of their own', [seat(1, '/a'), seat(2, '/b')]],
    ['an agent beside a plain shell', [seat(1, '/a'), seat(2, '/a', [], [shell()])]],
    ['conversations that are not known', [seat(1, '/a', [named()]), seat(2, '/b', [])]],
    ['folders that are not known', [seat(1, null), seat(2, null)]],
    [
      'the same id of another kind of agent',
      [seat(1, '/a', [named()]), seat(2, '/b', [named({ agentKind: 'codex' })])],
    ],
    ['an agent that left the tree', [seat(1, '/a'), seat(2, '/a', [], [agent({ relation: 'outside' })])]],
    [
      'a folder that is no repository',
      [seat(1, '/a', [{ ...git(), facts: { state: 'none', cwd: '/a', observedAt: 1 } }]), seat(2, '/b')],
    ],
    [
      'S51: one pane that two grouped sessions show',
      [seat(1, '/a', [named()]), { ...seat(1, '/a', [named()]), key: keyOf(2), name: 'view' }],
    ],
  ])('are not %s', (_title, sessions) => {
    expect(classes(duplicates, all(...sessions))).toEqual([]);
  });

  it('S5: are also found across servers, where pane ids repeat', () => {
    const other = { ...seat(1, '/a', [named()]), key: 'k', server: { ...SERVER, pid: 43, version: '3.3a' } };
    const servers = [42, 43].map((pid) => ({ ...SERVER, pid, version: '3.8' }));
    const facts = doctorFacts({ sessions: [seat(1, '/a', [named()]), other], servers });
    expect(classes(duplicates, facts)).toEqual(['one-conversation']);
  });
});

describe('S51: grouped sessions', () => {
  const showing = (number: number, paneIds: string[], over: Partial<SessionEntry> = {}) =>
    entry({
      ...{ key: keyOf(number), name: `s${number}` },
      panes: paneIds.map((paneId) => paneEntry({ paneId })),
      ...over,
    });

  it('are found where they show the same panes', () => {
    const [finding] = found(groupedSessions, all(showing(1, ['%1', '%2']), showing(2, ['%1', '%2'])));
    expect(finding).toMatchObject({ class: 'shared-windows', severity: 'warning', remedy: null });
    expect(finding?.text).toBe(
      's1 (main), s2 (main) share 2 panes: closing one of them leaves these to the others',
    );
  });

  it('are one group where a window is linked on and on', () => {
    const facts = all(showing(1, ['%1']), showing(2, ['%1', '%2']), showing(3, ['%2']), showing(4, ['%4']));
    expect(found(groupedSessions, facts).map(({ text }) => text)).toEqual([
      's1 (main), s2 (main), s3 (main) share 2 panes: closing one of them leaves these to the others',
    ]);
  });

  it('are only told where none is under care', () => {
    const facts = all(
      showing(1, ['%1'], { protections: NOT_MANAGED }),
      showing(2, ['%1'], { protections: NOT_MANAGED }),
    );
    expect(found(groupedSessions, facts)[0]).toMatchObject({ severity: 'info' });
    expect(found(groupedSessions, facts)[0]?.text).toContain('share 1 pane:');
  });

  it('are not sessions with windows of their own, nor the same pane id on two servers', () => {
    const other = showing(2, ['%1'], { server: { ...SERVER, pid: 43, version: '3.3a' } });
    const servers = [42, 43].map((pid) => ({ ...SERVER, pid, version: '3.8' }));
    expect(classes(groupedSessions, all(showing(1, ['%1']), showing(2, ['%2'])))).toEqual([]);
    expect(classes(groupedSessions, doctorFacts({ sessions: [showing(1, ['%1']), other], servers }))).toEqual(
      [],
    );
  });
});
