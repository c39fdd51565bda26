import { describe, expect, it } from 'vitest';
import { attributeAll } from '../../../../src/core/doctor/attribute.ts';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { staleHolds } from '../../../../src/core/doctor/checks/session-stale-holds.ts';
import type { SessionFacts } from '../../../../src/core/ledger/current-facts.ts';
import type { SessionEntry } from '../../../../src/core/sight/roll.ts';
import { DAY, HOUR, NOW } from '../../../support/evidence.ts';
import { careOf, MARKED, processFacts, stranger } from '../process-facts.ts';
import { classes, doctorFacts, entry, found, keyOf, ledgerFacts, process, table } from './doctor-facts.ts';

const since = (ms: number) => ({ at: NOW.at - ms, sequence: 1 });
const held = (ms: number, reason: string | null = null) => ({ ...since(ms), reason });
const kept = (until: number | null, reason: string | null = null) => ({ ...since(DAY), until, reason });
const gone = (over: Partial<SessionFacts>) => doctorFacts({ ledger: [ledgerFacts(over)] });
const live = (over: Partial<SessionFacts>) =>
  doctorFacts({ ledger: [ledgerFacts(over)], sessions: [entry()] });

describe('stale holds', () => {
  it.each<[string, Partial<SessionFacts>, string]>([
    ['that no server has any more', {}, 'no server has it any more'],
    ['that was closed', { closed: { ...since(HOUR), receipt: 'r-1' } }, 'it was closed: receipt r-1'],
    ['that was put back', { reopened: { ...since(HOUR), key: 'k2' } }, 'it was put back as k2'],
  ])('are holds of a session %s', (_title, over, why) => {
    const [finding] = found(staleHolds, gone({ held: held(HOUR, 'demo'), ...over }));
    expect(finding).toMatchObject({
      ...{ class: 'hold-without-session', severity: 'warning', evidence: [why] },
      text: 'build is gone, and still held for 1 h: demo',
      remedy: { kind: 'take-back', key: keyOf(1), what: 'hold' },
    });
  });

  it('are not those whose pane another session shows by now', () => {
    const facts = (over: Partial<SessionEntry>) =>
      doctorFacts({
        ledger: [ledgerFacts({ held: held(HOUR), paneIds: ['%1'] })],
        sessions: [entry({ lifecycle: 'lost', panes: [] }), entry({ key: keyOf(2), ...over })],
      });
    expect(found(staleHolds, facts({}))).toEqual([]);
    expect(found(staleHolds, facts({ panes: [] }))).toHaveLength(1);
    expect(found(staleHolds, facts({ lifecycle: 'lost' }))).toHaveLength(1);
    const { server } = entry();
    expect(found(staleHolds, facts({ server: { ...server, startTicks: 8 } }))).toHaveLength(1);
  });

  it.each([null, NOW.at + HOUR])('are retentions of a session that is gone, until %s', (until) => {
    const [finding] = found(staleHolds, gone({ retained: kept(until, 'demo') }));
    expect(finding).toMatchObject({
      class: 'retention-without-session',
      remedy: { kind: 'take-back', key: keyOf(1), what: 'retention' },
    });
  });

  it('of a session that has ended and is held up by them are told, and not taken back', () => {
    const ended = { exitStatus: 0, exitSignal: null, endedAt: NOW.at, lines: [] };
    const facts = (receipt?: string) =>
      doctorFacts({
        ledger: [ledgerFacts({ held: held(HOUR) })],
        sessions: [entry({ lifecycle: 'stale', ended, ...(receipt !== undefined && { receipt }) })],
      });
    const [finding] = found(staleHolds, facts());
    expect(finding).toMatchObject({ class: 'hold-without-session', remedy: null });
    expect(finding?.advice).toEqual(['if it is over, say so, which touches nothing: rollcall close build']);
    expect(found(staleHolds, facts('r1'))[0]?.remedy).not.toBeNull();
  });

  it('are told and stay while anything is left of the session that they protect', () => {
    const left = (over: Partial<SessionFacts>, count: number, isComplete = true) => {
      const strangers = [500, 501].slice(0, count).map((pid) => stranger({ process: { pid } }));
      return found(staleHolds, processFacts({ ledger: [careOf(over)], strangers, isComplete }))[0];
    };
    expect(left({ held: held(HOUR) }, 1)).toMatchObject({
      ...{ class: 'hold-without-session', severity: 'warning', remedy: null },
      evidence: ['no server has it any more', 'it protects what is left of it: sleep (pid 500)'],
      advice: [
        'if nobody needs what is left: rollcall unhold build; what is a leftover then may be ended',
      ].map((text) => text.replace('build', keyOf(1))),
    });
    const kept2 = left({ retained: kept(null) }, 2);
    expect(kept2).toMatchObject({ class: 'retention-without-session', remedy: null });
    expect(kept2?.evidence[1]).toBe('it protects what is left of it: sleep (pid 500) and 1 more');
    expect(kept2?.advice[0]).toContain(`rollcall retain ${keyOf(1)} --release`);
    expect(left({ held: held(HOUR) }, 0, false)).toMatchObject({
      ...{ class: 'hold-without-session', remedy: null },
      evidence: [
        'no server has it any more',
        'whether anything is left of it that it protects cannot be seen',
      ],
    });
    expect(left({ held: held(HOUR) }, 0)?.remedy).toMatchObject({ kind: 'take-back' });
  });

  it('law 1: stay while a process bears a mark of the session, whatever else keeps that one today', () => {
    const daemon = stranger({ process: { pid: 600 }, env: {}, sharedBy: 'codex' });
    const of = (env: Record<string, string>) => {
      const served = stranger({ env: { ...env, CODEX_THREAD_ID: 'thread' } });
      const facts = processFacts({ ledger: [careOf({ held: held(HOUR) })], strangers: [served, daemon] });
      expect(attributeAll(facts)[0]).toMatchObject({ class: 'vendor-daemon-in-use', session: null });
      return found(staleHolds, facts)[0];
    };
    const kept = of(MARKED);
    expect(kept).toMatchObject({ class: 'hold-without-session', remedy: null });
    expect(kept?.evidence[1]).toBe('it protects what is left of it: sleep (pid 500)');
    expect(of({})?.remedy).toMatchObject({ kind: 'take-back' });
  });

  it('are holds that are older than the setting, and nothing is offered', () => {
    const [finding] = found(staleHolds, live({ held: held(31 * DAY, 'release') }));
    expect(finding).toMatchObject({ class: 'old-hold', severity: 'warning', remedy: null });
    expect(finding?.text).toBe('build is held for 31 d: release');
  });

  it('are retentions that were over long ago, and nothing is offered', () => {
    const [finding] = found(staleHolds, live({ retained: kept(NOW.at - 2 * DAY) }));
    expect(finding).toMatchObject({ class: 'retention-over', severity: 'info', remedy: null });
  });

  it('S32: of a session whose server is silent are none', () => {
    const facts = doctorFacts({
      ledger: [ledgerFacts({ held: held(40 * DAY), retained: kept(null) })],
      servers: [],
      table: table([process({ pid: 42, startTicks: 7 })]),
    });
    expect(classes(staleHolds, facts)).toEqual([]);
  });

  it.each<[string, Partial<SessionFacts>]>([
    ['from another pid namespace', { pidNamespace: '2' }],
    ['from an unknown one', {}],
  ])('S34: of a session that was recorded %s are none, though nobody here sees it', (_, over) => {
    const facts = doctorFacts({
      ledger: [ledgerFacts({ held: held(40 * DAY), retained: kept(null), ...over })],
      ...{ servers: [], host: { pidNamespace: '1' } },
    });
    expect(classes(staleHolds, facts)).toEqual([]);
  });

  it('S34: of a session on a server whose process was never seen are none', () => {
    const key = 'machine0.boot0000.42.0.s1.1000';
    const facts = doctorFacts({ ledger: [ledgerFacts({ key, held: held(HOUR) })], servers: [] });
    expect(classes(staleHolds, facts)).toEqual([]);
  });

  it('S35: of a session of another boot are told and not taken back: it may be a copy of this machine', () => {
    const key = 'machine0.earlier0.42.7.s1.1000';
    const findings = found(staleHolds, gone({ key, held: held(HOUR), retained: kept(null) }));
    expect(findings.map(({ class: kind, remedy }) => [kind, remedy])).toEqual([
      ['hold-without-session', null],
      ['retention-without-session', null],
    ]);
    expect(findings[0]?.advice[0]).toContain(`rollcall close ${key}`);
  });

  it.each<[string, Partial<SessionFacts>]>([
    ['young ones', { held: held(29 * DAY) }],
    ['retentions that run', { retained: kept(NOW.at + DAY) }],
    ['retentions that were over a moment ago', { retained: kept(NOW.at - HOUR) }],
    ['sessions without any', {}],
  ])('are not %s', (_title, over) => {
    expect(classes(staleHolds, live(over))).toEqual([]);
  });

  it('are not retentions that ended with their session', () => {
    expect(classes(staleHolds, gone({ retained: kept(NOW.at - 9 * DAY) }))).toEqual([]);
  });

  it('are no more once the hold was taken back, or the session shows itself', () => {
    const wanted = { held: held(HOUR), closed: { ...since(HOUR), receipt: 'r' } };
    expect(classes(staleHolds, gone({ ...wanted, held: null }))).toEqual([]);
    expect(classes(staleHolds, live(wanted))).toEqual([]);
  });

  it('are not known where the ledger cannot be read', () => {
    expect(reportOf(staleHolds, doctorFacts({ ledger: { failed: 'no ledger' } })).problem).toBe('no ledger');
  });

  it('of a key that is none are none', () => {
    expect(classes(staleHolds, gone({ key: 'garbage', held: held(HOUR) }))).toEqual([]);
  });
});
