import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { clock } from '../../../../src/core/doctor/checks/machine-clock.ts';
import { daemon } from '../../../../src/core/doctor/checks/machine-daemon.ts';
import { diskSpace } from '../../../../src/core/doctor/checks/machine-disk-space.ts';
import { ledgerCheck } from '../../../../src/core/doctor/checks/machine-ledger.ts';
import { spoolLeftovers } from '../../../../src/core/doctor/checks/machine-spool-leftovers.ts';
import { stateFolder } from '../../../../src/core/doctor/checks/machine-state-folder.ts';
import type {
  DaemonFound,
  DiskSighting,
  FolderSighting,
  LedgerSighting,
  OwnFileSighting,
} from '../../../../src/core/doctor/sightings.ts';
import type { Recollection } from '../../../../src/core/memory/recollection.ts';
import { DAY, HOUR, MINUTE, NOW } from '../../../support/evidence.ts';
import { classes, doctorFacts, found, HOST, process, table } from './doctor-facts.ts';

const MIB = 2 ** 20;

const file = (over: Partial<OwnFileSighting> = {}): OwnFileSighting => ({
  ...{ path: '/state/spool/1', kind: 'file', mode: 0o600, isOwn: true },
  ...{ modifiedAt: NOW.at - MINUTE, sizeBytes: 10, mark: '1.2.3' },
  ...over,
});
const folder = (entries: OwnFileSighting[], isCut = false): FolderSighting => ({
  ...{ state: 'read', path: '/state', entries, isCut },
});
const refused: FolderSighting = { state: 'refused', path: '/state', text: 'no', hint: 'look' };

describe('state-folder', () => {
  const on = (seen: FolderSighting) => doctorFacts({ machine: { stateFolder: seen } });

  it('S55: finds what other users can reach, and takes their rights away', () => {
    const [finding] = found(stateFolder, on(folder([file({ mode: 0o644, mark: 'm' })])));
    expect(finding).toMatchObject({
      ...{ class: 'too-wide', severity: 'warning', evidence: ['rights 644'] },
      remedy: { kind: 'own-file', path: '/state/spool/1', what: 'make-private', mark: 'm' },
    });
  });

  it.each<[string, Partial<OwnFileSighting>]>([
    ['foreign', { isOwn: false, mode: 0o644 }],
    ['not-plain', { kind: 'link', mode: 0o777 }],
    ['not-plain', { kind: 'other', mode: 0o777 }],
  ])('finds what is %s, and offers nothing', (kind, over) => {
    expect(found(stateFolder, on(folder([file(over)])))).toMatchObject([{ class: kind, remedy: null }]);
  });

  it('says where it did not look at everything', () => {
    expect(classes(stateFolder, on(folder([file()], true)))).toEqual(['not-all-seen']);
  });

  it('finds nothing where all is private, or where there is nothing', () => {
    const entries = [file({ kind: 'folder', mode: 0o700 }), file(), file({ kind: 'socket', mode: 0o600 })];
    expect(classes(stateFolder, on(folder(entries)))).toEqual([]);
    expect(classes(stateFolder, on({ state: 'absent', path: '/state' }))).toEqual([]);
  });

  it('cannot look into a folder that is refused', () => {
    expect(reportOf(stateFolder, on(refused)).problem).toBe('no; look');
  });

  it('offers another remedy once another file lies there', () => {
    const remedies = ['a', 'b'].map(
      (mark) => found(stateFolder, on(folder([file({ mode: 0o604, mark })])))[0]?.remedy,
    );
    expect(remedies[0]).not.toEqual(remedies[1]);
  });
});

