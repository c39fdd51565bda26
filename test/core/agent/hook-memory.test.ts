import { describe, expect, it } from 'vitest';
import type { HookEvent, HookMeaning } from '../../../src/core/agent/hook-memory.ts';
import { rememberEvent } from '../../../src/core/agent/hook-memory.ts';

const event = (name: string, at: number): HookEvent => ({
  ...{ agentKind: 'claude', event: name, at, sender: { parentPid: 7, paneId: '%1' }, payload: null },
});

/** What is known after these events, a second apart. */
function toldBy(...meanings: Omit<HookMeaning, 'conversation'>[]) {
  return meanings.reduce(
    (memory, meaning, index) =>
      rememberEvent(memory, event(`e${index}`, index * 1000), { conversation: 'c', ...meaning }),
    undefined as ReturnType<typeof rememberEvent> | undefined,
  );
}

describe('what hooks have told', () => {
  it('is kept with the time of the event that told it', () => {
    expect(toldBy({ turn: 'running', transcript: '/t' }, { waitingFor: 'permission' }, {})).toEqual({
      agentKind: 'claude',
      conversation: 'c',
      sender: { parentPid: 7, paneId: '%1' },
      turn: { value: 'running', at: 0 },
      waitingFor: { value: 'permission', at: 1000 },
      subagents: [],
      transcript: '/t',
      last: { event: 'e2', at: 2000 },
    });
  });

  it('is replaced by what is told later', () => {
    expect(toldBy({ background: 2, waitingFor: 'plan' }, { background: 0, waitingFor: null })).toMatchObject({
      background: { value: 0, at: 1000 },
      waitingFor: { value: null, at: 1000 },
    });
  });

  it('S29: begins anew with the conversation', () => {
    const memory = toldBy({ turn: 'running', subagentStarted: 'a', transcript: '/t' }, { isStart: true });
    expect(memory).not.toHaveProperty('turn');
    expect(memory).not.toHaveProperty('transcript');
    expect(memory?.subagents).toEqual([]);
  });

  it('knows when the agent left, until it is heard again', () => {
    expect(toldBy({ turn: 'over' }, { isEnd: true })?.endedAt).toBe(1000);
    expect(toldBy({ isEnd: true }, { turn: 'running' })).not.toHaveProperty('endedAt');
  });

  it('S12: counts the subagents that still run, each once', () => {
    const started = [{ subagentStarted: 'a' }, { subagentStarted: 'b' }, { subagentStarted: 'a' }];
    expect(toldBy(...started)?.subagents).toEqual(['b', 'a']);
    expect(toldBy(...started, { subagentEnded: 'b' })?.subagents).toEqual(['a']);
    expect(toldBy({ subagentEnded: 'x' })?.subagents).toEqual([]);
  });

  it('S57: does not grow without bound', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ subagentStarted: `s${index}` }));
    expect(toldBy(...many)?.subagents).toHaveLength(100);
  });
});
