import { describe, expect, it } from 'vitest';
import { hookSign, memoryOf } from '../../../../src/adapters/agents/claude/heard.ts';
import { HOOKS } from '../../../../src/adapters/agents/claude/hooks.ts';
import { type HookEvent, type HookMemory, rememberEvent } from '../../../../src/core/agent/hook-memory.ts';
import { agentIn, CONVERSATION, NOW, recordedEvents, STARTED_AT, sceneOf } from './fixtures.ts';

type Payload = Record<string, unknown>;
const meaningOf = (event: string, payload: Payload) =>
  HOOKS.translate({ agentKind: 'claude', event, at: 1, sender: { parentPid: 1 }, payload });

/** The first recorded event of a sort. */
function recorded(event: string, fields: Payload = {}): HookEvent {
  const found = recordedEvents.find(
    ({ event: name, payload }) =>
      name === event && Object.entries(fields).every(([key, value]) => payload?.[key] === value),
  );
  if (!found) throw new Error(`no ${event} was recorded`);
  return found;
}

describe('what each real event means', () => {
  it.each<[string, Payload, Payload]>([
    ['SessionStart', { source: 'startup' }, { isStart: true }],
    ['SessionStart', { source: 'clear' }, { isStart: true }],
    ['SessionEnd', { reason: 'prompt_input_exit' }, { isEnd: true }],
    ['UserPromptSubmit', {}, { turn: 'running', isPrompt: true, waitingFor: null }],
    ['PreToolUse', {}, { turn: 'running' }],
    ['PostToolUse', { tool_name: 'Bash' }, { turn: 'running', waitingFor: null }],
    ['PostToolUse', { tool_name: 'CronCreate' }, { turn: 'running', waitingFor: null, background: 1 }],
    ['PostToolUse', { tool_name: 'ScheduleWakeup' }, { turn: 'running', waitingFor: null, background: 1 }],
    ['PermissionRequest', { tool_name: 'Bash' }, { turn: 'running', waitingFor: 'permission' }],
    ['PermissionRequest', { tool_name: 'Write' }, { turn: 'running', waitingFor: 'permission' }],
    ['PermissionRequest', { tool_name: 'AskUserQuestion' }, { turn: 'running', waitingFor: 'question' }],
    ['PermissionRequest', { tool_name: 'ExitPlanMode' }, { turn: 'running', waitingFor: 'plan' }],
    ['PreCompact', {}, { turn: 'running', waitingFor: 'compaction' }],
    ['PostCompact', { trigger: 'manual' }, { turn: 'over', waitingFor: null }],
    ['Stop', {}, { turn: 'over', waitingFor: null, background: 0 }],
    ['StopFailure', { error: 'server_error' }, { turn: 'over', waitingFor: 'error' }],
  ])('%s %j', (event, fields, facts) => {
    const { payload, ...rest } = recorded(event, fields);
    expect(HOOKS.translate({ payload, ...rest })).toEqual({
      conversation: payload?.session_id,
      transcript: payload?.transcript_path,
      ...facts,
    });
  });

  it('S12: the end of a turn counts shells, agents and timers', () => {
    const counts = recordedEvents
      .filter(({ event }) => event === 'Stop')
      .map((event) => {
        const { background_tasks: tasks, session_crons: timers } = event.payload as Record<string, unknown[]>;
        return [HOOKS.translate(event)?.background, (tasks?.length ?? 0) + (timers?.length ?? 0)];
      });
    expect(counts.length).toBeGreaterThan(5);
    for (const [told, real] of counts) expect(told).toBe(real);
    expect(new Set(counts.map(([told]) => told))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('tasks that have ended do not count; without both lists nothing is told', () => {
    const tasks = [{ id: 'a', status: 'completed' }, { id: 'b', status: 'running' }, { id: 'c' }, 'odd'];
    expect(meaningOf('Stop', { background_tasks: tasks, session_crons: [] })?.background).toBe(3);
    expect(meaningOf('Stop', { background_tasks: [] })).not.toHaveProperty('background');
    expect(meaningOf('Stop', {})).not.toHaveProperty('background');
  });

  it.each<[string, Payload]>([
    ['SessionStart', { source: 'compact' }],
    ['Notification', { notification_type: 'permission_prompt' }],
    ['Notification', { notification_type: 'idle_prompt' }],
  ])('%s %j says nothing new', (event, fields) => {
    expect(HOOKS.translate(recorded(event, fields))).toBeNull();
  });

  it('a dialog that no other event tells of', () => {
    const notified = (notification_type: string) =>
      meaningOf('Notification', { notification_type })?.waitingFor;
    expect(notified('agent_needs_input')).toBe('input');
    expect(notified('elicitation_dialog')).toBe('question');
    expect(notified('elicitation_complete')).toBeNull();
    expect(meaningOf('Elicitation', {})?.waitingFor).toBe('question');
  });

  it('S17: a limit, a lost login and an error wait for different things', () => {
    const waits = (error: string) => meaningOf('StopFailure', { error })?.waitingFor;
    expect(['rate_limit', 'billing_error', 'authentication_failed', 'overloaded', 'new'].map(waits)).toEqual([
      'limit',
      'limit',
      'login',
      'error',
      'error',
    ]);
    const text = "You've hit your session limit · resets 7pm";
    expect(meaningOf('StopFailure', { error: 'unknown', last_assistant_message: text })?.waitingFor).toBe(
      'limit',
    );
  });

  it('an automatic compaction is in the middle of a turn', () => {
    const meaning = meaningOf('PostCompact', { trigger: 'auto' });
    expect(meaning).toHaveProperty('waitingFor', null);
    expect(meaning).not.toHaveProperty('turn');
  });
});

describe('what happens in a subagent does not end the turn', () => {
  it.each([
    'Stop',
    'StopFailure',
    'PostToolUse',
    'PreToolUse',
    'UserPromptSubmit',
    'SessionEnd',
    'PostCompact',
  ])('%s', (event) => expect(meaningOf(event, { agent_id: 'a1', trigger: 'manual' })).toBeNull());

  it('but its dialogs are the pane’s, and its own end is told', () => {
    const asked = recordedEvents.find(
      ({ event, payload }) => event === 'PermissionRequest' && payload?.agent_id !== undefined,
    ) as HookEvent;
    expect(HOOKS.translate(asked)).toMatchObject({ waitingFor: 'permission' });
    expect(HOOKS.translate(asked)).not.toHaveProperty('turn');
    const started = recorded('SubagentStart');
    expect(HOOKS.translate(started)).toMatchObject({ subagentStarted: started.payload?.agent_id });
    const ended = recorded('SubagentStop');
    expect(ended.payload?.background_tasks).toHaveLength(1);
    expect(HOOKS.translate(ended)).toMatchObject({ subagentEnded: ended.payload?.agent_id, background: 0 });
  });
});

it.each<[string, Payload | null]>([
  ['Stop', null],
  ['constructor', {}],
  ['toString', {}],
  ['Unheard', {}],
  ['SubagentStart', { agent_id: 7 }],
  ['SubagentStop', {}],
])('S57: %s with %j says nothing', (event, payload) => {
  const sender = { parentPid: 1 };
  expect(HOOKS.translate({ agentKind: 'claude', event, at: 1, sender, payload })).toBeNull();
});

it('S57: wrong types in a payload are left out', () => {
  const odd = {
    session_id: 'x'.repeat(5000),
    transcript_path: 'relative',
    background_tasks: 'many',
    session_crons: 3,
  };
  expect(meaningOf('Stop', odd)).toEqual({ conversation: null, turn: 'over', waitingFor: null });
});

it('every event that is translated is listened to', () => {
  expect(HOOKS.events).toContain('Stop');
  expect(HOOKS.events).not.toContain('MessageDisplay');
  for (const { event } of recordedEvents) expect(HOOKS.events).toContain(event);
});

describe('which memory speaks of this process', () => {
  const memory = (given: Partial<HookMemory> = {}): HookMemory => ({
    agentKind: 'claude',
    conversation: CONVERSATION,
    sender: { parentPid: 1, agentPid: 31600, paneId: '%1', tmuxServerPid: 2646 },
    subagents: [],
    turn: { value: 'over', at: NOW - 5000 },
    background: { value: 0, at: NOW - 5000 },
    last: { event: 'Stop', at: NOW - 5000 },
    ...given,
  });
  const heard = (given: Partial<HookMemory>, conversation: string | undefined = CONVERSATION) =>
    memoryOf(sceneOf(agentIn('/none'), { hooks: [memory(given)] }), conversation) !== undefined;

  it('its own', () => {
    expect(heard({})).toBe(true);
    expect(memoryOf(sceneOf(agentIn('/none'), { hooks: [memory()] }), undefined)).toBeDefined();
  });

  it('by its pane and server, where the process is not told', () => {
    expect(heard({ sender: { parentPid: 1, paneId: '%1', tmuxServerPid: 2646 } })).toBe(true);
    expect(heard({ sender: { parentPid: 1, paneId: '%2', tmuxServerPid: 2646 } })).toBe(false);
    expect(heard({ sender: { parentPid: 1, paneId: '%1', tmuxServerPid: 9 } })).toBe(false);
    expect(heard({ sender: { parentPid: 1 } })).toBe(false);
  });

  it('S29: not one of another conversation, another process, or one that has ended', () => {
    expect(heard({ conversation: 'a0000000-9d24-4e46-be4f-85ecaaecac04' })).toBe(false);
    expect(heard({ sender: { parentPid: 1, agentPid: 9, paneId: '%1', tmuxServerPid: 2646 } })).toBe(false);
    expect(heard({ endedAt: NOW - 1 })).toBe(false);
  });

  it('S37: not one from before the process began', () => {
    expect(heard({ last: { event: 'Stop', at: STARTED_AT - 60_000 } })).toBe(false);
  });

  const signOf = (given: Partial<HookMemory>) =>
    hookSign(memory(given), sceneOf(agentIn('/none')), '2.1.325');

  it('its sign tells what was told, and when', () => {
    expect(signOf({ waitingFor: { value: null, at: NOW - 4000 } })).toEqual({
      source: 'hook',
      observedAt: NOW,
      isLive: false,
      since: NOW - 4000,
      turn: 'over',
      waitingFor: null,
      background: 0,
      isVerified: true,
      text: 'its hook Stop was the last to tell',
    });
  });

  it('S30: its sign tells when the last turn began', () => {
    expect(signOf({ beganAt: NOW - 5000 })).toMatchObject({ turn: 'over', beganAt: NOW - 5000 });
  });

  it('S30: a turn that it wakes itself for is one that begins', () => {
    const payload = { session_id: CONVERSATION, prompt: '<task-notification>' };
    expect(meaningOf('UserPromptSubmit', payload)).toMatchObject({ isPrompt: true });
  });

  it('S37: facts from before the process began are left out', () => {
    const old = { at: STARTED_AT - 60_000 };
    expect(signOf({ turn: { value: 'over', ...old }, background: { value: 0, ...old } })).toBeNull();
  });

  it('S37: what was told before the clock was set back tells of work, and proves no rest', () => {
    const [at, last] = [NOW + 60_000, { event: 'Stop', at: NOW + 60_000 }];
    expect(heard({ last })).toBe(true);
    const rest = {
      turn: { value: 'over', at },
      waitingFor: { value: null, at },
      background: { value: 0, at },
    };
    expect(signOf({ ...rest, last } as Partial<HookMemory>)).toBeNull();
    const work = { turn: { value: 'running', at }, background: { value: 1, at } };
    expect(signOf({ ...work, last } as Partial<HookMemory>)).toMatchObject({
      turn: 'running',
      background: 1,
    });
  });

  it('S30: that nothing is left running holds only for the end that told it', () => {
    expect(signOf({ turn: { value: 'running', at: NOW - 1000 } })).not.toHaveProperty('background');
    expect(signOf({ turn: { value: 'over', at: NOW - 1000 } })).not.toHaveProperty('background');
    expect(
      signOf({ turn: { value: 'running', at: NOW }, background: { value: 2, at: NOW - 1 } }),
    ).toMatchObject({
      background: 2,
    });
  });

  it('subagents count until an end of the turn tells how many are left', () => {
    const { background: _, ...without } = memory({ subagents: ['a', 'b'] });
    expect(hookSign(without, sceneOf(agentIn('/none')), undefined)).toMatchObject({ background: 2 });
    expect(signOf({ subagents: ['a', 'b'] })).toMatchObject({ background: 0 });
  });

  it('a real session, event by event, ends at rest with nothing in the background', () => {
    const mine = recordedEvents.filter(({ payload }) => payload?.session_id === CONVERSATION);
    const turns: (string | undefined)[] = [];
    let known: HookMemory | undefined;
    for (const event of mine) {
      const meaning = HOOKS.translate(event);
      if (meaning) known = rememberEvent(known, event, meaning);
      turns.push(known?.turn?.value);
    }
    expect(new Set(turns)).toEqual(new Set([undefined, 'running', 'over']));
    expect(known).toMatchObject({ turn: { value: 'over' }, endedAt: expect.any(Number), subagents: [] });
  });
});
