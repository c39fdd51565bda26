import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTranscript } from '../../../../src/adapters/agents/claude/find-transcript.ts';
import { taleOf, transcriptSign } from '../../../../src/adapters/agents/claude/transcript.ts';
import { createTranscripts } from '../../../../src/adapters/agents/claude/transcripts.ts';
import { agentIn, CONVERSATION, fixture, NOW } from './fixtures.ts';

const real = (name: string) => fixture(`transcripts/${name}.jsonl`);

describe('the last record of a transcript tells of the turn', () => {
  it.each([
    ['prompt-sent', { turn: 'running', beganAt: expect.any(Number) }],
    ['tool-called', { turn: 'running', openTool: 'Bash' }],
    ['question-asked', { turn: 'running', openTool: 'AskUserQuestion' }],
    ['tool-answered', { turn: 'running' }],
    ['woken-by-task', { turn: 'running', beganAt: expect.any(Number) }],
    ['turn-over', { turn: 'over' }],
    ['local-command', { turn: 'over' }],
    ['interrupted', { turn: 'over' }],
    ['interrupted-over', { turn: 'over' }],
    ['api-error', { turn: 'over', trouble: 'error' }],
    ['api-error-over', { turn: 'over', trouble: 'error' }],
    ['agent-left', { turn: 'over', background: 1 }],
  ])('%s', (name, facts) => {
    expect(taleOf(real(name))).toEqual({ at: expect.any(Number), text: expect.any(String), ...facts });
  });

  it.each(['answered', 'stop-hooks-done'])('S30: %s: hooks at its end may send it on', (name) => {
    const tale = taleOf(real(name));
    expect(tale).not.toHaveProperty('turn');
    expect(tale && transcriptSign(tale, NOW, '2.1.325')).toBeNull();
  });

  it.each(['clear-like-command', 'compacted'])('%s may be the beginning of a turn, or of none', (name) => {
    expect(taleOf(real(name))).toBeNull();
  });

  it('S30: the record of a prompt tells when its turn began', () => {
    const tale = taleOf(real('prompt-sent'));
    expect(tale && transcriptSign(tale, NOW, '2.1.325')).toMatchObject({ beganAt: tale?.at });
  });

  it('the time of the record is when it began', () => {
    const tale = taleOf(real('turn-over'));
    expect(tale && transcriptSign(tale, NOW, '2.1.325')).toEqual({
      source: 'transcript',
      observedAt: NOW,
      isLive: false,
      since: Date.parse('2026-11-15T07:27:24.429Z'),
      turn: 'over',
      isVerified: true,
      text: 'its last turn is over',
    });
  });

  it('an error waits for what would help: a login, time, or someone who looks', () => {
    const withError = (error: string) => taleOf(real('api-error').replaceAll('"server_error"', `"${error}"`));
    expect(withError('rate_limit')).toMatchObject({ trouble: 'limit' });
    expect(withError('authentication_failed')).toMatchObject({ trouble: 'login' });
  });
});

describe('S57: what cannot be read tells nothing', () => {
  const over = real('turn-over');

  it.each([
    ['half a line at its end', `${over}{"type":"user","mess`],
    ['a whole line that is still without its end', over.trimEnd()],
    ['a line that is no JSON', `${over}oops\n`],
    ['a record of an unknown kind', `${over}{"type":"teleported","timestamp":"2026-11-15T07:00:00Z"}\n`],
    ['a record without a time', `${over}{"type":"user","message":{"content":"hi"}}\n`],
    ['nothing', ''],
    ['a single line of ten megabytes, cut off', 'x'.repeat(10_000_000)],
    ['wrong types', `${over}{"type":"assistant","timestamp":"2026-11-15T07:00:00Z","message":[1]}\n`],
  ])('%s', (_, text) => expect(taleOf(text)).toBeNull());

  it('records of subagents are not the turn', () => {
    const aside = `{"type":"assistant","isSidechain":true,"message":{"stop_reason":"end_turn"}}\n`;
    expect(taleOf(`${real('tool-called')}${aside}`)).toMatchObject({ turn: 'running' });
  });
});

describe('a transcript is found by its conversation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-claude-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const put = (project: string, text = real('turn-over'), conversation = CONVERSATION) => {
    mkdirSync(join(folder, 'projects', project), { recursive: true });
    const path = join(folder, 'projects', project, `${conversation}.jsonl`);
    writeFileSync(path, text);
    return path;
  };
  const clues = () => ({ conversation: CONVERSATION, folder, cwds: ['/home/dev/my.app'] });

  it('in the folder of its project', () => {
    const path = put('-home-dev-my-app');
    expect(findTranscript(clues())).toBe(path);
  });

  it('S23: in another project, as from a git worktree, and never that of a sibling', () => {
    put('-home-dev-my-app', '', 'a0000000-9d24-4e46-be4f-85ecaaecac04');
    expect(findTranscript(clues())).toBeNull();
    const path = put('-home-dev-elsewhere');
    expect(findTranscript(clues())).toBe(path);
  });

  it('where the hooks say, but only if it is its own', () => {
    const told = put('-anywhere');
    const other = put('-home-dev-my-app', '', 'a0000000-9d24-4e46-be4f-85ecaaecac04');
    expect(findTranscript({ ...clues(), told })).toBe(told);
    expect(findTranscript({ ...clues(), told: other })).toBe(told);
    expect(findTranscript({ ...clues(), told: '/dev/zero' })).toBe(told);
  });

  it('once, and then not again until the agent moves', () => {
    const transcripts = createTranscripts();
    const find = (mark: string) => transcripts.find(agentIn(folder), { ...clues(), mark });
    expect(find('a')).toBeNull();
    const path = put('-home-dev-elsewhere');
    expect(find('a')).toBeNull();
    expect(find('b')).toBe(path);
    rmSync(path);
    expect(find('b')).toBeNull();
  });

  it('S23: one that was replaced, cut short or grown is read anew', () => {
    const transcripts = createTranscripts();
    const path = put('-p', real('turn-over'));
    expect(transcripts.read(path)).toMatchObject({ turn: 'over' });
    expect(transcripts.read(path)).toBe(transcripts.read(path));
    put('-p', `${real('turn-over')}${real('prompt-sent')}`);
    expect(transcripts.read(path)).toMatchObject({ turn: 'running' });
    put('-p', '');
    expect(transcripts.read(path)).toBeNull();
    rmSync(path);
    expect(transcripts.read(path)).toBeNull();
  });
});
