import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geminiAgent } from '../../../../src/adapters/agents/gemini/gemini-agent.ts';
import { fuse } from '../../../../src/core/agent/fuse.ts';
import type { AgentSign } from '../../../../src/core/agent/sign.ts';
import type { AgentReading, AgentScene } from '../../../../src/ports/agent.ts';
import { recordedScreen, recordedTitle, recording } from './recordings.ts';
import { CONVERSATION, geminiProcess, memoryOf, NOW, processOf, sceneOf, shellOf } from './scene.ts';

const together = (signs: readonly AgentSign[]) => {
  const [first, ...rest] = signs;
  return first ? fuse([first, ...rest], NOW) : null;
};

describe('Gemini', () => {
  let home: string;
  let script: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'gemini-'));
    const folder = join(home, 'node_modules/@google/gemini-cli');
    script = join(folder, 'bundle/gemini.js');
    mkdirSync(join(folder, 'bundle'), { recursive: true });
    writeFileSync(script, '');
    writeFileSync(join(folder, 'package.json'), '{"name":"@google/gemini-cli","version":"0.61.0"}');
  });
  afterAll(() => rmSync(home, { recursive: true }));

  const scene = (fields: Partial<AgentScene> = {}) =>
    sceneOf({
      agent: geminiProcess({
        argv: ['node', '--max-old-space-size=4096', script],
        cwd: join(home, 'project'),
        env: () => ({ HOME: home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'none.json') }),
      }),
      ...fields,
    });
  const listen = (fields: Partial<AgentScene> = {}) => geminiAgent().listen?.(scene(fields)) as AgentReading;
  const judge = (recorded: string, fields: Partial<AgentScene> = {}) => {
    const agent = geminiAgent();
    const reading = agent.listen?.(scene({ title: recordedTitle(recorded), ...fields })) as AgentReading;
    const screen = agent.readScreen?.(recordedScreen(recorded), reading);
    return together(screen ? [...reading.signs, screen] : reading.signs);
  };

  test('S15: whose title says Ready while the trust dialog blocks is waiting for trust', () => {
    expect(recordedTitle('trust')).toMatch(/^◇ {2}Ready/);
    for (const name of ['trust', 'trust-60', 'trust-40']) {
      expect(judge(name)).toMatchObject({ says: 'waiting', waitingFor: 'trust' });
    }
  });

  test('S15: whose title says Ready while a login or another dialog blocks is waiting', () => {
    expect(judge('auth')).toMatchObject({ says: 'waiting', waitingFor: 'login' });
    expect(judge('auth-google')).toMatchObject({ says: 'waiting', waitingFor: 'login' });
    expect(judge('loop')).toMatchObject({ says: 'waiting', waitingFor: 'question' });
    expect(judge('dialog-settings')).toMatchObject({ says: 'waiting', waitingFor: 'input' });
  });

  test('S15: that asks is waiting for what its screen or its hook names', () => {
    expect(judge('ask')).toMatchObject({ says: 'waiting', waitingFor: 'permission' });
    expect(judge('question-40')).toMatchObject({ says: 'waiting', waitingFor: 'question' });
    expect(judge('plan')).toMatchObject({ says: 'waiting', waitingFor: 'plan' });
    const at = NOW - 9_000;
    const memory = memoryOf({ waitingFor: { value: 'question', at }, turn: { value: 'running', at } });
    const asked = listen({ title: recordedTitle('question'), hooks: [memory] });
    expect(together(asked.signs)).toMatchObject({ says: 'waiting', waitingFor: 'question' });
  });

  test('is idle at its ready prompt, when title, screen and processes agree', () => {
    expect(judge('done-tool')).toMatchObject({
      says: 'idle',
      backgroundTasks: 0,
      hasDraft: false,
      isReady: true,
    });
  });

  test('is idle after a declined permission, of which no event tells', () => {
    const at = NOW - 60_000;
    const memory = memoryOf({
      turn: { value: 'running', at: at + 30_000 },
      waitingFor: { value: 'permission', at: at + 30_000 },
      last: { event: 'Notification', at: at + 30_000 },
    });
    expect(judge('ask-declined', { hooks: [memory] })).toMatchObject({ says: 'idle' });
  });

  test('never proves rest by its title alone', () => {
    expect(together(listen().signs)).toMatchObject({ says: 'unknown' });
    expect(listen().signs.map((sign) => sign.waitingFor)).toEqual([undefined, undefined]);
  });

  test('S12: with a command in the background has left something running', () => {
    expect(judge('bg', { others: () => [shellOf('sleep 300')] })).toMatchObject({ backgroundTasks: 1 });
    const stray = processOf({ argv: ['sleep', '333'], parentPid: 1, relation: 'outside' });
    expect(judge('setsid', { others: () => [stray] })).toMatchObject({ backgroundTasks: 1 });
  });

  test('S17: that compresses its history is not at rest, whatever its title says', () => {
    for (const name of ['compressing', 'compressing-quiet', 'minimal-compressing', 'nospin-compressing']) {
      expect(judge(name)).toMatchObject({ backgroundTasks: 1 });
    }
  });

  test('S10, S17: that works in silence, retries or runs a focused command is working', () => {
    for (const name of ['stall', 'think', 'quota', 'tool-40', 'slow-60', 'shell-focused', 'minimal-slow']) {
      expect(judge(name)?.says, name).toBe('working');
    }
  });

  test('whose command has gone quiet is working, though its title asks for action', () => {
    const quiet = { others: () => [shellOf('echo hi; sleep 100')] };
    expect(recordedTitle('quiet-tool')).toMatch(/^✋/);
    expect(judge('quiet-tool', quiet)).toMatchObject({ says: 'working' });
    expect(judge('ask', quiet)).toMatchObject({ says: 'waiting', waitingFor: 'permission' });
  });

  test('S16: with a draft or a queued prompt is not empty', () => {
    for (const name of ['draft-home', 'draft-mimic-home', 'draft-bigpaste', 'slash-60', 'queued']) {
      expect(judge(name)?.hasDraft, name).toBe(true);
    }
  });

  test('whose settings hide its title does not have it believed', () => {
    const settings = join(home, '.gemini/settings.json');
    mkdirSync(join(home, '.gemini'), { recursive: true });
    writeFileSync(settings, '{"ui":{"hideWindowTitle":true}}');
    const reading = listen();
    rmSync(settings);
    expect(reading.signs).toEqual([]);
    expect(reading.gaps.map((gap) => gap.code)).toContain('status-missing');
  });

  test('tells the conversation, its transcript and how to resume it, when its own hooks did', () => {
    const transcript = join(home, 'session-2026-11-15T07-48-7933541c.jsonl');
    const conversation = '7933541c-fe59-42f0-a4ae-4277f31ca7b5';
    writeFileSync(transcript, recording('transcript.jsonl'));
    const turn = { value: 'over', at: NOW - 9_000 } as const;
    const reading = listen({ hooks: [memoryOf({ conversation, transcript, turn })] });
    expect(reading).toMatchObject({
      version: '0.61.0',
      conversation,
      transcript,
      resume: ['gemini', '--resume', conversation],
      gaps: [],
      failures: [],
    });
    const foreign = listen({ hooks: [memoryOf({ transcript, turn })] });
    expect(foreign).not.toHaveProperty('transcript');
    expect(foreign).not.toHaveProperty('resume');
    const untouched = memoryOf({ conversation, transcript });
    expect(listen({ hooks: [untouched] })).not.toHaveProperty('resume');
    for (const words of [['--resume', 'latest'], ['-yr', 'latest'], ['-r5']]) {
      const agent = geminiProcess({ argv: ['node', script, ...words] });
      const { resume } = listen({ agent, hooks: [untouched] });
      expect(resume, words[0]).toEqual(['gemini', '--resume', conversation]);
    }
  });

  test('S23, S29: without hooks of its own names no conversation, whatever the arguments say', () => {
    const foreign = memoryOf({ sender: { parentPid: 999, paneId: '%1', tmuxServerPid: 50 } });
    const agent = geminiProcess({ argv: ['node', script, '--resume', CONVERSATION], env: () => null });
    const reading = listen({ agent, hooks: [foreign] });
    expect(reading).not.toHaveProperty('conversation');
    expect(reading).not.toHaveProperty('resume');
    expect(reading.gaps.map((gap) => gap.code)).toEqual([
      'environment-unreadable',
      'hooks-silent',
      'conversation-unknown',
    ]);
  });

  test('of another version says so, and its signs are not verified', () => {
    const reading = listen({ agent: geminiProcess({ argv: ['gemini'] }) });
    expect(reading.gaps.map((gap) => gap.code)).toContain('version-unverified');
    expect(reading.signs.every((sign) => !sign.isVerified)).toBe(true);
  });

  test('S43: is left by /quit, and by a signal to its whole group', () => {
    expect(geminiAgent().exit).toEqual({ command: '/quit', signal: 'group' });
  });
});
