import { describe, expect, it, test } from 'vitest';
import { believedMemory, GEMINI_HOOKS, hookSign } from '../../../../src/adapters/agents/gemini/hooks.ts';
import { type HookEvent, type HookMemory, rememberEvent } from '../../../../src/core/agent/hook-memory.ts';
import { recording } from './recordings.ts';
import { CONVERSATION, geminiProcess, memoryOf, NOW, STARTED_AT, sceneOf } from './scene.ts';

const RECORDED = recording('hooks.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> });

const eventOf = (event: string, payload: HookEvent['payload'], at = NOW): HookEvent => ({
  agentKind: 'gemini',
  event,
  at,
  sender: memoryOf().sender,
  payload,
});

const meaningOf = (event: string, more: Record<string, unknown> = {}) =>
  GEMINI_HOOKS.translate(eventOf(event, { session_id: CONVERSATION, ...more }));

describe('a recorded event', () => {
  const expected: Record<string, Record<string, unknown> | null> = {
    'SessionStart startup': { isStart: true },
    'SessionStart clear': { isStart: true },
    'SessionStart resume': { isStart: true },
    'SessionEnd exit': { isEnd: true },
    'SessionEnd clear': { isEnd: true },
    'BeforeAgent ': { turn: 'running', isPrompt: true, waitingFor: null },
    'BeforeTool ': { turn: 'running', waitingFor: null },
    'AfterTool ': { turn: 'running', waitingFor: null },
    'AfterAgent false': { turn: 'over', waitingFor: null },
    'AfterAgent true': { turn: 'over', waitingFor: null },
    'Notification exec': { turn: 'running', waitingFor: 'permission' },
    'Notification edit': { turn: 'running', waitingFor: 'permission' },
    'Notification mcp': { turn: 'running', waitingFor: 'permission' },
    'Notification ask_user': { turn: 'running', waitingFor: 'question' },
    'Notification exit_plan_mode': { turn: 'running', waitingFor: 'plan' },
    'PreCompress auto': null,
    'PreCompress manual': null,
  };
  const nameOf = ({ event, payload }: (typeof RECORDED)[number]) => {
    const details = payload.details as { type?: string } | undefined;
    const { source, reason, trigger, stop_hook_active: isActive } = payload;
    return `${event} ${details?.type ?? source ?? reason ?? trigger ?? isActive ?? ''}`;
  };

  it.each(RECORDED.map((record) => [nameOf(record), record] as const))('%s', (name, { event, payload }) => {
    const meaning = GEMINI_HOOKS.translate(eventOf(event, payload));
    const told = expected[name];
    if (told) {
      const common = { conversation: payload.session_id, transcript: payload.transcript_path };
      expect(meaning).toEqual({ ...common, ...told });
    } else {
      expect(told).toBeNull();
      expect(meaning).toBeNull();
    }
  });

  test('every kind is there', () => {
    expect(RECORDED.map(nameOf).sort()).toEqual(Object.keys(expected).sort());
  });
});

describe('S57: a payload of any form', () => {
  it.each([
    null,
    {},
    { session_id: 7 },
    { session_id: '../../etc/passwd' },
    { session_id: 'x'.repeat(10_000_000) },
  ])('tells nothing', (payload) => {
    expect(GEMINI_HOOKS.translate(eventOf('BeforeAgent', payload))).toBeNull();
  });

  test('a path that is none, or a notification of another kind, is left out', () => {
    expect(meaningOf('BeforeAgent', { transcript_path: 'x' })).not.toHaveProperty('transcript');
    expect(meaningOf('BeforeAgent', { transcript_path: `/${'x'.repeat(5_000)}` })).not.toHaveProperty(
      'transcript',
    );
    expect(meaningOf('Notification', { notification_type: 'Other' })).toBeNull();
    expect(meaningOf('Notification', { notification_type: 'ToolPermission', details: 'x' })).toMatchObject({
      waitingFor: 'permission',
    });
    expect(meaningOf('Unheard')).toBeNull();
  });
});

describe('which events are believed', () => {
  const believed = (memory: HookMemory, more: Parameters<typeof sceneOf>[0] = {}) =>
    believedMemory(sceneOf({ hooks: [memory], ...more })) !== null;
  const { sender } = memoryOf();

  test('those of this process, or of the launcher that it was started by', () => {
    expect(believed(memoryOf())).toBe(true);
    const launched = { launchers: [geminiProcess({ pid: 199 })] };
    expect(believed(memoryOf({ sender: { ...sender, parentPid: 199 } }), launched)).toBe(true);
  });

  test('S29: not those of another process, pane or server', () => {
    expect(believed(memoryOf({ sender: { ...sender, parentPid: 199 } }))).toBe(false);
    expect(believed(memoryOf({ sender: { ...sender, paneId: '%2' } }))).toBe(false);
    expect(believed(memoryOf({ sender: { ...sender, tmuxServerPid: 51 } }))).toBe(false);
    expect(believed(memoryOf({ sender: { parentPid: 200 } }))).toBe(false);
  });

  test('S37: not those from before it started', () => {
    expect(believed(memoryOf({ last: { event: 'BeforeAgent', at: STARTED_AT - 5_000 } }))).toBe(false);
  });

  test('S29: not those of a conversation that it has left, of which the older one is not taken up again', () => {
    const ended = memoryOf({ endedAt: NOW, last: { event: 'SessionEnd', at: NOW } });
    expect(believed(ended)).toBe(false);
    expect(believedMemory(sceneOf({ hooks: [ended, memoryOf()] }))).toBeNull();
    expect(believedMemory(sceneOf({ hooks: [memoryOf(), ended] }))).toEqual(memoryOf());
  });

  test('three ends in a row are one end', () => {
    const end = GEMINI_HOOKS.translate(eventOf('SessionEnd', { session_id: CONVERSATION }));
    let memory: HookMemory | undefined = memoryOf();
    for (const at of [NOW, NOW + 80, NOW + 200]) {
      memory = rememberEvent(memory, eventOf('SessionEnd', {}, at), end as NonNullable<typeof end>);
    }
    expect(believed(memory)).toBe(false);
  });
});

describe('what the hooks tell', () => {
  const seen = { startedAt: STARTED_AT, isTitleReady: false, now: NOW, isVerified: true };
  const at = NOW - 10_000;
  const running = memoryOf({ turn: { value: 'running', at }, last: { event: 'BeforeTool', at } });
  const asking = memoryOf({
    turn: { value: 'running', at },
    waitingFor: { value: 'permission', at },
    last: { event: 'Notification', at },
  });

  test('a turn that runs, a question and when they began', () => {
    expect(hookSign(running, seen)).toMatchObject({ turn: 'running', since: at, isLive: false });
    expect(hookSign(asking, seen)).toMatchObject({ turn: 'running', waitingFor: 'permission', since: at });
    expect(hookSign(memoryOf({ turn: { value: 'over', at } }), seen)).toMatchObject({
      turn: 'over',
      since: at,
    });
  });

  test('never that no dialog is open: a dialog of the start has no event', () => {
    const after = memoryOf({ turn: { value: 'over', at }, waitingFor: { value: null, at } });
    expect(hookSign(after, seen)).not.toHaveProperty('waitingFor');
    expect(hookSign(after, seen)).not.toHaveProperty('background');
  });

  test('nothing of a conversation that has only begun', () => {
    expect(hookSign(memoryOf(), seen)).toBeNull();
  });

  test('S27: nothing of a turn that the title has ended since: no event follows a declined permission', () => {
    expect(hookSign(asking, { ...seen, isTitleReady: true })).toBeNull();
    expect(hookSign(running, { ...seen, isTitleReady: true })).toBeNull();
    const just = { ...seen, isTitleReady: true, now: at + 1_000 };
    expect(hookSign(running, just)).toMatchObject({ turn: 'running' });
    const over = memoryOf({ turn: { value: 'over', at } });
    expect(hookSign(over, { ...seen, isTitleReady: true })).toMatchObject({ turn: 'over' });
  });

  test('S30: when the last turn began, also of one that the title has ended since', () => {
    const over = memoryOf({ turn: { value: 'over', at }, beganAt: at - 1 });
    expect(hookSign(over, seen)).toMatchObject({ turn: 'over', beganAt: at - 1 });
    const declined = hookSign({ ...asking, beganAt: at }, { ...seen, isTitleReady: true });
    expect(declined).toMatchObject({ beganAt: at, since: at });
    expect(declined).not.toHaveProperty('turn');
  });

  test('S37: nothing that was heard before the process started', () => {
    const old = STARTED_AT - 5_000;
    expect(hookSign(memoryOf({ beganAt: old }), seen)).toBeNull();
    expect(hookSign(memoryOf({ turn: { value: 'over', at: old } }), seen)).toBeNull();
    expect(hookSign(memoryOf({ waitingFor: { value: 'permission', at: old } }), seen)).toBeNull();
  });
});
