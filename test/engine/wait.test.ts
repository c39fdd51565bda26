import { describe, expect, it } from 'vitest';
import { visible } from '../../src/core/text/visible.ts';
import { WAIT_STATES, type WaitState } from '../../src/core/verdict/wait-state.ts';
import type { Awaited } from '../../src/engine/wait.ts';
import { beginWaiting, keepWaiting, waitOutcome, waitPauseMs } from '../../src/engine/wait.ts';
import { entry, roll } from '../cli/render/samples.ts';

const until = (...states: WaitState[]) => new Set<WaitState>(states);
const working = entry('build', { activity: 'working', lifecycle: 'active' });
const idle = { ...working, activity: 'idle' as const };
const begin = (...states: WaitState[]) => beginWaiting(working, until(...states), 1);

describe('waiting', () => {
  it('knows every activity and lifecycle once', () => {
    expect(new Set(WAIT_STATES).size).toBe(WAIT_STATES.length);
    expect(WAIT_STATES).toEqual(
      expect.arrayContaining(['idle', 'exited', 'completed-retained', 'safe-to-close', 'lost']),
    );
  });

  it('reaches by activity or lifecycle, and keeps what was reached', () => {
    expect(begin('idle').reached).toBeNull();
    expect(begin('active')).toMatchObject({ reached: 'active', reachedAt: 1 });
    const reached = keepWaiting(begin('idle'), roll([idle]), [], until('idle'));
    expect(reached.reached).toBe('idle');
    expect(keepWaiting(reached, roll([working]), [], until('idle'))).toBe(reached);
  });

  it('S2: follows the key: another session under the name is not it', () => {
    const other = { ...idle, key: 'another', sessionId: '$9' };
    const waited = keepWaiting(begin('idle'), roll([other]), [], until('idle'));
    expect(waited).toMatchObject({ isGone: true, reached: null, replacedBy: '$9' });
    expect(keepWaiting(waited, roll([idle]), [], until('idle'))).toBe(waited);
  });

  it('S32: a server that is silent is known by its path, whoever wrote that down', () => {
    const at = (socketPath: string) => ({ ...working, server: { ...working.server, socketPath } });
    for (const [seen, silent] of [
      ['/tmp/a\u200bb', '/tmp/a\u200bb'],
      [visible('/tmp/a\u200bb'), '/tmp/a\u200bb'],
    ] as const) {
      const begun = beginWaiting(at(seen), until('exited'), 1);
      expect(keepWaiting(begun, roll([]), [silent], until('exited'))).toBe(begun);
    }
  });

  it('S4: a new name is no matter', () => {
    const renamed = { ...idle, name: 'renamed' };
    expect(keepWaiting(begin('idle'), roll([renamed]), [], until('idle'))).toMatchObject({
      name: 'renamed',
      reached: 'idle',
    });
  });

  it('S32: what is missing from a server without an answer is not gone', () => {
    const before = begin('exited');
    const silent = [working.server.socketPath];
    expect(keepWaiting(before, roll([]), silent, until('exited'))).toBe(before);
    const blind = { ...working, activity: 'unknown' as const, lifecycle: 'unknown' as const };
    expect(keepWaiting(before, roll([blind]), silent, until('exited'))).toMatchObject({
      lastSeenAt: 1,
      activity: 'unknown',
    });
  });

  it('knows a session on the roll as gone when it is lost', () => {
    const lost = { ...working, activity: 'exited' as const, lifecycle: 'lost' as const };
    const other = { ...idle, key: 'another', sessionId: '$9' };
    expect(keepWaiting(begin('idle'), roll([lost, other]), [], until('idle'))).toMatchObject({
      ...{ isGone: true, reached: null, replacedBy: '$9' },
    });
    expect(keepWaiting(begin('lost'), roll([lost]), [], until('lost'))).toMatchObject({ reached: 'lost' });
    expect(beginWaiting(lost, until('idle'), 1)).toMatchObject({ isGone: true, reached: null });
    expect(beginWaiting(lost, until('lost'), 1)).toMatchObject({ reached: 'lost' });
  });

  it('3: knows a closed one as gone, and reaches closed by it, but not lost', () => {
    const closed = { ...working, activity: 'exited' as const, lifecycle: 'closed' as const };
    expect(keepWaiting(begin('closed'), roll([closed]), [], until('closed'))).toMatchObject({
      ...{ isGone: true, reached: 'closed', lifecycle: 'closed' },
    });
    expect(keepWaiting(begin('lost'), roll([closed]), [], until('lost'))).toMatchObject({
      ...{ isGone: true, reached: null },
    });
    const closing = { ...closed, lifecycle: 'closing' as const };
    expect(keepWaiting(begin('closed'), roll([closing]), [], until('closed'))).toMatchObject({
      ...{ isGone: false, reached: null },
    });
  });

  it('counts a session that is gone as exited or lost, where that is waited for', () => {
    expect(keepWaiting(begin('exited', 'lost'), roll([]), [], until('exited', 'lost')).reached).toBe(
      'exited',
    );
    expect(keepWaiting(begin('lost'), roll([]), [], until('lost')).reached).toBe('lost');
    expect(keepWaiting(begin('idle'), roll([]), [], until('idle'))).toMatchObject({
      isGone: true,
      reached: null,
      lastSeenAt: 1,
    });
  });

  it('is over when all or any got there, or that cannot come about any more', () => {
    const waiting = begin('idle');
    const reached: Awaited = { ...waiting, reached: 'idle' };
    const gone: Awaited = { ...waiting, isGone: true };
    expect(waitOutcome([reached, waiting], false)).toBe('waiting');
    expect(waitOutcome([reached, waiting], true)).toBe('reached');
    expect(waitOutcome([reached, reached], false)).toBe('reached');
    expect(waitOutcome([gone, waiting], false)).toBe('gone');
    expect(waitOutcome([gone, waiting], true)).toBe('waiting');
    expect(waitOutcome([gone, gone], true)).toBe('gone');
  });

  it('looks often at first and less often while nothing changes', () => {
    expect([0, 10, 12, 1000].map(waitPauseMs)).toEqual([300, 300, 400, 1000]);
  });
});
