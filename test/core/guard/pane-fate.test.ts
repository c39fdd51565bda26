import { describe, expect, it } from 'vitest';
import type { GuardedLife } from '../../../src/core/guard/guarded.ts';
import { fateOf, fateWithout, spokenExit } from '../../../src/core/guard/pane-fate.ts';
import type { PaneSighting } from '../../../src/core/sight/sighting.ts';
import { ALIVE, DEAD, pane, present, session } from './guard-samples.ts';

const GUARDED = { paneId: '%1', pid: 201 };
const UNKNOWN: GuardedLife = { state: 'unknown' };
const exited = (status: number | null, signal: string | null = null): GuardedLife => ({
  state: 'dead',
  exit: { status, signal },
});
const fate = (sighting: PaneSighting | null, life: GuardedLife, isSettling = true) =>
  fateOf(
    GUARDED,
    present([session([]), session(sighting ? [sighting] : [], { sessionId: '$2' })]),
    life,
    isSettling,
  );

describe('the fate of a pane', () => {
  it.each([
    ['tmux and the kernel see it', pane('%1', 201), ALIVE, 'alive'],
    ['tmux sees it and the kernel cannot tell', pane('%1', 201), UNKNOWN, 'alive'],
    ['tmux does not have it', null, DEAD, 'closed'],
    ['another program is in it', pane('%1', 999), DEAD, 'respawned'],
    ['tmux tells status 0', pane('%1', 201, { isDead: true, exitStatus: 0 }), DEAD, 'ended'],
    ['tmux tells another status', pane('%1', 201, { isDead: true, exitStatus: 2 }), DEAD, 'died'],
    ['tmux tells a signal', pane('%1', 201, { isDead: true, exitSignal: 'SIGKILL' }), DEAD, 'died'],
    ['tmux lost the status and the kernel has it', pane('%1', 201, { isDead: true }), exited(0), 'ended'],
    ['tmux lost the status, the kernel has another', pane('%1', 201, { isDead: true }), exited(1), 'died'],
    ['nobody has told the status yet', pane('%1', 201, { isDead: true }), DEAD, 'unsettled'],
    ['its program let go of the terminal', pane('%1', 201, { isDead: true }), ALIVE, 'alive'],
    [
      'tmux tells status 0 before the kernel',
      pane('%1', 201, { isDead: true, exitStatus: 0 }),
      ALIVE,
      'ended',
    ],
    ['the kernel tells status 0 before tmux knows', pane('%1', 201), exited(0), 'unsettled'],
    ['its process is dead and tmux does not know', pane('%1', 201), DEAD, 'unsettled'],
  ] as const)('%s', (_, sighting, life, state) => {
    expect(fate(sighting, life)).toMatchObject({ ...GUARDED, state, process: life.state });
  });

  it.each([
    ['nobody ever tells the status', pane('%1', 201, { isDead: true }), DEAD, 'died'],
    ['tmux never notices that its process is dead', pane('%1', 201), DEAD, 'died'],
    ['tmux never notices, and the kernel tells status 0', pane('%1', 201), exited(0), 'ended'],
    ['its program let go of the terminal for good', pane('%1', 201, { isDead: true }), ALIVE, 'alive'],
    ['nobody knows of its process', pane('%1', 201, { isDead: true }), UNKNOWN, 'died'],
  ] as const)('once the time to settle is over: %s', (_, sighting, life, state) => {
    expect(fate(sighting, life, false).state).toBe(state);
  });

  it('names the session that holds it, and how it ended', () => {
    expect(fate(pane('%1', 201), ALIVE)).toMatchObject({ sessionId: '$2', exit: null });
    expect(fate(null, exited(null, 'SIGHUP'))).toMatchObject({
      sessionId: null,
      exit: { status: null, signal: 'SIGHUP' },
    });
    expect(fateWithout(GUARDED, exited(4), 'closed').exit).toEqual({ status: 4, signal: null });
    expect(fateWithout(GUARDED, ALIVE, 'unknown')).toMatchObject({ state: 'unknown', exit: null });
  });

  it('says an end, and that an unknown one was not clean', () => {
    expect(spokenExit({ status: 3, signal: null })).toBe('exit status 3');
    expect(spokenExit({ status: null, signal: 'SIGTERM' })).toBe('ended by SIGTERM');
    expect(spokenExit(null)).toContain('not known, so it was no clean end');
  });
});
