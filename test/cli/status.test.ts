import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/cli/render/width.ts';
import type { Settings } from '../../src/config/settings.ts';
import { statusDocumentSchema } from '../../src/contract/status-schema.ts';
import { foldFacts, UNFOLDED } from '../../src/core/ledger/current-facts.ts';
import { LedgerError } from '../../src/core/ledger/ledger-error.ts';
import type { PressureMemory } from '../../src/core/pressure/memory.ts';
import type { Reading } from '../../src/core/pressure/reading.ts';
import type { Due } from '../../src/core/settle/due.ts';
import type { StandingEvidence } from '../../src/core/verdict/evidence.ts';
import { createPressureLook } from '../../src/engine/pressure.ts';
import type { DaemonStanding } from '../../src/ports/daemon.ts';
import type { Ledger, LedgerReading } from '../../src/ports/ledger.ts';
import type { MemoryHolder } from '../../src/ports/pressure.ts';
import { available, counted, silent, stall, swap } from '../core/pressure/readings.ts';
import { fakeControl, run } from './fake-outside.ts';
import { withoutPaint } from './render/hostile.ts';
import { entry, NOW, roll } from './render/samples.ts';

const MIB = 1024 ** 2;
const at = { observedAt: NOW };
const group = { scope: 'cgroup v2 /user.slice/tmux.scope', holders: ['tmux server default (pid 812)'] };
const READINGS: Reading[] = [
  { ...stall('some', 12.4, 11, 2), ...at, source: '/proc/pressure/memory' },
  { ...silent('stall-full', 'absent'), ...at, source: '/proc/pressure/memory' },
  { ...available(8), ...at, source: '/proc/meminfo' },
  { ...swap(2), ...at, source: '/proc/meminfo' },
  { ...available(0.1), ...at, ...group, source: '/sys/fs/cgroup/user.slice/tmux.scope' },
  { ...counted(0), ...at, ...group, source: '/sys/fs/cgroup/user.slice/tmux.scope/memory.events.local' },
];

const ledgerEntry = {
  ...{ sequence: 1, at: NOW - 180_000, host: 'm', bootId: 'b', actor: { kind: 'cli', pid: 1, user: 'ada' } },
  ...{ kind: 'intent' as const, action: 'close', session: { key: 'k', name: 'build' }, cause: null },
  ...{ body: {}, previous: '', hash: 'h' },
};

interface Scene {
  readonly readings?: readonly Reading[];
  readonly reading?: Partial<LedgerReading>;
  readonly memory?: PressureMemory | null;
  readonly asked?: MemoryHolder[];
  readonly problem?: string;
}

function parts({ readings = READINGS, reading = {}, memory = null, asked = [], problem }: Scene = {}) {
  const base: LedgerReading = { isEmpty: true, entries: [], head: { sequence: 0, hash: '' }, damage: null };
  const read = { ...base, ...reading };
  const whole = { ...read, head: { sequence: read.entries.length, hash: '' } };
  const ledger = {
    read: () => whole,
    facts: () => ({ ...whole, folded: foldFacts(UNFOLDED, whole.entries) }),
    close: () => {},
  } as unknown as Ledger;
  return {
    ledger: async () => ledger,
    pressure: async (config: () => Promise<Settings>) =>
      createPressureLook({
        sensor: {
          sense: (holders) => {
            asked.push(...holders);
            return readings;
          },
        },
        store: { load: () => ({ value: memory, ...(problem && { problem }) }), save: () => null },
        host: {
          identity: () => ({ machineId: 'm', bootId: 'b', name: 'workshop' }),
          now: () => ({ at: NOW, awakeMs: 500_000, suspendedMs: 0 }),
        },
        policy: (await config()).pressure,
      }),
  };
}

