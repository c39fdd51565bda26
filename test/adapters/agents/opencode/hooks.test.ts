import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heardSessions, hookSign, hooks } from '../../../../src/adapters/agents/opencode/hooks.ts';
import { memoryOf, NOW, opencodeProcess, SESSION, STARTED_AT, sceneOf } from './scene.ts';

const RECORDED = readFileSync(
  join(import.meta.dirname, '../../../fixtures/agents/opencode/hooks.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> });

const translate = (event: string, payload: Record<string, unknown> | null) =>
  hooks.translate({ agentKind: 'opencode', event, at: NOW, sender: { parentPid: 1 }, payload });

describe('what the events of the plugin mean', () => {
  const CHILD = 'ses_e21dfb897ffeF7xJg6QiacW1nL';
  const OTHER = 'ses_e21e510baffegGtrLYo2JRnLnq';
  const expected = [
    ['dispose', { conversation: null, isEnd: true }],
    ['session.created', { conversation: SESSION, isStart: true }],
    ['chat.message', { conversation: SESSION, turn: 'running', isPrompt: true }],
    ['session.status', { conversation: SESSION, turn: 'running' }],
    ['tool.execute.before', { conversation: OTHER, turn: 'running' }],
    ['session.status', { conversation: SESSION, turn: 'over', waitingFor: null }],
    ['session.idle', { conversation: SESSION, turn: 'over', waitingFor: null }],
    ['tool.execute.after', { conversation: OTHER, turn: 'running' }],
    ['permission.asked', { conversation: SESSION, turn: 'running', waitingFor: 'permission' }],
    ['permission.replied', { conversation: SESSION, turn: 'running', waitingFor: null }],
    ['question.asked', { conversation: SESSION, turn: 'running', waitingFor: 'question' }],
    ['question.replied', { conversation: SESSION, turn: 'running', waitingFor: null }],
    ['session.status', { conversation: SESSION, turn: 'running' }],
    ['session.created', { conversation: CHILD, isStart: true }],
    ['session.compacted', null],
    ['session.error', null],
  ] as const;

  it('S17: as recorded, a retry and a compaction included', () => {
    expect(RECORDED.map(({ event, payload }) => [event, translate(event, payload)])).toEqual(expected);
  });

  it('listens to every event that was recorded', () => {
    expect(RECORDED.map(({ event }) => event).filter((event) => !hooks.events.includes(event))).toEqual([]);
  });

  it.each([
    ['session.status', null],
    ['session.status', {}],
    ['session.status', { properties: { sessionID: 5, status: 'busy' } }],
    ['session.status', { properties: { sessionID: 'ses_1', status: { type: 'sleeping' } } }],
    ['session.idle', { properties: [] }],
    ['session.idle', { properties: { sessionID: 'x'.repeat(5000) } }],
    ['constructor', { properties: { sessionID: 'ses_1' } }],
    ['unheard', { properties: { sessionID: 'ses_1' } }],
  ])('S57: %s with %j says nothing', (event, payload) => expect(translate(event, payload)).toBeNull());
});

describe('what the plugin has told of all sessions of a process', () => {
  const at = STARTED_AT + 60_000;
  const signOf = (scene: Parameters<typeof heardSessions>[0]) => hookSign(heardSessions(scene), scene, true);

  it('is rest when every session has ended its turn', () => {
    const over = memoryOf({ turn: { value: 'over', at } });
    expect(signOf(sceneOf({ hooks: [over] }))).toMatchObject({ turn: 'over', since: at, isLive: false });
  });

  it('S30: tells when a turn of the session on the screen began, and not when a subagent was prompted', () => {
    const parent = memoryOf({ turn: { value: 'over', at }, beganAt: at - 9 });
    const child = memoryOf({ conversation: 'ses_child', turn: { value: 'over', at }, beganAt: at - 5 });
    const scene = sceneOf({ hooks: [child, parent] });
    expect(hookSign(heardSessions(scene), scene, true, SESSION)).toMatchObject({ beganAt: at - 9 });
    expect(signOf(scene)).not.toHaveProperty('beganAt');
  });

  it('S12: is work when another session than the last one still runs', () => {
    const over = memoryOf({ turn: { value: 'over', at: at + 50 } });
    const child = memoryOf({ conversation: 'ses_child', turn: { value: 'running', at } });
    expect(signOf(sceneOf({ hooks: [over, child] }))).toMatchObject({ turn: 'running', since: at });
  });

  it('S15: is waiting when a permission of any session is open', () => {
    const over = memoryOf({ turn: { value: 'over', at: at + 50 } });
    const asked = memoryOf({
      conversation: 'ses_other',
      turn: { value: 'running', at },
      waitingFor: { value: 'permission', at },
    });
    expect(signOf(sceneOf({ hooks: [over, asked] }))).toMatchObject({
      waitingFor: 'permission',
      turn: 'running',
    });
  });

  it('is nothing while a session that was just made has not begun', () => {
    const made = memoryOf({ last: { event: 'session.created', at: NOW - 500 } });
    expect(signOf(sceneOf({ hooks: [made] }))).toBeNull();
    const old = memoryOf({ last: { event: 'session.created', at: NOW - 20_000 } });
    expect(signOf(sceneOf({ hooks: [old] }))).toMatchObject({ turn: 'over' });
  });

  it('S29: does not come from another process', () => {
    const foreign = memoryOf({ sender: { parentPid: 200, agentPid: 201 }, turn: { value: 'over', at } });
    const unsigned = memoryOf({ sender: { parentPid: 200 }, turn: { value: 'over', at } });
    const scene = sceneOf({ hooks: [foreign, unsigned] });
    expect(signOf(scene)).toBeNull();
    expect([...heardSessions(scene).others]).toEqual([SESSION]);
  });

  it('S37: does not come from before the start of the process', () => {
    const before = STARTED_AT - 5_000;
    const old = memoryOf({
      turn: { value: 'running', at: before },
      last: { event: 'session.status', at: before },
    });
    expect(signOf(sceneOf({ hooks: [old] }))).toBeNull();
    const resumed = memoryOf({
      turn: { value: 'running', at: before },
      last: { event: 'session.compacted', at },
    });
    expect(signOf(sceneOf({ hooks: [resumed] }))).toMatchObject({ turn: 'over' });
  });

  it('S22: is believed when the launcher above it sent it', () => {
    const launched = memoryOf({ sender: { parentPid: 1, agentPid: 190 }, turn: { value: 'running', at } });
    const launchers = [opencodeProcess({ pid: 190 })];
    expect(signOf(sceneOf({ hooks: [launched], launchers }))).toMatchObject({ turn: 'running' });
  });
});
