import { describe, expect, test } from 'vitest';
import { hooks } from '../../../../src/adapters/agents/codex/hooks.ts';
import type { HookEvent } from '../../../../src/core/agent/hook-memory.ts';
import { fixture } from './fixtures.ts';

const RECORDED = JSON.parse(fixture('hooks.json')) as Record<
  string,
  { event: string; payload: Record<string, unknown>; paneId: string; parentPid: number }
>;

const eventOf = (name: string, payload: unknown = RECORDED[name]?.payload): HookEvent => ({
  agentKind: 'codex',
  event: RECORDED[name]?.event ?? name,
  at: 5,
  sender: { parentPid: 1 },
  payload: payload as HookEvent['payload'],
});
const session = (name: string): unknown => RECORDED[name]?.payload.session_id;
const agent = (name: string): unknown => RECORDED[name]?.payload.agent_id;

describe('a recorded hook', () => {
  test.each([
    ['SessionStart', { isStart: true }],
    ['SessionStart/resume', { isStart: true }],
    ['SessionEnd', { isEnd: true }],
    ['UserPromptSubmit', { turn: 'running', isPrompt: true, waitingFor: null }],
    ['PreToolUse', { turn: 'running', waitingFor: null }],
    ['PostToolUse', { turn: 'running', waitingFor: null }],
    ['PermissionRequest', { turn: 'running', waitingFor: 'permission' }],
    ['PreCompact', { turn: 'running', waitingFor: 'compaction' }],
    ['PostCompact', { turn: 'over', waitingFor: null }],
    ['Interrupt', { turn: 'over', waitingFor: null }],
    ['Stop', { turn: 'over', waitingFor: null }],
  ])('%s', (name, meaning) => {
    const transcript = RECORDED[name]?.payload.transcript_path;
    expect(hooks.translate(eventOf(name))).toEqual({ conversation: session(name), transcript, ...meaning });
  });

  test('of a compaction that Codex began itself leaves the turn running', () => {
    const payload = { ...RECORDED.PostCompact?.payload, trigger: 'auto' };
    expect(hooks.translate(eventOf('PostCompact', payload))).toMatchObject({ turn: 'running' });
    expect(hooks.translate(eventOf('SessionStart/compact'))).toBeNull();
  });

  test('S12: of a subagent counts it for its parent, and says nothing of the parent’s turn', () => {
    for (const [name, key] of [
      ['SubagentStart/subagent', 'subagentStarted'],
      ['UserPromptSubmit/subagent', 'subagentStarted'],
      ['SubagentStop/subagent', 'subagentEnded'],
    ] as const)
      expect(hooks.translate(eventOf(name))).toEqual({ conversation: session(name), [key]: agent(name) });
    const stop = { ...RECORDED.Stop?.payload, agent_id: agent('SubagentStart/subagent') };
    expect(hooks.translate(eventOf('Stop', stop))).toBeNull();
    expect(hooks.translate(eventOf('Stop', { ...stop, agent_id: 7 }))).toBeNull();
  });

  test('is listed', () => {
    for (const { event } of Object.values(RECORDED)) expect(hooks.events).toContain(event);
  });
});

test('S57: a hook that is not Codex’s says nothing', () => {
  const good = RECORDED.Stop?.payload;
  for (const payload of [
    null,
    {},
    [],
    { session_id: 7 },
    { session_id: 'x' },
    { ...good, session_id: '../../x' },
  ])
    expect(hooks.translate(eventOf('Stop', payload))).toBeNull();
  for (const event of ['Notification', 'constructor', '__proto__', 'toString'])
    expect(hooks.translate(eventOf(event, good))).toBeNull();
  expect(hooks.translate(eventOf('Stop', { ...good, transcript_path: 9 }))).not.toHaveProperty('transcript');
});

test('hooks come from the pane only where no daemon is shared', () => {
  const from = (...argv: string[]) => hooks.isFromPane?.(argv);
  expect(from('/bin/codex', '--no-daemon', '--model', 'm')).toBe(true);
  expect(from('rollcall', 'lock', '--', 'codex', '--no-daemon')).toBe(true);
  expect(from('codex')).toBe(false);
  expect(from('sh', '-c', 'codex')).toBe(false);
});
