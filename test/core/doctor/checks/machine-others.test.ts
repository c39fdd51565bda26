import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { agentVersions } from '../../../../src/core/doctor/checks/machine-agent-versions.ts';
import { hooks } from '../../../../src/core/doctor/checks/machine-hooks.ts';
import { locks } from '../../../../src/core/doctor/checks/machine-locks.ts';
import { pressureSignals } from '../../../../src/core/doctor/checks/machine-pressure-signals.ts';
import type { HookSighting, InstalledAgent } from '../../../../src/core/doctor/sightings.ts';
import type { LockHolder } from '../../../../src/core/lock/holder.ts';
import type { HoldingProcess, LockSighting } from '../../../../src/core/lock/sighting.ts';
import type { Reading } from '../../../../src/core/pressure/reading.ts';
import { HOUR, NOW, named, people } from '../../../support/evidence.ts';
import { classes, doctorFacts, entry, found, HOST, process, table } from './doctor-facts.ts';

describe('locks', () => {
  const by = (part: HoldingProcess['part'], pid = 500): HoldingProcess => ({
    ...{ pid, startedAt: 0, program: 'rollcall', argv: [], part },
  });
  const holder = (over: Partial<LockHolder> = {}): LockHolder => ({
    ...{ pid: 500, startTicks: 5, bootId: HOST.bootId, since: NOW.at - 1000, task: 'close', argv: [] },
    ...{ name: 'writer', project: null, runner: null, ...over },
  });
  const lock = (over: Partial<LockSighting> = {}): LockSighting => ({
    ...{ name: 'writer', project: null, file: '/state/locks/w', state: 'held', holderLife: 'alive' },
    ...{ holder: holder(), heldBy: [by('taker')], ...over },
  });
  const on = (one: LockSighting, state = 'S') =>
    doctorFacts({
      machine: { locks: { state: 'seen', locks: [one] } },
      table: table([process({ pid: 500, state })]),
    });

  it.each<[string, string, ReturnType<typeof on>]>([
    ['stopped-holder', 'error', on(lock(), 'T')],
    ['left-behind', 'warning', on(lock({ heldBy: [by('descendant', 501), by('descendant', 502)] }))],
    ['stuck-writer', 'error', on(lock({ holder: holder({ since: NOW.at - HOUR }) }))],
    ['held', 'ok', on(lock())],
    ['held', 'ok', on(lock({ name: 'runner', project: '/p', holder: holder({ since: 0, task: null }) }))],
    ['held', 'ok', on(lock({ holder: null, heldBy: null }))],
  ])('S52: tells of one that is %s', (kind, severity, facts) => {
    expect(found(locks, facts)).toMatchObject([{ class: kind, severity, remedy: null }]);
  });

  it('names the holders, and what to do', () => {
    expect(
      found(locks, on(lock({ heldBy: [by('descendant', 501), by('descendant', 502)] })))[0],
    ).toMatchObject({
      text: "the lock 'writer' is kept by what its runner left behind: pid 501 502",
      advice: ['look at it: ps -fp 501,502', 'end it: kill 501 502'],
      evidence: [
        'pid 501, rollcall (descendant)',
        'pid 502, rollcall (descendant)',
        'for: close',
        '/state/locks/w',
      ],
    });
  });

  it('says nothing of those that are free, nor of its own', () => {
    expect(classes(locks, on(lock({ state: 'free' })))).toEqual([]);
    expect(classes(locks, on(lock({ heldBy: [by('self')] })))).toEqual([]);
  });

  it('cannot tell where locks do not hold', () => {
    const failed = { state: 'failed', text: 'NFS', hint: 'elsewhere' } as const;
    expect(reportOf(locks, doctorFacts({ machine: { locks: failed } })).problem).toBe('NFS; elsewhere');
  });
});

