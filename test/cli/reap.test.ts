import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createModeFile } from '../../src/adapters/reaper/mode-file.ts';
import type { ReapDesk } from '../../src/cli/reap/desk.ts';
import { reapDocumentSchema, reapModeDocumentSchema } from '../../src/contract/reap-schemas.ts';
import type { EntryDraft } from '../../src/core/ledger/entry.ts';
import { LedgerError } from '../../src/core/ledger/ledger-error.ts';
import type { Pressure } from '../../src/core/pressure/judge-pressure.ts';
import type { Tier } from '../../src/core/pressure/tier.ts';
import type { ReapBudget, ReapEvent, ReaperStanding } from '../../src/core/reaper/standing.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { roll } from '../core/close/entry.ts';
import { FREE, session } from '../core/reaper/rounds.ts';
import {
  client,
  idleAgent,
  MINUTE,
  NOW,
  pane,
  people,
  standing,
  without,
  withPieces,
  word,
} from '../support/evidence.ts';
import { run } from './fake-outside.ts';

const MIB = 1024 ** 2;
const recent = withPieces(idleAgent(), pane({ lastOutputAt: NOW.at - 30 * MINUTE }));
const SESSIONS = [
  session('idle', recent, { memoryBytes: 300 * MIB }),
  session('safe', idleAgent(), { memoryBytes: 10 * MIB }),
  session('works', withPieces(recent, word({ turn: 'running', text: 'busy' })), { memoryBytes: null }),
  session('watched', withPieces(recent, people({ clients: [client()] }))),
];

interface Scene {
  readonly tier?: Tier;
  readonly told?: readonly { standing: Partial<ReaperStanding>; events: Partial<ReapEvent>[] }[];
  readonly budget?: ReapBudget;
  readonly ledgerFails?: boolean;
  readonly onSignal?: (signal: NodeJS.Signals, listener: () => void) => () => void;
}

function scene({ tier = 'critical', told = [], budget = FREE, ledgerFails = false, onSignal }: Scene = {}) {
  const modes = createModeFile(mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'reap-cli-')));
  const notes: EntryDraft[] = [];
  const looks: unknown[] = [];
  const answers = [...told];
  let stops = 0;
  const desk: ReapDesk = {
    modes,
    budgets: { read: () => budget, take: () => ({ state: 'settling' }) },
    now: () => NOW,
    look: async (options) => {
      options?.inspect?.(SESSIONS);
      looks.push(options);
      return roll(SESSIONS);
    },
    reaper: () => ({
      async round() {
        const { standing: stands = {}, events = [] } = answers.shift() ?? {};
        const base: ReaperStanding = {
          ...{ mode: 'enforce', wanted: 'enforce', tier, breaker: null, budget, pending: null, sessions: [] },
        };
        return { standing: { ...base, ...stands }, events: events as ReapEvent[] };
      },
      async stop() {
        stops += 1;
      },
    }),
  };
  const ledger = {
    append(draft: EntryDraft) {
      if (ledgerFails) throw new LedgerError('unavailable', 'the disk is full', 'make room');
      notes.push(draft);
    },
    close: () => {},
  } as unknown as Ledger;
  const parts = {
    reapDesk: async () => desk,
    pressure: async () => () => ({ pressure: { tier } as Pressure, problems: [] }),
    ledger: async () => ledger,
    now: () => NOW.at,
    ...(onSignal && { onSignal }),
  };
  return {
    ...{ modes, notes, looks, stops: () => stops },
    call: (...argv: string[]) => run(['reap', ...argv], parts),
  };
}