const ROLL = roll([
  entry('small', { memoryBytes: 3 * MIB }),
  entry('login-form', { memoryBytes: 700 * MIB }),
  entry('unknown-size', { memoryBytes: null }),
  ...['a', 'b', 'c', 'd'].map((name, index) => entry(name, { memoryBytes: (10 + index) * MIB })),
]);

describe('rollcall status', () => {
  it('shows the daemon, the pressure with every signal and its source, the largest sessions, the ledger', async () => {
    const { stdout, exitCode } = await run(['status'], { roll: ROLL, columns: 80, ...parts() });
    expect(stdout).toMatchInlineSnapshot(`
      "DAEMON
        no daemon runs; rollcall works without one (rollcall up starts it)

      MEMORY PRESSURE
        moderate  first look: nothing earlier to compare with
        some process waited for memory 12.4 % of the time; moderate is at or above
        10.0 % of the time; held for 1 min
        critical in 10 s if everything stays as it is
        host
          all waited    not there: it may not be read  /proc/pressure/memory
          some waited   12.4 % in 10s, 11.0 % in 1m, 2.0 % in 5m
                        moderate from 10.0 %, critical from 40.0 %
                        /proc/pressure/memory
          available     8.0 of 10.0 GiB
                        moderate below 1.5 GiB, critical below 614 MiB  /proc/meminfo
          swap left     2.0 of 8.0 GiB  shown only  /proc/meminfo
        cgroup v2 /user.slice/tmux.scope of tmux server default (pid 812)
          available     0.1 of 10.0 GiB
                        moderate below 1.5 GiB, critical below 614 MiB
                        /sys/fs/cgroup/user.slice/tmux.scope
          ran out       never
                        critical when it happens
                        /sys/fs/cgroup/user.slice/tmux.scope/memory.events.local

      MEMORY BY SESSION
        7 sessions, 749 MiB together
         700M  login-form  working, active
          13M  d  working, active
          12M  c  working, active
          11M  b  working, active
          10M  a  working, active

      LEDGER
        nothing has been recorded yet
      "
    `);
    expect(exitCode).toBe(0);
    for (const text of stdout.split('\n')) expect(displayWidth(text)).toBeLessThanOrEqual(80);
  });

  it('prints a document that fits its schema', async () => {
    const { stdout } = await run(['status', '--json'], { roll: ROLL, ...parts() });
    const document = v.parse(statusDocumentSchema, JSON.parse(stdout));
    expect(document.daemon).toEqual({
      ...{ running: false, pid: null, url: null, socket: null, tokenFile: null, since: null },
    });
    expect(document.pressure).toMatchObject({
      ...{ tier: 'moderate', isFirstLook: true, since: NOW },
      reason: {
        code: 'threshold-held',
        signal: 'stall-some host',
        value: 12.4,
        threshold: 10,
        heldMs: 60_000,
      },
      next: { tier: 'critical', inMs: 10_000, signal: 'available cgroup v2 /user.slice/tmux.scope' },
    });
    expect(document.pressure.signals).toHaveLength(READINGS.length);
    expect(document.pressure.signals[0]).toMatchObject({
      ...{ signal: 'stall-full', state: 'absent', text: 'it may not be read', value: null, reached: null },
    });
    expect(document.sessions.count).toBe(7);
    expect(document.sessions.largest.map(({ name }) => name)).toEqual(['login-form', 'd', 'c', 'b', 'a']);
    expect(document.ledger).toEqual({ entries: 0, last: null, openIntents: [], isDamaged: false });
  });

  describe('tells of what was declared complete', () => {
    const due = (name: string, state: Due['state'], dueAt: number | null, why: string): Due => ({
      ...{ key: entry(name).key, name, dueAt, why, state },
    });
    const DUE = [
      due('small', 'due', NOW, 'declared complete 3 s ago'),
      due('a', 'later', NOW + 480_000, 'declared complete 2 min ago'),
      due('b', 'failed', NOW + 60_000, 'it did not leave'),
      due('c', 'working', null, 'declared complete 1 h ago'),
      due('d', 'unproven', null, '2 uncommitted files'),
      due('login-form', 'protected', null, 'held for 1 h'),
      due('unknown-size', 'closing', null, 'its close began 1 s ago'),
      due('gone-since', 'due', NOW, 'complete'),
    ];
    const running = (settle: DaemonStanding['settle']) => async () =>
      fakeControl({
        ...{ state: 'running', pid: 7, since: NOW, note: null },
        standing: {
          ...{ format: 1, pid: 7, at: NOW, rounds: 1, sessions: 7, nextAt: NOW, roundMs: 1, roundCpuMs: 1 },
          ...{ missedHints: 0, tier: 'normal' },
          reaper: { mode: 'shadow', wanted: 'shadow', pending: null, breaker: null },
          ...(settle && { settle }),
        },
      });
    const seen = (settle: DaemonStanding['settle']) => ({
      ...{ roll: ROLL, ...parts() },
      daemonControl: running(settle),
    });

    it('2: what is due and when, by the word of the daemon that closes it', async () => {
      const { stdout } = await run(['status'], seen({ mode: 'on', servers: null, due: DUE }));
      expect(stdout).toContain(`COMPLETED, TO BE CLOSED
  the daemon closes them by itself when they are due, one at a time
  small  now: declared complete 3 s ago
  a  in 8 min: declared complete 2 min ago
  b  failed, again in 1 min: it did not leave
  c  after its turn: declared complete 1 h ago
  d  not proven: 2 uncommitted files
  login-form  protected: held for 1 h
  unknown-size  being closed: its close began 1 s ago

LEDGER`);
      const document = await run(['status', '--json'], seen({ mode: 'on', servers: null, due: DUE }));
      const { due: told, supervision } = v.parse(statusDocumentSchema, JSON.parse(document.stdout));
      expect(told).toEqual(DUE.slice(0, -1));
      expect(supervision?.settle).toBe('on');
    });

    it('2: and who closes it, where nobody does so by itself', async () => {
      const standing: StandingEvidence = {
        ...{ kind: 'standing', source: 'declared', observedAt: NOW, isOwnSession: false, isManaged: true },
        completion: { at: NOW, outcome: 'done', evidence: null, blockers: [] },
      };
      const complete = entry('done', {
        ...{ lifecycle: 'safe-to-close', evidence: [standing], protections: [] },
        reasons: [{ code: 'completed', source: 'declared', observedAt: NOW, text: 'declared complete' }],
      });
      const scene = { roll: roll([complete]), ...parts() };
      const alone = (await run(['status'], scene)).stdout;
      expect(alone).toContain('no daemon runs: nothing is closed by itself; rollcall close --due');
      expect(alone).toContain('  done  now: declared complete');
      const old = await run(['status'], { ...scene, daemonControl: running(undefined) });
      expect(old.stdout).toContain('daemon.settle is off');
      const due = [{ key: complete.key, name: 'done', dueAt: null, why: 'x', state: 'later' as const }];
      const shadow = { ...scene, daemonControl: running({ mode: 'shadow', servers: null, due }) };
      const { stdout } = await run(['status'], shadow);
      expect(stdout).toContain('daemon.settle is shadow: nothing is closed by itself');
      expect(stdout).toContain('  done  at some time: x');
    });
  });

  it('an event that has no duration keeps the document valid', async () => {
    const memory: PressureMemory = {
      ...{ format: 1, bootId: 'b', awakeMs: 499_000, tier: 'normal', sinceAt: NOW - 60_000 },
      ...{ changedAwakeMs: null, calmSinceAwakeMs: null },
      tracks: {
        'oom cgroup v2 /a': {
          ...{ readAwakeMs: 499_000, keeps: 'normal', since: { moderate: null, critical: null }, count: 1 },
        },
      },
    };
    const scene = parts({ readings: [counted(2)], memory });
    const { stdout } = await run(['status', '--json'], { roll: ROLL, ...scene });
    const { pressure } = v.parse(statusDocumentSchema, JSON.parse(stdout));
    expect(pressure).toMatchObject({ tier: 'critical', isFirstLook: false, since: NOW });
    expect(pressure.signals[0]?.heldMs).toEqual({ moderate: null, critical: null });
  });

  it('asks for the cgroups of every tmux server that answered, by its pid and start', async () => {
    const asked: MemoryHolder[] = [];
    const servers = [
      { socketPath: '/tmp/a', label: 'a', version: '3.4', pid: 5, startTicks: 9 },
      { socketPath: '/tmp/b', label: 'b', version: '3.4' },
    ];
    await run(['status'], { roll: roll([], { servers }), ...parts({ asked }) });
    expect(asked).toEqual([{ pid: 5, startTicks: 9, name: 'tmux server a (pid 5)' }]);
  });

  it('tells of the ledger: the last entry and what is under way', async () => {
    const reading = { isEmpty: false, entries: [ledgerEntry] };
    const { stdout } = await run(['status'], { roll: roll([]), ...parts({ reading }) });
    expect(stdout).toContain('1 entry, the last 3m ago (close build); 1 under way');
    expect(stdout).toContain('no sessions');
    const ended = { ...ledgerEntry, sequence: 2, kind: 'outcome' as const, cause: 1, session: null };
    const done = parts({ reading: { isEmpty: false, entries: [ledgerEntry, ended] } });
    expect((await run(['status'], { roll: roll([]), ...done })).stdout).toContain(
      '(close); nothing is under way',
    );
    const damage = { reason: 'changed' as const, sequence: 1, text: 'x' };
    const damaged = parts({ reading: { isEmpty: false, damage } });
    expect((await run(['status'], { roll: roll([]), ...damaged })).stdout).toContain('it is damaged');
  });

  it('a ledger that cannot be read is a problem, not the end', async () => {
    const ledger = () =>
      Promise.reject(new LedgerError('unavailable', 'no SQLite here', 'take another Node'));
    const ran = await run(['status'], { roll: roll([]), ...parts(), ledger });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain('! the ledger: no SQLite here');
    const broken = await run(['status'], {
      roll: roll([]),
      ...parts(),
      ledger: () => Promise.reject(new Error('bug')),
    });
    expect(broken.exitCode).toBe(1);
  });

  it('says when its memory of earlier looks could not be read', async () => {
    const ran = await run(['status'], { roll: roll([]), ...parts({ problem: 'pressure.json: not JSON' }) });
    expect(ran.stdout).toContain('! pressure.json: not JSON');
    expect(ran.exitCode).toBe(0);
  });

  it('tells sessions on several servers apart', async () => {
    const other = { ...entry('x').server, socketPath: '/tmp/tmux-1000/crew', label: 'crew' };
    const { stdout } = await run(['status'], {
      roll: roll([entry('x'), entry('x', { server: other })]),
      ...parts(),
    });
    expect(stdout).toContain('x  on default  working, active');
    expect(stdout).toContain('x  on crew  working, active');
  });

  it('S54: prints no raw control character, and colour only on a terminal', async () => {
    const hostile = '\u001b]0;x\u0007\u202e';
    const readings = READINGS.map((one) => ({ ...one, source: hostile, scope: `cgroup v2 /${hostile}` }));
    const nasty = { roll: roll([entry(hostile)]), ...parts({ readings }) };
    expect((await run(['status'], nasty)).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect((await run(['status', '--json'], nasty)).stdout).not.toMatch(/\\u001b|\u202e/);
    const painted = (await run(['status'], { roll: ROLL, isTTY: true, columns: 80, ...parts() })).stdout;
    expect(painted).toContain('\u001b[33mmoderate');
    expect(withoutPaint(painted)).toBe(
      (await run(['status'], { roll: ROLL, columns: 80, ...parts() })).stdout,
    );
  });
});
