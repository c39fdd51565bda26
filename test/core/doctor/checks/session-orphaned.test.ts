import { describe, expect, it } from 'vitest';
import { orphanedSessions } from '../../../../src/core/doctor/checks/session-orphaned.ts';
import { namedFolders } from '../../../../src/core/doctor/session-life.ts';
import type { CareSightings } from '../../../../src/core/doctor/sightings.ts';
import type { SessionEntry } from '../../../../src/core/sight/roll.ts';
import { NOW, standing } from '../../../support/evidence.ts';
import {
  classes,
  doctorFacts,
  entry,
  found,
  keyOf,
  NOT_MANAGED,
  paneEntry,
  process,
  table,
} from './doctor-facts.ts';

const missing = (...paths: string[]): Partial<CareSightings> => ({ missingFolders: new Set(paths) });
const pattern = (owner: string | null): Partial<CareSightings> => ({
  orphanPattern: (name) => (name.startsWith('gt-') ? { pattern: 'gt-*', owner } : undefined),
});
const on = (over: Partial<SessionEntry>, rest: Parameters<typeof doctorFacts>[0] = {}) =>
  doctorFacts({ sessions: [entry(over)], ...rest });

describe('a session is orphaned', () => {
  it.each<[string, string, ReturnType<typeof on>]>([
    ['when the process that owns it is gone', 'owner-gone', on({ owner: 'pid:300.9' })],
    [
      'when another process has the number of its owner',
      'owner-gone',
      on({ owner: 'pid:300.9' }, { table: table([process({ pid: 300, startTicks: 10 })]) }),
    ],
    ['when nobody has the number of its owner', 'owner-gone', on({ owner: 'pid:300' })],
    ['when the session that owns it is gone', 'owner-gone', on({ owner: keyOf(9) })],
    [
      'when the server of its owner answers without it, whoever recorded that or nobody',
      'owner-gone',
      on({ owner: keyOf(9) }, { host: { pidNamespace: '1' }, ledger: { failed: 'no ledger' } }),
    ],
    [
      'when the session that owns it went with an earlier boot',
      'owner-gone',
      on({ owner: 'machine0.earlier0.1.1.s1.5' }),
    ],
    ['when the server of its owner has ended', 'owner-gone', on({ owner: 'machine0.boot0000.77.7.s1.5' })],
    [
      'when the folder that owns it is gone',
      'owner-gone',
      on({ owner: '/crew/joe' }, { care: missing('/crew/joe') }),
    ],
    ['when the file of its task is gone', 'task-gone', on({ task: '/t/1.md' }, { care: missing('/t/1.md') })],
    [
      'when its work tree is gone',
      'project-gone',
      on({ evidence: [standing({ claims: { worktree: '/wt' } })] }, { care: missing('/wt') }),
    ],
    [
      'when the folder of each of its panes is gone',
      'project-gone',
      on(
        { panes: [paneEntry({ cwd: '/a (deleted)' }), paneEntry({ paneId: '%2', cwd: '/b' })] },
        { care: missing('/a (deleted)', '/b') },
      ),
    ],
    [
      'when a pattern says whose it is, and that one is gone',
      'owner-gone',
      on({ name: 'gt-a' }, { care: { ...pattern('/rig'), ...missing('/rig') } }),
    ],
    [
      'when a pattern says that it is somebody’s, and it names nobody',
      'nobody-owns',
      on({ name: 'gt-a' }, { care: pattern(null) }),
    ],
  ])('%s', (_title, kind, facts) => {
    expect(classes(orphanedSessions, facts)).toEqual([kind]);
  });

  it('S32: the session that owns it is lost, as the roll has it', () => {
    const owner = entry({ key: keyOf(2), name: 'boss', lifecycle: 'lost' });
    const facts = doctorFacts({ sessions: [owner, entry({ owner: owner.key })] });
    expect(classes(orphanedSessions, facts)).toEqual(['owner-gone']);
  });
});

