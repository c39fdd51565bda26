import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../../src/adapters/agents/claude/claude-agent.ts';
import { fuse } from '../../../../src/core/agent/fuse.ts';
import type { HookMemory } from '../../../../src/core/agent/hook-memory.ts';
import type { AgentSign } from '../../../../src/core/agent/sign.ts';
import type { AgentAdapter, AgentProcess, AgentReading, AgentScene } from '../../../../src/ports/agent.ts';
import { agentIn, CONVERSATION, fixture, NOW, recordedScreen, sceneOf } from './fixtures.ts';

let home: string;
let adapter: AgentAdapter;
let project: string;
const recorded = JSON.parse(fixture('status.json'));
const SINCE = NOW - 60_000;
const CALL = '{"type":"tool_use","name":"CronCreate","input":{}}\n';

beforeEach(() => {
  adapter = claudeAgent();
  home = mkdtempSync(join(tmpdir(), 'rollcall-claude-'));
  project = join(home, 'app');
  mkdirSync(join(home, '.claude', 'sessions'), { recursive: true });
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true }));

const status = (change: object = {}) =>
  writeFileSync(
    join(home, '.claude', 'sessions', '31600.json'),
    JSON.stringify({ ...recorded, cwd: project, statusUpdatedAt: SINCE, ...change }),
  );