describe('spool-leftovers', () => {
  const on = (seen: FolderSighting) => doctorFacts({ machine: { spool: seen } });
  const aged = (ageMs: number, path = '/state/spool/1') =>
    folder([file({ path, modifiedAt: NOW.at - ageMs })]);

  it('finds files that no hook will finish', () => {
    expect(found(spoolLeftovers, on(aged(25 * HOUR, '/state/spool/.tmp')))[0]).toMatchObject({
      ...{ class: 'unfinished', severity: 'info' },
      remedy: { kind: 'own-file', path: '/state/spool/.tmp', what: 'remove', mark: '1.2.3' },
    });
  });

  it('removes no event, however old: it may be the only word of a timer', () => {
    expect(found(spoolLeftovers, on(aged(8 * DAY)))).toMatchObject([{ class: 'old-event', remedy: null }]);
  });

  it.each<[string, Partial<OwnFileSighting>]>([
    ['a folder', { kind: 'folder' }],
    ['a link', { kind: 'link' }],
    ['another user’s', { isOwn: false }],
  ])('finds %s in it, however old, and offers nothing', (_title, over) => {
    const entries = [file({ modifiedAt: 0, ...over })];
    expect(found(spoolLeftovers, on(folder(entries)))).toMatchObject([{ class: 'no-event', remedy: null }]);
  });

  it('finds that nobody takes any', () => {
    const entries = Array.from({ length: 1000 }, () => file());
    expect(classes(spoolLeftovers, on(folder(entries)))).toEqual(['piled-up']);
  });

  it('S26: leaves alone what is young, or from a clock that went back', () => {
    for (const ageMs of [0, 6 * DAY, -DAY]) expect(classes(spoolLeftovers, on(aged(ageMs)))).toEqual([]);
    expect(classes(spoolLeftovers, on(aged(HOUR, '/state/spool/.tmp')))).toEqual([]);
    expect(classes(spoolLeftovers, on({ state: 'absent', path: '/state/spool' }))).toEqual([]);
  });

  it('offers nothing any more for a file that was written to since', () => {
    const wanted = found(spoolLeftovers, on(aged(8 * DAY, '/state/spool/.tmp')))[0]?.remedy;
    expect([wanted?.kind, classes(spoolLeftovers, on(aged(0)))]).toEqual(['own-file', []]);
  });

  it('cannot look into a spool that is refused', () => {
    expect(reportOf(spoolLeftovers, on(refused)).problem).toBe('no; look');
  });
});

describe('disk-space', () => {
  const on = (over: object) =>
    doctorFacts({
      machine: {
        disk: {
          ...{ state: 'read', path: '/state', totalBytes: 2 ** 40, availableBytes: 2 ** 39 },
          ...{ totalFiles: 1e6, freeFiles: 5e5, ...over },
        } as DiskSighting,
      },
    });

  it.each<[string, string, object]>([
    ['full', 'error', { availableBytes: 15 * MIB }],
    ['scarce', 'warning', { availableBytes: 200 * MIB }],
    ['few-files', 'warning', { freeFiles: 9 }],
    ['few-files', 'error', { freeFiles: 0 }],
  ])('S36: finds %s as %s', (kind, severity, over) => {
    expect(found(diskSpace, on(over))).toMatchObject([{ class: kind, severity, remedy: null }]);
  });

  it('finds nothing with room to spare, also where files are not counted', () => {
    expect(classes(diskSpace, on({}))).toEqual([]);
    expect(classes(diskSpace, on({ totalFiles: 0, freeFiles: 0 }))).toEqual([]);
  });

  it('cannot tell where the file system does not', () => {
    expect(reportOf(diskSpace, on({ state: 'failed', text: 'gone' })).problem).toBe('/state: gone');
  });
});

describe('ledger', () => {
  const on = (over: Partial<LedgerSighting>) =>
    doctorFacts({ machine: { ledger: { ...doctorFacts().machine.ledger, ...over } as LedgerSighting } });

  it('S36: finds damage', () => {
    const damage = { reason: 'changed', sequence: 3, text: 'entry 3 was changed' } as const;
    expect(found(ledgerCheck, on({ damage, head: { sequence: 2, hash: 'h' } }))[0]).toMatchObject({
      ...{
        class: 'changed',
        severity: 'error',
        remedy: null,
        text: 'the ledger is damaged: entry 3 was changed',
      },
      evidence: ['it holds up to entry 2, and not from entry 3 on', '/state/ledger.db'],
    });
  });

  it('finds nothing in a whole one', () => {
    expect(classes(ledgerCheck, on({}))).toEqual([]);
  });

  it('cannot check one that cannot be opened', () => {
    expect(reportOf(ledgerCheck, on({ state: 'failed', text: 'locked', hint: 'wait' })).problem).toBe(
      'locked; wait',
    );
  });
});