describe('rollcall reap mode', () => {
  it('shows the mode that holds, what it means, and what is left of the hour', async () => {
    const { call, notes } = scene({ budget: { ...FREE, used: 6, freeAt: NOW.at + 5 * MINUTE } });
    const { stdout, exitCode } = await call('mode');
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "the reaper is in mode shadow: it decides and records what it would close, and touches nothing
        6 of 6 closes of this hour are used; the next is free in 5m
        rollcall reap now --dry-run shows what would go, rollcall reap report what would have gone
      "
    `);
    expect(notes).toEqual([]);
    const { stdout: json } = await call('mode', '--json');
    expect(v.parse(reapModeDocumentSchema, JSON.parse(json))).toMatchObject({
      mode: 'shadow',
      budget: { used: 6 },
    });
  });

  it('sets it, records that, and says what it means and where to look', async () => {
    const { call, modes, notes } = scene();
    const { stdout, exitCode } = await call('mode', 'enforce');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'the reaper is set to enforce: under memory pressure it closes managed sessions',
    );
    expect(stdout).toContain('rollcall reopen puts it back');
    expect(modes.read().mode).toBe('enforce');
    expect(notes).toEqual([
      { kind: 'note', action: 'reap-mode', session: null, body: { from: 'shadow', to: 'enforce' } },
    ]);
    expect((await call('mode', 'off')).stdout).toBe(
      'the reaper is set to off: nothing is decided, recorded or closed\n',
    );
  });

  it('shows why it fell back, and setting it resets that', async () => {
    const { call, modes } = scene({ budget: { ...FREE, problem: 'the budget cannot be told' } });
    modes.set('enforce');
    modes.trip({
      at: NOW.at - MINUTE,
      code: 'failed',
      text: 'it\u001b stayed',
      session: { key: 'k', name: 'deaf' },
    });
    const { stdout } = await call('mode');
    expect(stdout).toContain('the reaper is in mode shadow');
    expect(stdout).toContain('enforce was asked for; it fell back 1m ago at deaf: it\\e stayed');
    expect(stdout).toContain('the budget cannot be told; nothing is closed');
    expect((await call('mode', 'enforce')).stdout).toContain('the reaper is set to enforce');
    expect(modes.read().breaker).toBeNull();
  });

  it('knows only its words', async () => {
    const { exitCode, stderr } = await scene().call('mode', 'kill');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the modes are off, shadow, enforce');
  });

  it('S36: does not let anything be closed that could not be recorded; what stops it holds in any case', async () => {
    const { call, modes } = scene({ ledgerFails: true });
    expect(await call('mode', 'enforce')).toMatchObject({ exitCode: 1 });
    expect(modes.read().mode).toBe('shadow');
    expect(await call('mode', 'off')).toMatchObject({ exitCode: 1 });
    expect(modes.read().mode).toBe('off');
  });
});

describe('rollcall reap now --dry-run', () => {
  it('says for every session what it would go as, or what keeps it, and what goes first', async () => {
    const { stdout, exitCode } = await scene().call('now', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "memory pressure is critical, mode shadow: 2 sessions could go, 310 MiB together
         1   10M  safe  safe-to-close
         2  300M  idle  long-idle
         - 1000B  watched  kept: attached, 1 attached
         -     ?  works  kept: working, its own status says: busy
      each is watched for 2 min first, and given 1 min after it is chosen
      0 of 6 closes of this hour are used
      "
    `);
  });

  it('as it is, and as if it were worse; for programs too', async () => {
    const { call, looks } = scene({ tier: 'normal' });
    expect((await call('now', '--dry-run')).stdout).toContain(
      'memory pressure is normal, mode shadow: nothing would go',
    );
    const { stdout } = await call('now', '--dry-run', '--tier', 'moderate', '--json');
    const document = v.parse(reapDocumentSchema, JSON.parse(stdout));
    expect(document).toMatchObject({ isDryRun: true, tier: 'moderate', isAssumed: true, events: [] });
    expect(document.sessions.map(({ name, place, guard }) => [name, place ?? guard?.code])).toEqual([
      ...[['safe', 1]],
      ...[
        ['idle', 'pressure-too-low'],
        ['watched', 'attached'],
        ['works', 'working'],
      ],
    ]);
    expect(looks).toHaveLength(2);
  });

  it('only what a closer look was taken at counts as seen through', async () => {
    const unread = [
      ...without(recent, 'screen', 'git', 'agent-sign'),
      word({ hasDraft: undefined as never }),
    ];
    const { planReaps, worthExamining } = await import('../../src/cli/reap/now.ts');
    const { REAPER } = await import('../core/reaper/rounds.ts');
    const one = session('one', unread);
    expect(
      worthExamining([one, session('held', withPieces(recent, standing({ isManaged: false })))], NOW, REAPER),
    ).toEqual([one]);
    const view = { tier: 'critical' as const, now: NOW, policy: REAPER };
    expect(planReaps([one], new Set(), view)[0]).toMatchObject({ place: 1 });
    expect(planReaps([one], new Set([one.key]), view)[0]).toMatchObject({
      guard: { code: 'nothing-unsent' },
    });
  });
});