function transcript(name: string, more = ''): string {
  const folder = join(home, '.claude', 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${CONVERSATION}.jsonl`);
  writeFileSync(path, fixture(`transcripts/${name}.jsonl`) + more);
  return path;
}

const memory = (given: Partial<HookMemory> = {}): HookMemory => ({
  agentKind: 'claude',
  conversation: CONVERSATION,
  sender: { parentPid: 1, agentPid: 31600 },
  subagents: [],
  turn: { value: 'over', at: SINCE },
  waitingFor: { value: null, at: SINCE },
  background: { value: 0, at: SINCE },
  last: { event: 'Stop', at: SINCE },
  ...given,
});

const hear = async (
  given: Partial<AgentProcess> = {},
  scene: Partial<AgentScene> = {},
): Promise<AgentReading> => {
  const reading = await adapter.listen?.(sceneOf(agentIn(home, given), scene));
  if (!reading) throw new Error('does not listen');
  return reading;
};
const own = ({ signs }: AgentReading) => signs.find(({ source }) => source === 'agent');
const codes = ({ gaps }: AgentReading) => gaps.map(({ code }) => code);

const fused = ([first, ...others]: readonly AgentSign[]) => first && fuse([first, ...others], NOW);

/** What comes out with a recorded screen beside it. */
function saysWith(reading: AgentReading, screen: string) {
  const seen = adapter.readScreen?.({ ...recordedScreen(screen), observedAt: NOW }, reading);
  return fused(seen ? [...reading.signs, seen] : reading.signs);
}

describe('an agent with status, hooks and transcript', () => {
  it('is told by all three, and can be brought back', async () => {
    status();
    const path = transcript('turn-over');
    const reading = await hear({}, { hooks: [memory()] });
    expect(reading).toMatchObject({
      version: '2.1.325',
      conversation: CONVERSATION,
      transcript: path,
      resume: ['claude', '--resume', CONVERSATION],
      gaps: [],
      failures: [],
    });
    expect(reading.signs.map(({ source }) => source)).toEqual(['agent', 'hook', 'transcript']);
    expect(saysWith(reading, 'ready-done.120')).toMatchObject({
      says: 'idle',
      backgroundTasks: 0,
      hasDraft: false,
      isReady: true,
    });
  });

  it('finds its folder by CLAUDE_CONFIG_DIR', async () => {
    status({ status: 'busy' });
    const env = () => ({ HOME: '/nowhere', CLAUDE_CONFIG_DIR: join(home, '.claude') });
    expect(own(await hear({ env }))).toMatchObject({ turn: 'running' });
  });

  it('S10: works as long as its status says so, however quiet the rest', async () => {
    status({ status: 'busy' });
    transcript('turn-over');
    expect(saysWith(await hear({}, { hooks: [memory()] }), 'transcript-view.120')).toMatchObject({
      says: 'working',
    });
  });

  it('has nothing to be brought back to before its first prompt', async () => {
    status();
    const reading = await hear();
    expect(reading).not.toHaveProperty('resume');
    expect(reading).not.toHaveProperty('transcript');
    expect(reading.conversation).toBe(CONVERSATION);
  });

  it('S23: finds the transcript of a git worktree', async () => {
    status({ cwd: '/somewhere/else' });
    const path = transcript('turn-over');
    expect(await hear({ cwd: '/elsewhere/again' })).toMatchObject({ transcript: path });
  });

  it('S23: does not take the transcript of a sibling', async () => {
    status({ sessionId: 'a0000000-9d24-4e46-be4f-85ecaaecac04' });
    transcript('turn-over');
    expect((await hear()).signs.map(({ source }) => source)).toEqual(['agent']);
  });
});

describe('S12: timers, which neither its status nor its screen shows', () => {
  it('are told by the hook of the end of the turn', async () => {
    status();
    transcript('turn-over');
    const reading = await hear({}, { hooks: [memory({ background: { value: 1, at: SINCE } })] });
    expect(own(reading)).not.toHaveProperty('background');
    expect(saysWith(reading, 'ready-done.120')).toMatchObject({ says: 'idle', backgroundTasks: 1 });
  });

  it('are ruled out by a transcript that was searched, where no hook tells', async () => {
    status();
    const path = transcript('turn-over');
    expect(own(await hear())).toMatchObject({ background: 0 });
    appendFileSync(path, CALL);
    expect(own(await hear())).not.toHaveProperty('background');
    adapter = claudeAgent();
    expect(own(await hear())).not.toHaveProperty('background');
  });

  it('are not ruled out by a hook of an earlier turn than the last', async () => {
    status();
    transcript('turn-over', CALL);
    const hooks = [memory({ turn: { value: 'running', at: SINCE + 1000 } })];
    expect(own(await hear({}, { hooks }))).not.toHaveProperty('background');
  });

  it('are ruled out before anything was done', async () => {
    status({ startedAt: SINCE - 100 });
    expect(own(await hear())).toMatchObject({ background: 0 });
    status({ startedAt: SINCE - 5000 });
    expect(own(await hear())).not.toHaveProperty('background');
  });

  it('are not ruled out in a version that was never tried', async () => {
    status({ version: '2.1.400' });
    transcript('turn-over');
    expect(own(await hear())).not.toHaveProperty('background');
  });

  it('are not ruled out where it keeps those of the project', async () => {
    status();
    transcript('turn-over');
    mkdirSync(join(project, '.claude'));
    writeFileSync(join(project, '.claude', 'scheduled_tasks.lock'), '{"pid":31600}');
    expect(own(await hear())).not.toHaveProperty('background');
  });
});

describe('S15: a dialog is named as precisely as anything knows it', () => {
  it('a plan, by the tool that stands open in the transcript', async () => {
    status({ status: 'waiting', waitingFor: 'permission prompt' });
    const path = transcript('tool-called');
    expect(own(await hear())).toMatchObject({ waitingFor: 'permission' });
    const called = fixture('transcripts/tool-called.jsonl').replaceAll(
      '"name":"Bash"',
      '"name":"ExitPlanMode"',
    );
    writeFileSync(path, called);
    expect(own(await hear())).toMatchObject({ waitingFor: 'plan' });
  });

  it('a plan, by its hook, but not by an old one', async () => {
    status({ status: 'waiting', waitingFor: 'permission prompt' });
    const asked = (at: number) =>
      memory({
        turn: { value: 'running', at },
        waitingFor: { value: 'plan', at },
        last: { event: 'PermissionRequest', at },
      });
    expect(own(await hear({}, { hooks: [asked(SINCE - 50)] }))).toMatchObject({ waitingFor: 'plan' });
    expect(own(await hear({}, { hooks: [asked(SINCE - 50_000)] }))).toMatchObject({
      waitingFor: 'permission',
    });
  });
});

describe('S17: a turn that ended in an error', () => {
  it('rests, and is known to have failed', async () => {
    status();
    transcript('api-error-over');
    const reading = await hear();
    expect(saysWith(reading, 'error-overloaded.120')).toMatchObject({ says: 'idle', hasFailed: true });
    expect(saysWith(reading, 'ready-done.120')).toMatchObject({ says: 'idle', hasFailed: true });
  });

  it('waits for its limit, though status and prompt are those of rest', async () => {
    status();
    const path = transcript('api-error-over');
    writeFileSync(
      path,
      fixture('transcripts/api-error-over.jsonl').replaceAll('"server_error"', '"rate_limit"'),
    );
    const reading = await hear();
    expect(own(reading)).not.toHaveProperty('waitingFor');
    for (const screen of ['error-overloaded.120', 'ready-done.120']) {
      expect(saysWith(reading, screen)).toMatchObject({ says: 'waiting', waitingFor: 'limit' });
    }
  });

  it('waits for its limit by the hook alone', async () => {
    status();
    const hooks = [memory({ waitingFor: { value: 'limit', at: SINCE } })];
    expect(saysWith(await hear({}, { hooks }), 'ready-done.120')).toMatchObject({
      says: 'waiting',
      waitingFor: 'limit',
    });
  });

  it('is over with the next turn', async () => {
    status();
    transcript('turn-over');
    const at = Date.parse('2026-11-15T07:20:00Z');
    const hooks = [
      memory({
        waitingFor: { value: 'limit', at },
        turn: { value: 'over', at },
        last: { event: 'StopFailure', at },
      }),
    ];
    expect(own(await hear({}, { hooks }))).toMatchObject({ waitingFor: null });
  });
});

describe('an agent without its status file', () => {
  it('S6: is not told by one that another process left behind', async () => {
    status({ procStart: '1' });
    const reading = await hear();
    expect(reading.signs).toEqual([]);
    expect(codes(reading)).toEqual(['status-missing', 'hooks-silent', 'conversation-unknown']);
  });

  it('that inherited the mark of a child session keeps no transcript either', async () => {
    const env = () => ({ HOME: home, CLAUDE_CODE_CHILD_SESSION: '1' });
    expect(codes(await hear({ env }))).toContain('transcript-off');
    const forced = () => ({ ...env(), CLAUDE_CODE_FORCE_SESSION_PERSISTENCE: '1' });
    expect(codes(await hear({ env: forced }))).not.toContain('transcript-off');
    status();
    expect(codes(await hear({ env }))).not.toContain('transcript-off');
  });

  it('S15: at the question whether to trust its folder, is told by its screen', async () => {
    expect(saysWith(await hear(), 'trust.120')).toMatchObject({ says: 'waiting', waitingFor: 'trust' });
  });

  it('S34: of another user, says why nothing is known', async () => {
    expect(codes(await hear({ env: () => null }))).toContain('environment-unreadable');
  });

  it('is told by its hooks, and by the transcript that they name', async () => {
    const path = transcript('turn-over');
    const reading = await hear({}, { hooks: [memory({ transcript: path })] });
    expect(reading).toMatchObject({ conversation: CONVERSATION, transcript: path });
    expect(reading.signs.map(({ source }) => source)).toEqual(['hook', 'transcript']);
    expect(fused(reading.signs)).toMatchObject({ says: 'unknown' });
  });

  it('S29: does not tell by the transcript of a conversation that only its command line names', async () => {
    const path = transcript('turn-over');
    const reading = await hear({ argv: ['claude', '--resume', CONVERSATION], cwd: project });
    expect(reading).toMatchObject({ conversation: CONVERSATION, transcript: path, signs: [] });
  });

  it('is not missed by its hooks in its first seconds', async () => {
    expect(codes(await hear({ startedAt: NOW - 1000 }))).not.toContain('hooks-silent');
  });
});

describe('failures are told, and prove nothing', () => {
  it('a status that is not known', async () => {
    status({ status: 'dreaming' });
    const reading = await hear();
    expect(own(reading)).toBeUndefined();
    expect(reading.failures).toEqual([{ source: 'agent', text: 'its status “dreaming” is not understood' }]);
  });

  it('S57: a status file that stays half written', async () => {
    writeFileSync(join(home, '.claude', 'sessions', '31600.json'), '{"pid":31600,');
    expect((await hear()).failures).toEqual([{ source: 'agent', text: 'its status file is half written' }]);
  });

  it('an environment that cannot be read at all', async () => {
    const env = () => {
      throw new Error('gone');
    };
    expect((await hear({ env })).failures).toEqual([{ source: 'agent', text: 'cannot be asked: gone' }]);
  });

  it('a version that was never tried', async () => {
    status({ version: '2.2.1' });
    expect(codes(await hear())).toContain('version-unverified');
  });
});

it('how it is asked to leave', () => {
  expect(claudeAgent().exit).toEqual({ command: '/exit', signal: 'process' });
});
