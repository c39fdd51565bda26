import { describe, expect, it } from 'vitest';
import type { GateContract, GateOwner } from '../../../src/core/gate/contract.ts';
import type { StopReason } from '../../../src/core/gate/decision.ts';
import { type EarlyView, early, expire, isOverdue, isStamped } from '../../../src/core/gate/early.ts';
import { effectiveMode } from '../../../src/core/gate/mode.ts';
import { AT, contract, owner } from './gate-samples.ts';

const OPEN: EarlyView = { mode: 'enforce', switch: null, now: AT };
const OFF = { at: AT, reason: null };

it('nothing is said early of an open, stamped contract that has time', () => {
  expect(early(contract(), OPEN)).toBeNull();
  expect(early(contract(), { ...OPEN, mode: 'shadow' })).toBeNull();
});

it.each<[string, StopReason, GateContract | null, Partial<EarlyView>]>([
  ['S53: the switch is tripped', 'switched-off', contract(), { switch: OFF }],
  ['the switch is tripped and nobody owns anything', 'switched-off', null, { switch: OFF }],
  ['the mode is off', 'mode-off', contract(), { mode: 'off' }],
  ['there is no contract', 'no-contract', null, {}],
  ['S53: it was finished', 'ended', contract({ phase: 'finished' }), {}],
  ['S53: it was abandoned', 'ended', contract({ phase: 'abandoned' }), {}],
  ['it ended long ago', 'ended', contract({ phase: 'finished', expiresAt: AT - 1 }), {}],
  ['S53: its time is over and nobody said so', 'expired', contract({ expiresAt: AT }), {}],
  ['its time is over', 'expired', contract({ phase: 'expired' }), {}],
  ['S53: the owner id is empty', 'unstamped', contract({ owner: owner({ conversation: '' }) }), {}],
])('approves at once where %s', (_, reason, which, over) => {
  expect(early(which, { ...OPEN, ...over })).toMatchObject({ verdict: 'approved', reason, missing: [] });
});

it('time is over to the millisecond, for open ones only, and is kept with the contract', () => {
  expect(isOverdue(contract({ expiresAt: AT + 1 }), AT)).toBe(false);
  const kept = contract({ expiresAt: AT + 1 });
  expect(expire(kept, AT)).toBe(kept);
  expect(expire(contract({ expiresAt: AT }), AT)).toMatchObject({
    phase: 'expired',
    ended: { at: AT, text: 'its time is over' },
  });
  expect(expire(contract({ phase: 'abandoned', expiresAt: AT }), AT).phase).toBe('abandoned');
});

it.each<[string, Partial<GateOwner>]>([
  ['conversation', { conversation: ' ' }],
  ['pane', { paneId: '' }],
  ['server', { server: { ...owner().server, pid: 0 } }],
  ['process', { agent: { ...owner().agent, pid: 0 } }],
])('S53: an owner without a %s is not stamped', (_, over) => {
  expect(isStamped(owner())).toBe(true);
  expect(isStamped(owner(over))).toBe(false);
});

describe('the mode that holds', () => {
  const modes = { user: null, projects: {}, problem: null };

  it('is shadow until somebody says otherwise', () => {
    expect(effectiveMode(modes, null)).toBe('shadow');
    expect(effectiveMode(modes, '/project')).toBe('shadow');
  });

  it("is the project's before the user's", () => {
    const both = { ...modes, user: 'enforce', projects: { '/project': 'off' } } as const;
    expect(effectiveMode(both, '/project')).toBe('off');
    expect(effectiveMode(both, '/elsewhere')).toBe('enforce');
    expect(effectiveMode(both, null)).toBe('enforce');
    expect(effectiveMode(both, 'constructor')).toBe('enforce');
  });

  it('never enforces what cannot be read', () => {
    const broken = { user: 'enforce', projects: { '/project': 'enforce' }, problem: 'torn' } as const;
    expect(effectiveMode(broken, '/project')).toBe('shadow');
  });
});