describe('clock', () => {
  const remembered = (over: Partial<Recollection>): Recollection => ({
    ...{ format: 1, bootId: HOST.bootId, at: NOW.at - HOUR, awakeMs: NOW.awakeMs - HOUR, suspendedMs: 0 },
    ...{ steppedMs: 0, servers: {}, farewells: [], ...over },
  });

  it.each([Date.UTC(1970, 0, 2), Date.UTC(2200, 0, 1)])('finds a year that cannot be (%s)', (at) => {
    expect(found(clock, doctorFacts({ now: { at } }))[0]).toMatchObject({
      class: 'wrong-year',
      severity: 'error',
    });
  });

  it('S26: finds that it went back behind the ledger', () => {
    const ledger = { ...doctorFacts().machine.ledger, lastAt: NOW.at + HOUR } as LedgerSighting;
    expect(classes(clock, doctorFacts({ machine: { ledger } }))).toEqual(['went-back']);
  });

  it.each<[string, Partial<Recollection>]>([
    ['between two looks', { at: NOW.at - 2 * HOUR }],
    ['backwards', { at: NOW.at }],
    ['before', { steppedMs: MINUTE }],
  ])('S26: finds that it was stepped %s', (_title, over) => {
    expect(found(clock, doctorFacts({ recollection: remembered(over) }))).toMatchObject([
      { class: 'stepped', severity: 'info' },
    ]);
  });

  it('S26: tells what was slept through, and that is no fault', () => {
    const now = { suspendedMs: 8 * HOUR };
    expect(found(clock, doctorFacts({ now }))).toMatchObject([{ class: 'suspended', severity: 'ok' }]);
  });

  it('finds nothing in a clock that runs', () => {
    const failed: LedgerSighting = { state: 'failed', text: '', hint: '' };
    const facts = doctorFacts({ recollection: remembered({}), machine: { ledger: failed } });
    expect(classes(clock, facts)).toEqual([]);
    expect(classes(clock, doctorFacts())).toEqual([]);
  });
});

describe('daemon', () => {
  const note = (over: object = {}): DaemonFound =>
    ({
      ...{ state: 'read', path: '/state/daemon.json', pid: 500, startTicks: 50, bootId: HOST.bootId },
      ...{ startedAt: NOW.at - DAY, problems: [], lastRoundAt: NOW.at - 1000, ...over },
    }) as DaemonFound;
  const runs = (over: object = {}) => table([process({ pid: 500, startTicks: 50, ...over })]);
  const on = (seen: DaemonFound, processes = runs(), rest: Parameters<typeof doctorFacts>[0] = {}) =>
    doctorFacts({ machine: { daemon: seen }, table: processes, ...rest });

  it.each<[string, string, ReturnType<typeof on>]>([
    ['gone', 'warning', on(note(), table())],
    ['gone', 'warning', on(note({ bootId: 'earlier' }))],
    ['gone', 'warning', on(note(), runs({ startTicks: 51 }))],
    ['stopped', 'error', on(note(), runs({ state: 'T' }))],
    ['silent', 'error', on(note({ lastRoundAt: NOW.at - HOUR }))],
    ['does-without', 'info', on(note({ problems: ['the port is taken'] }))],
    ['unreadable', 'warning', on({ state: 'unreadable', path: '/state/daemon.json', text: 'half' })],
  ])('finds that it is %s', (kind, severity, facts) => {
    expect(found(daemon, facts)).toMatchObject([{ class: kind, severity, remedy: null }]);
  });

  it.each<[string, ReturnType<typeof on>]>([
    ['there is none', on({ state: 'none' })],
    ['it takes rounds', on(note())],
    ['it has not told of any yet', on(note({ lastRoundAt: null }))],
    ['S34: processes are hidden', on(note(), table([], false))],
    ['S34: it runs in another container', on(note({ pidNamespace: '2' }), table())],
    [
      'S26: the machine slept meanwhile',
      on(note({ lastRoundAt: NOW.at - HOUR }), runs(), { now: { suspendedMs: HOUR } }),
    ],
  ])('finds nothing where %s', (_title, facts) => {
    expect(classes(daemon, facts)).toEqual([]);
  });
});
