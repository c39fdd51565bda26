import { describe, expect, it } from 'vitest';
import { bareShells } from '../../../../src/core/doctor/checks/session-bare-shells.ts';
import { deadPanes } from '../../../../src/core/doctor/checks/session-dead-panes.ts';
import { lostSessions } from '../../../../src/core/doctor/checks/session-lost.ts';
import type { SessionEntry } from '../../../../src/core/sight/roll.ts';
import { NOW, standing } from '../../../support/evidence.ts';
import { classes, doctorFacts, entry, found, keyOf, NOT_MANAGED, paneEntry } from './doctor-facts.ts';

const on = (over: Partial<SessionEntry>) => doctorFacts({ sessions: [entry(over)] });
const HELD = [{ code: 'held', text: 'held for 1 h' }];

describe('S44: dead panes', () => {
  const dead = paneEntry({ isDead: true, activity: 'exited', exitStatus: 0 });

  it('are found, with how each ended', () => {
    const panes = [
      dead,
      paneEntry({ paneId: '%2', isDead: true, exitSignal: 'KILL' }),
      paneEntry({ paneId: '%3', isDead: true }),
    ];
    const [finding] = found(deadPanes, on({ panes }));
    expect(finding).toMatchObject({ class: 'all-panes-dead', severity: 'warning', session: keyOf(1) });
    expect(finding?.text).toBe('build (main): 3 dead panes of 3');
    expect(finding?.evidence.slice(0, 3)).toEqual([
      '%1 ended with status 0',
      '%2 was ended by signal KILL',
      '%3 ended, and tmux does not know how (a known fault up to 3.5)',
    ]);
    expect(finding?.remedy).toEqual({ kind: 'close-session', key: keyOf(1) });
  });

  it('beside living ones are told, and nothing is offered', () => {
    const [finding] = found(
      deadPanes,
      on({ panes: [dead, paneEntry({ paneId: '%2' })], lifecycle: 'active' }),
    );
    expect(finding).toMatchObject({ class: 'some-panes-dead', severity: 'info', remedy: null });
    expect(finding?.text).toBe('build (main): 1 dead pane of 2');
  });

  it('of a session that somebody holds are only told', () => {
    expect(found(deadPanes, on({ panes: [dead], protections: HELD }))[0]).toMatchObject({
      severity: 'info',
      remedy: null,
    });
  });

  it('are not found where every program runs, nor on a server that did not answer', () => {
    expect(classes(deadPanes, on({}))).toEqual([]);
    expect(classes(deadPanes, doctorFacts({ sessions: [entry({ panes: [dead] })], servers: [] }))).toEqual(
      [],
    );
  });

  it('are offered no more once the pane runs something again', () => {
    const before = found(deadPanes, on({ panes: [dead] }))[0]?.remedy;
    const after = found(deadPanes, on({ panes: [paneEntry()], lifecycle: 'active' }));
    expect([before?.kind, after]).toEqual(['close-session', []]);
  });
});

describe('S44: bare shells', () => {
  const left = { activity: 'exited', panes: [paneEntry({ activity: 'exited' })] } as const;

  it('are found where the agent has exited', () => {
    const agent = { kind: 'claude', version: null, conversation: null, pid: null };
    const [finding] = found(bareShells, on({ ...left, agent }));
    expect(finding).toMatchObject({
      ...{ class: 'agent-exited', severity: 'warning' },
      text: 'build (main): claude has exited, a shell is left',
      remedy: { kind: 'close-session', key: keyOf(1) },
    });
  });

  it('of sessions that rollcall never managed are told, and nothing is offered', () => {
    expect(found(bareShells, on({ ...left, protections: NOT_MANAGED, lifecycle: 'stale' }))[0]).toMatchObject(
      {
        ...{ severity: 'warning', remedy: null },
        text: 'build (main): the agent has exited, a shell is left',
      },
    );
  });

  it('are not found where no agent was, where one works, nor where the pane is dead', () => {
    expect(classes(bareShells, on({ activity: 'none', panes: [paneEntry({ activity: 'none' })] }))).toEqual(
      [],
    );
    expect(classes(bareShells, on({ ...left, activity: 'working' }))).toEqual([]);
    const dead = [paneEntry({ activity: 'exited', isDead: true })];
    expect(classes(bareShells, on({ activity: 'exited', panes: dead }))).toEqual([]);
  });

  it('are offered no more once somebody is there', () => {
    const attached = [{ code: 'attached', text: '1 attached' }];
    expect(found(bareShells, on({ ...left, protections: attached }))[0]?.remedy).toBeNull();
  });
});

describe('lost sessions', () => {
  const lost = (how: 'started' | 'adopted' | 'reopened' | null) =>
    on({
      lifecycle: 'lost',
      reasons: [{ code: 'lost', source: 'tmux', observedAt: NOW.at, text: 'its server has ended' }],
      evidence: how === null ? [] : [standing({ origin: { at: 1, how } })],
    });

  it('are found, and settled only where that is asked for', () => {
    expect(found(lostSessions, lost('started'))[0]).toMatchObject({
      ...{ class: 'lost', severity: 'warning', text: 'build (main): its server has ended' },
      remedy: { kind: 'settle-lost', key: keyOf(1), isOptional: true },
    });
  });

  it.each([
    ['started', `put it back: rollcall reopen build`],
    ['reopened', `put back what it was made from: rollcall log build names it`],
    ['adopted', 'rollcall did not start it, so it cannot put it back'],
    [null, 'rollcall did not start it, so it cannot put it back'],
  ] as const)('that were %s tell the way back', (how, advice) => {
    expect(found(lostSessions, lost(how))[0]?.advice[0]).toBe(advice);
  });

  it('say so also without a reason', () => {
    expect(found(lostSessions, on({ lifecycle: 'lost', reasons: [] }))[0]?.text).toContain('it is gone');
  });

  it('are not found where everything is there, and no more once one is back', () => {
    expect(classes(lostSessions, on({}))).toEqual([]);
  });
});
