import { describe, expect, it } from 'vitest';
import { type Footing, isDisturbedSince, objectionTo } from '../../../src/core/close/guard.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  client,
  exitedAgent,
  git,
  history,
  idleAgent,
  massDeath,
  onPane,
  pane,
  people,
  plainShell,
  screen,
  standing,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { entry } from './entry.ts';

const FOOTING: Footing = { panes: [{ paneId: '%1', pid: 100 }], waived: new Set() };
const waiving = (...codes: string[]): Footing => ({ ...FOOTING, waived: new Set(codes) });
const asks = (evidence: readonly Evidence[], footing = FOOTING) => objectionTo(entry(evidence), footing);

describe('before every rung', () => {
  it('nothing is objected to where all is as it was', () => {
    expect(asks(idleAgent())).toBeNull();
    expect(asks(exitedAgent())).toBeNull();
  });

  it('S39: an agent that sleeps is at rest: whoever closes its session finds nothing at work', () => {
    expect(objectionTo({ ...entry(idleAgent()), activity: 'asleep' }, FOOTING)).toBeNull();
  });

  it('what the exit itself disturbs is not asked again', () => {
    expect(asks(withPieces(idleAgent(), history({ quietMs: 0 }), git({ dirtyFiles: 1 })))).toBeNull();
  });

  it('S39: a new turn', () => {
    const busy = withPieces(idleAgent(), word({ turn: 'running', text: 'busy' }));
    expect(asks(busy)).toMatch(/^it is working: /);
    expect(asks(busy, waiving('at-rest', 'nothing-unsent'))).toBeNull();
  });

  it('tells why by what it does, not by its close', () => {
    const closing = entry(
      withPieces(idleAgent(), standing({ closing: { at: 1 } }), word({ turn: 'running' })),
    );
    expect(objectionTo(closing, FOOTING)).not.toContain('close');
    expect(objectionTo({ ...closing, reasons: [] }, FOOTING)).toBe('it is working: nothing says more');
  });

  it('S39: a draft', () => {
    const draft = withPieces(idleAgent(), word({ hasDraft: true }));
    expect(asks(draft)).toContain('not sent');
    expect(asks(draft, waiving('nothing-unsent'))).toBeNull();
  });

  it('S39: an input that is not understood, of an agent or of the shell behind it', () => {
    expect(asks(withPieces(idleAgent(), word({ hasDraft: false, isReady: false })))).toContain(
      'cannot be told',
    );
    const shell = withPieces(exitedAgent(), screen({ isPromptEmpty: null, promptDoubt: 'bash is at work' }));
    expect(asks(shell)).toContain('bash is at work');
    expect(asks(shell, { ...FOOTING, isForced: true })).toBeNull();
    const plain = withPieces(plainShell(), screen({ isPromptEmpty: null }));
    expect(asks(plain, { ...FOOTING, isForced: true })).toBeNull();
    const forced = asks(withPieces(idleAgent(), word({ isReady: false })), { ...FOOTING, isForced: true });
    expect(forced).toContain('cannot be told');
  });

  it('S39: a person who comes, or reads in copy mode', () => {
    expect(asks(withPieces(idleAgent(), people({ clients: [client()] })))).toBe('1 attached');
    expect(asks(withPieces(idleAgent(), pane({ isInMode: true })))).toContain('copy mode');
  });

  it('a hold, unless it was named', () => {
    const held = withPieces(idleAgent(), standing({ held: { at: 1, reason: null } }));
    expect(asks(held)).toContain('held');
    expect(asks(held, waiving('held'))).toBeNull();
    expect(asks(withPieces(idleAgent(), standing({ isManaged: false })))).toBeNull();
  });

  it('S45: a pane that was added; S41: another program in a pane', () => {
    const two = [...idleAgent(), ...onPane('%2', exitedAgent())];
    expect(asks(two)).toBe('pane %2 was added');
    const other = { ...FOOTING, panes: [{ paneId: '%1', pid: 999 }] };
    expect(asks(idleAgent(), other)).toBe('something started another program in pane %1');
    const both = { ...FOOTING, panes: [...FOOTING.panes, { paneId: '%2', pid: 101 }] };
    expect(asks(two, both)).toBeNull();
    const swapped = {
      ...FOOTING,
      panes: [
        { paneId: '%1', pid: 101 },
        { paneId: '%2', pid: 100 },
      ],
    };
    expect(asks(two, swapped)).toBe('something started another program in pane %1');
  });

  it('S32, S51: what cannot be seen any more, and windows that are shared by now', () => {
    expect(objectionTo(entry([], { panes: [] }), FOOTING)).toContain('does not answer');
    expect(asks([...idleAgent(), massDeath()])).not.toBeNull();
    expect(asks(withPieces(idleAgent(), pane({ isWindowShared: true })))).toContain('shares its windows');
  });
});

describe('right before an act, by a brief look', () => {
  const briefly = (evidence: readonly Evidence[]) => objectionTo(entry(evidence), FOOTING, 'brief');
  const typed = (evidence: readonly Evidence[]) => objectionTo(entry(evidence), FOOTING, 'typed');
  const draft = withPieces(idleAgent(), word({ hasDraft: true }));
  const unclear = withPieces(idleAgent(), word({ hasDraft: false, isReady: false }));
  const busy = withPieces(idleAgent(), word({ turn: 'running', text: 'busy' }));

  it('S39: a turn, a draft and a person are objected to; what only a screen tells was judged before', () => {
    expect(briefly(idleAgent())).toBeNull();
    expect(briefly(busy)).toMatch(/^it is working: /);
    expect(briefly(draft)).toContain('not sent');
    expect(briefly(unclear)).toBeNull();
    expect(briefly(withPieces(idleAgent(), people({ clients: [client()] })))).toBe('1 attached');
  });

  it('S39: what we typed ourselves is no draft, and a turn is one all the same', () => {
    expect(typed(draft)).toBeNull();
    expect(typed(busy)).toMatch(/^it is working: /);
    const mute = objectionTo({ ...entry(idleAgent()), activity: 'unknown' }, FOOTING, 'typed');
    expect(mute).toBeNull();
    expect(objectionTo({ ...entry(idleAgent()), activity: 'unknown' }, FOOTING, 'brief')).not.toBeNull();
  });
});

describe('since the decision', () => {
  const quiet = (quietMs: number) => entry(withPieces(idleAgent(), history({ quietMs })));

  it('a pane is disturbed whose quiet began anew, however long that was', () => {
    expect(isDisturbedSince(quiet(6000), quiet(4000), 2000)).toBe(false);
    expect(isDisturbedSince(quiet(7000), quiet(4000), 2000)).toBe(false);
    expect(isDisturbedSince(quiet(5998), quiet(4000), 2000)).toBe(false);
    // Three times are rounded, each by half a millisecond at most: more is output.
    expect(isDisturbedSince(quiet(5997), quiet(4000), 2000)).toBe(true);
    expect(isDisturbedSince(quiet(5000), quiet(4000), 2000)).toBe(true);
    expect(isDisturbedSince(quiet(0), quiet(4000), 0)).toBe(true);
  });

  it('nothing is known of a pane that was not there, nor without memory', () => {
    const mute = { ...quiet(0), evidence: [] };
    expect([isDisturbedSince(quiet(0), mute, 1), isDisturbedSince(mute, quiet(1), 1)]).toEqual([
      false,
      false,
    ]);
  });
});
