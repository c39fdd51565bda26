import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../src/core/guard/advice.ts';
import type { Guarded } from '../../../src/core/guard/guarded.ts';
import { notesOf } from '../../../src/core/guard/notes.ts';
import type { PaneFate } from '../../../src/core/guard/pane-fate.ts';
import type { PresentServer } from './guard-samples.ts';
import { guarded, pane, present, session } from './guard-samples.ts';

const fate = (state: PaneFate['state'], over: Partial<PaneFate> = {}): PaneFate => ({
  ...{ paneId: '%1', pid: 201, state, exit: null, process: 'unknown', sessionId: '$1' },
  ...over,
});
const codes = (server: PresentServer, fates: readonly PaneFate[], scope: Guarded['scope'] = 'session') =>
  notesOf(guarded({ scope }), server, fates).map(({ code, paneId }) => `${code} ${paneId}`);
const quiet = present([session([pane('%1', 201)])]);

describe('what is no death', () => {
  it('is silent while nothing happens', () => {
    expect(codes(quiet, [fate('alive')])).toEqual([]);
    expect(codes(quiet, [fate('unsettled')])).toEqual([]);
  });

  it('names panes that were closed, restarted, ended or moved', () => {
    expect(codes(quiet, [fate('closed')])).toEqual(['pane-closed %1']);
    expect(codes(quiet, [fate('respawned')])).toEqual(['pane-respawned %1']);
    expect(codes(quiet, [fate('ended')])).toEqual(['pane-ended %1']);
    expect(codes(present([]), [fate('alive', { sessionId: '$2' })])).toEqual(['pane-moved %1']);
  });

  it('tells of a rename, visibly', () => {
    const renamed = present([session([], { name: 'a\u001b[31m' })]);
    expect(notesOf(guarded(), renamed, [])).toEqual([
      { code: 'session-renamed', paneId: null, text: "session 'build' is now named 'a\\e[31m'" },
    ]);
  });

  it('is what happens to the session itself, not to one that was listed before it', () => {
    const other = session([pane('%9', 9, { isDead: true, exitStatus: 1 })], {
      sessionId: '$9',
      name: 'other',
    });
    expect(codes(present([other, session([pane('%1', 201)])]), [fate('alive')])).toEqual([]);
  });

  it('tells of a pane that was added and died, unless only one pane is guarded', () => {
    const dead = { isDead: true } as const;
    const panes = [
      pane('%1', 201, { ...dead, exitStatus: 1 }),
      pane('%5', 5, { ...dead, exitStatus: 1 }),
      pane('%6', 6, dead),
    ];
    const more = [pane('%7', 7, { ...dead, exitStatus: 0 }), pane('%8', 8)];
    const server = present([session([...panes, ...more])]);
    // Of the program of %6 nobody has told that it ended.
    expect(codes(server, [])).toEqual(['other-pane-died %5']);
    expect(codes(server, [], 'panes')).toEqual([]);
  });
});

describe('the advice', () => {
  it('is a restart, unless the program cannot be started or the name is taken', () => {
    const died = (status: number) => fate('died', { exit: { status, signal: null } });
    expect(adviceOn('pane-died', [died(1), fate('died')])).toEqual({
      recoverable: true,
      suggestedAction: 'restart',
    });
    expect(adviceOn('pane-died', [died(127)])).toEqual({
      recoverable: false,
      suggestedAction: 'fix-command',
    });
    const closed = fate('closed', { exit: { status: 127, signal: null } });
    expect(adviceOn('pane-gone', [closed]).suggestedAction).toBe('restart');
    expect(adviceOn('session-replaced', [fate('closed')])).toEqual({
      recoverable: true,
      suggestedAction: 'check-replacement',
    });
  });
});
