import { describe, expect, it } from 'vitest';
import type { HookEvent, HookMeaning, HookMemory } from '../../../src/core/agent/hook-memory.ts';
import { rememberEvent, tellsOfWork, withoutRest } from '../../../src/core/agent/hook-memory.ts';

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

  it('S30: keeps when the last turn was prompted, past its end and past a new start', () => {
    const prompt = { turn: 'running', isPrompt: true } as const;
    expect(toldBy(prompt, { turn: 'over' })?.beganAt).toBe(0);
    expect(toldBy(prompt, { turn: 'over' }, prompt, { turn: 'running' })?.beganAt).toBe(2000);
    expect(toldBy({ turn: 'over' }, prompt, { isStart: true })?.beganAt).toBe(1000);
    expect(toldBy({ turn: 'running' })).not.toHaveProperty('beganAt');
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
    const named = many.slice(0, 100).map(({ subagentStarted }) => subagentStarted);
    expect(toldBy(...many)?.subagents).toEqual([...named, '…']);
  });

  it('never forgets that more subagents run than it knows by name, until the conversation begins anew', () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ subagentStarted: `s${index}` }));
    const ended = many.map(({ subagentStarted }) => ({ subagentEnded: subagentStarted }));
    expect(toldBy(...many, ...ended)?.subagents).toEqual(['…']);
    expect(toldBy(...many, ...ended, { subagentStarted: 'x' })?.subagents).toEqual(['…', 'x']);
    expect(toldBy(...many, { isStart: true })?.subagents).toEqual([]);
  });
});

describe('a memory that is given up', () => {
  const told = (...meanings: Omit<HookMeaning, 'conversation'>[]) => toldBy(...meanings) as HookMemory;

  it.each<[string, Omit<HookMeaning, 'conversation'>, boolean]>([
    ['a turn that runs', { turn: 'running' }, true],
    ['a dialog', { waitingFor: 'permission' }, true],
    ['something in the background', { background: 1 }, true],
    ['a subagent', { subagentStarted: 'a' }, true],
    ['rest', { turn: 'over', waitingFor: null, background: 0 }, false],
    ['nothing', {}, false],
  ])('tells of work where it told of %s', (_, meaning, isWork) => {
    expect(tellsOfWork(told(meaning))).toBe(isWork);
    expect(tellsOfWork(told({ ...meaning, isEnd: true }))).toBe(false);
  });

  it('after a lost event proves no rest that was told before it', () => {
    const rest = told({ turn: 'over', waitingFor: null, background: 0, transcript: '/t' });
    const { turn: _, waitingFor: _waits, background: _left, ...others } = rest;
    expect(withoutRest(rest, 0)).toEqual(others);
    expect(withoutRest(rest, -1)).toEqual(rest);
    expect(withoutRest(told({}), 0)).toEqual(told({}));
  });

  it('after a lost event still tells of work', () => {
    const busy = told({ turn: 'running', waitingFor: 'plan', background: 2, subagentStarted: 'a' });
    expect(withoutRest(busy, 9000)).toEqual(busy);
  });
});