describe('rollcall reap now', () => {
  const event = (kind: ReapEvent['kind']) => ({
    ...{ kind, at: NOW.at, mode: 'enforce' as const, tier: 'critical' as const, relief: null, code: 'c' },
    ...{ session: { key: 'k', name: 'idle' }, text: 'as it was', memoryBytes: 5, receipt: null },
  });
  const enforced = (told: Scene['told'], more: Scene = {}) => {
    const made = scene({ ...more, ...(told && { told }) });
    made.modes.set('enforce');
    return made;
  };

  it('is refused unless the mode is enforce', async () => {
    const { call, modes } = scene();
    const { exitCode, stderr } = await call('now');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('rollcall reap mode enforce lets it');
    modes.set('enforce');
    modes.trip({ at: 1, code: 'failed', text: 'it stayed', session: null });
    expect((await call('now')).stderr).toContain('since a close failed (it stayed)');
  });

  it('closes one and says so', async () => {
    const { call, stops } = enforced([
      { standing: {}, events: [event('vetoed'), event('chosen'), event('closed')] },
    ]);
    const { stdout, stderr, exitCode } = await call('now');
    expect([exitCode, stdout]).toEqual([0, 'one session was closed; rollcall reopen puts it back\n']);
    expect(stderr).toBe('chosen idle: as it was\nclosed idle: as it was\n');
    expect(stops()).toBe(1);
  });

  it.each([
    ['skipped', 3],
    ['failed', 1],
  ] as const)('ends with what came of it: %s', async (kind, expected) => {
    const { call } = enforced([{ standing: {}, events: [event(kind)] }]);
    const { exitCode, stdout } = await call('now', '--json');
    expect(exitCode).toBe(expected);
    expect(v.parse(reapDocumentSchema, JSON.parse(stdout))).toMatchObject({
      isDryRun: false,
      events: [{ kind }],
    });
  });

  it('has nothing to do where memory is not short, or nothing may go', async () => {
    expect((await enforced([], { tier: 'normal' }).call('now')).stdout).toBe(
      'memory is not short: nothing is closed\n',
    );
    expect((await enforced([]).call('now')).stdout).toContain('nothing was closed');
  });

  it('goes on while something is watched, and ends when it is told to', async () => {
    const watching = {
      sessions: [
        { key: 'k', name: 'a', relief: null, guard: { code: 'confirming', text: '' }, memoryBytes: null },
      ],
    };
    const signals: string[] = [];
    const { call, stops } = enforced(
      [
        { standing: watching, events: [] },
        { standing: watching, events: [] },
      ],
      {
        onSignal(signal, listener) {
          signals.push(signal);
          if (signal === 'SIGINT') setTimeout(listener, 50);
          return () => signals.push(`no ${signal}`);
        },
      },
    );
    expect((await call('now')).stdout).toContain('nothing was closed');
    expect(signals).toEqual(['SIGINT', 'SIGTERM', 'no SIGINT', 'no SIGTERM']);
    expect(stops()).toBe(1);
  });

  it('takes no assumed pressure for a real close', async () => {
    expect(await scene().call('now', '--tier', 'critical')).toMatchObject({ exitCode: 2 });
  });
});