describe('a session is not orphaned', () => {
  const alive = table([process({ pid: 300, startTicks: 9 })]);
  it.each<[string, ReturnType<typeof on>]>([
    ['by a hyphen in its name', on({ name: 'my-notes-crew' })],
    ['when nothing says whose it is', on({})],
    ['while its owner lives', on({ owner: 'pid:300.9' }, { table: alive })],
    [
      'when its owner lives, although its folder is gone',
      on({ owner: 'pid:300.9' }, { table: alive, care: missing('/project') }),
    ],
    ['when some process has the number of its owner', on({ owner: 'pid:300' }, { table: alive })],
    ['S34: when processes are hidden', on({ owner: 'pid:300' }, { table: table([], false) })],
    [
      'S34: when processes are hidden and the owner has a start mark',
      on({ owner: 'pid:300.9' }, { table: table([], false) }),
    ],
    ['when its owner is a person', on({ owner: 'alice' })],
    [
      'S34: when its owner may be in another container',
      on({ owner: 'machine0.boot0000.77.7.s1.5' }, { host: { pidNamespace: '1' } }),
    ],
    ['when its owner is a session on another machine', on({ owner: 'elsewher.boot0000.1.1.s1.5' })],
    ['when its owner is a session that began a moment ago', on({ owner: keyOf(9, NOW.at / 1000 - 2) })],
    [
      'S32: when the server of its owner is silent',
      on({ owner: 'machine0.boot0000.77.7.s1.5' }, { table: table([process({ pid: 77, startTicks: 7 })]) }),
    ],
    [
      'when its owner is a session that lives',
      doctorFacts({ sessions: [entry({ key: keyOf(2), owner: keyOf(1) }), entry()] }),
    ],
    ['while the folder that owns it is there', on({ owner: '/crew/joe' })],
    [
      'while its work tree is there, whatever its panes have',
      on({ evidence: [standing({ claims: { worktree: '/wt' } })] }, { care: missing('/project') }),
    ],
    [
      'when one of its panes has a folder',
      on({ panes: [paneEntry(), paneEntry({ cwd: '/b' })] }, { care: missing('/b') }),
    ],
    ['when nobody knows the folder of a pane', on({ panes: [paneEntry({ cwd: null })] })],
    ['without panes', on({ panes: [] })],
    ['when a pattern’s owner is there', on({ name: 'gt-a' }, { care: pattern('/rig') })],
    [
      'when it names an owner that cannot be looked for',
      on({ name: 'gt-a', owner: 'alice' }, { care: pattern(null) }),
    ],
    ['S32: on a server that did not answer', on({ owner: 'pid:300.9' }, { servers: [] })],
    ['when it is lost itself', on({ owner: 'pid:300.9', lifecycle: 'lost' })],
    ...['human-managed', 'held', 'own-session', 'attached'].map((code): [string, ReturnType<typeof on>] => [
      `when it is ${code}`,
      on({ owner: 'pid:300.9', protections: [{ code, text: '' }] }),
    ]),
  ])('%s', (_title, facts) => {
    expect(classes(orphanedSessions, facts)).toEqual([]);
  });
});

describe('closing an orphan', () => {
  const remedyOf = (over: Partial<SessionEntry>) =>
    found(orphanedSessions, on({ owner: 'pid:300.9', ...over }))[0]?.remedy;

  it('is offered only for one that is safe to close', () => {
    expect(remedyOf({})).toEqual({ kind: 'close-session', key: keyOf(1) });
    expect(remedyOf({ lifecycle: 'stale' })).toBeNull();
  });

  it('S45: is not offered for one that rollcall neither started nor adopted', () => {
    expect(remedyOf({ protections: NOT_MANAGED })).toBeNull();
  });

  it('is no longer offered when its owner is back', () => {
    const wanted = found(orphanedSessions, on({ owner: '/crew' }, { care: missing('/crew') }));
    expect(wanted).toHaveLength(1);
    expect(found(orphanedSessions, on({ owner: '/crew' }))).toEqual([]);
  });

  it('tells what it holds, and why it is what it is', () => {
    const [finding] = found(
      orphanedSessions,
      on({ owner: 'pid:300.9', memoryBytes: 5, reasons: [], protections: NOT_MANAGED }),
    );
    expect(finding).toMatchObject({ session: keyOf(1), memoryBytes: 5, severity: 'warning' });
    expect(finding?.evidence).toEqual([
      'safe-to-close: ',
      expect.stringContaining('protected (not-managed)'),
    ]);
  });
});

it('names every folder that has to be looked for, and nothing else', () => {
  const sessions = [
    entry({
      name: 'gt-a',
      owner: '/owner',
      task: 'fix it',
      evidence: [standing({ claims: { worktree: '/wt' } })],
    }),
    entry({ owner: 'pid:1.2', task: '/task', panes: [paneEntry({ cwd: null })] }),
  ];
  const orphanPattern: CareSightings['orphanPattern'] = (name) =>
    name === 'gt-a' ? { pattern: 'gt-*', owner: '/rig' } : undefined;
  expect([...namedFolders({ sessions }, { orphanPattern })].sort()).toEqual([
    '/owner',
    '/project',
    '/rig',
    '/task',
    '/wt',
  ]);
});