describe('hooks', () => {
  const on = (over: Partial<HookSighting>) =>
    doctorFacts({
      machine: {
        hooks: [
          {
            ...{ agent: 'claude', scope: 'user', file: '/home/me/.claude/settings.json', state: 'installed' },
            ...{ missing: [], isSwitchedOff: false, review: null, notes: [], kept: [], oldBackups: [] },
            ...over,
          } as HookSighting,
        ],
      },
    });

  it.each<[string, string, Partial<HookSighting>]>([
    ['script-missing', 'error', { state: 'script-missing', notes: ['/gone'] }],
    ['partly', 'warning', { state: 'partly', missing: ['Stop'] }],
    ['outdated', 'warning', { state: 'outdated' }],
    ['unreadable', 'warning', { state: 'unreadable' }],
    ['not-installed', 'info', { state: 'not-installed' }],
    ['switched-off', 'warning', { isSwitchedOff: true }],
    ['not-reviewed', 'warning', { agent: 'codex', review: 'changed' }],
    ['outdated', 'warning', { state: 'outdated', scope: 'project' }],
    ['kept', 'warning', { kept: ['/state/kept'] }],
    ['old-backups', 'warning', { oldBackups: ['/home/me/.claude/settings.json.rollcall-backup-x'] }],
  ])('S53: finds %s hooks', (kind, severity, over) => {
    expect(found(hooks, on(over))).toMatchObject([{ class: kind, severity, remedy: null }]);
  });

  it('names the repository’s own, and how they are installed', () => {
    expect(found(hooks, on({ state: 'outdated', scope: 'project' }))[0]).toMatchObject({
      text: 'hooks of claude in this project: they are of another version',
      advice: ['rollcall hooks install claude --project'],
    });
  });

  it.each<Partial<HookSighting>>([{}, { review: 'reviewed' }, { state: 'not-installed', scope: 'project' }])(
    'finds nothing wrong with %j',
    (over) => {
      expect(classes(hooks, on(over))).toEqual([]);
    },
  );
});

describe('agent-versions', () => {
  const gap = { code: 'version-unverified', text: 'verified are 2.0 to 2.1' };
  const installed = (over: Partial<InstalledAgent>): InstalledAgent => ({
    ...{ kind: 'codex', path: '/bin/codex', version: '9.9', isVerified: false },
    ...{ verified: { from: '0.1', to: '0.2' }, ...over },
  });

  it('finds agents that run and were never verified, each version once', () => {
    const evidence = [
      named({ gaps: [gap], agentVersion: '9.9' }),
      named({ gaps: [gap], agentVersion: '9.9', agentPid: 301 }),
    ];
    const { agentVersion: _, ...nameless } = named({ gaps: [gap] });
    const facts = doctorFacts({ sessions: [entry({ evidence: [...evidence, nameless] })] });
    expect(found(agentVersions, facts).map(({ text }) => text)).toEqual([
      'claude 9.9 runs (2 processes) and was never verified',
      'claude of unknown version runs (1 process) and was never verified',
    ]);
  });

  it('finds agents on the disk that were never verified', () => {
    const facts = doctorFacts({ machine: { installed: [installed({}), installed({ version: null })] } });
    expect(found(agentVersions, facts).map(({ text }) => text)).toEqual([
      'codex 9.9 is installed; verified are 0.1 to 0.2',
      'codex of unknown version is installed; verified are 0.1 to 0.2',
    ]);
  });

  it('finds nothing where all were verified, or where there is nothing to verify', () => {
    const known = [installed({ isVerified: true }), installed({ verified: null })];
    const sessions = [entry({ evidence: [named(), people()] })];
    expect(classes(agentVersions, doctorFacts({ sessions, machine: { installed: known } }))).toEqual([]);
    expect(classes(agentVersions, doctorFacts({ machine: { installed: null } }))).toEqual([]);
  });
});

describe('pressure-signals', () => {
  const reading = (signal: Reading['signal'], state: Reading['state'], scope = 'host'): Reading =>
    ({
      ...{ signal, scope, state, holders: [], source: `/proc/${signal}`, observedAt: NOW.at },
      ...(state === 'read' ? { value: 1 } : { text: 'there is no such file' }),
    }) as Reading;
  const on = (...readings: Reading[]) => doctorFacts({ machine: { readings } });

  it('finds a kernel without PSI', () => {
    const facts = on(
      reading('available', 'read'),
      reading('stall-some', 'absent'),
      reading('stall-full', 'absent'),
    );
    expect(found(pressureSignals, facts)).toMatchObject([
      {
        ...{ class: 'no-stalls', severity: 'info' },
        evidence: ['/proc/stall-some: there is no such file', '/proc/stall-full: there is no such file'],
      },
    ]);
  });

  it('S38: finds that nothing tells; swap alone is no signal', () => {
    expect(found(pressureSignals, on(reading('swap', 'read'), reading('available', 'failed')))).toMatchObject(
      [{ class: 'no-signal', severity: 'warning', evidence: ['/proc/available: there is no such file'] }],
    );
  });

  it('finds readings that failed', () => {
    const facts = on(reading('stall-some', 'read'), reading('oom', 'failed', '/some.slice'));
    expect(classes(pressureSignals, facts)).toEqual(['signal-failed']);
  });

  it('finds nothing where stalls, or the system itself, tell', () => {
    expect(classes(pressureSignals, on(reading('stall-some', 'read'), reading('available', 'read')))).toEqual(
      [],
    );
    expect(classes(pressureSignals, on(reading('os-level', 'read')))).toEqual([]);
  });
});
