import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate } from '../../../../src/adapters/agents/codex/gate.ts';

const ID = '01a1dcce-2607-78b1-ade8-eb1000f5e2c0';
const STOP = {
  session_id: ID,
  hook_event_name: 'Stop',
  stop_hook_active: true,
  transcript_path: null,
  cwd: '/home/dev/work',
};

describe('the end of a turn of Codex', () => {
  it('is read as it was captured, and a subagent’s is told apart', () => {
    const said = { conversation: ID, isSubagent: false, isContinued: true, transcript: null };
    expect(gate.read(STOP)).toEqual(said);
    expect(gate.read({ ...STOP, agent_id: 'x' })).toEqual({ ...said, isSubagent: true });
    expect(gate.read({ ...STOP, session_id: ID.toUpperCase() })).toBeNull();
    expect(gate.read({ ...STOP, hook_event_name: 'Interrupt' })).toBeNull();
  });

  it('may be told by a daemon, has no end that is known, and is held up with one line', () => {
    expect([gate.hasDaemon, gate.cap({}), gate.event]).toEqual([true, null, 'Stop']);
    expect(gate.block('a\nb')).toBe('{"decision":"block","reason":"a\\nb"}');
  });

  it.each([
    [['codex', 'exec', 'resume', ID], true],
    [['codex', 'review'], true],
    [['codex'], false],
    [['codex', 'resume', ID], false],
    [['codex', 'app-server', '--listen', 'unix://'], false],
    [['sh', '-c', 'codex exec'], false],
  ])('S53: %j answers for itself: %s', (argv, isOther) => {
    expect(gate.isOther?.(argv)).toBe(isOther);
  });

  it.each([
    [['codex', 'resume', ID], ID],
    [['codex', '--no-daemon', 'resume', ID, '-m', 'x'], ID],
    [['codex', 'fork', ID], null],
    [['codex', 'resume', '--last'], null],
    [['codex', 'resume', 'my work'], null],
    [['codex', '--', 'resume', ID], null],
    [['codex'], null],
    [['vim', 'resume', ID], null],
  ])('S53: %j takes up %s', (argv, conversation) => {
    expect(gate.resumes(argv)).toBe(conversation);
  });
});

describe('what is left of the plan of Codex', () => {
  let folder: string;
  let transcript: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-codex-gate-'));
    transcript = join(folder, `rollout-2026-11-15T01-24-20-${ID}.jsonl`);
    writeFileSync(transcript, `${JSON.stringify({ type: 'session_meta', payload: { id: ID } })}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const call = (given: string, name = 'update_plan') =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ timestamp: '2026-11-15T01:26:01.222Z', type: 'response_item', payload: { type: 'function_call', name, arguments: given, call_id: 'c' } })}\n`,
    );
  const plan = (...steps: readonly (readonly [string, string])[]) =>
    JSON.stringify({ plan: steps.map(([step, status]) => ({ step, status })) });
  const todo = (conversation = ID) => gate.todo({ conversation, transcript, env: {} });

  it('is nothing without a plan, and what the last one says', () => {
    // Of another tool, whose words speak of the plan.
    call(plan(['not a plan', 'pending']), 'exec_command');
    appendFileSync(
      transcript,
      `${JSON.stringify({ type: 'response_item', payload: { type: 'function_call', name: 'x', tool: 'update_plan', arguments: plan(['no', 'pending']) } })}\n`,
    );
    expect(todo()).toEqual({ state: 'read', open: [] });
    call(plan(['one', 'in_progress'], ['two', 'pending']));
    expect(todo()).toEqual({ state: 'read', open: ['one', 'two'] });
    call(plan(['one', 'completed'], ['two', 'completed']));
    call('{"plan":');
    expect(todo()).toEqual({ state: 'read', open: [] });
  });

  it('S57: is unknown without its transcript, with another’s, and while a plan is being written', () => {
    call(plan(['one', 'pending']));
    expect(gate.todo({ conversation: ID, transcript: null, env: {} })).toMatchObject({ state: 'unknown' });
    expect(todo('01a1dcce-2607-78b1-ade8-000000000000')).toMatchObject({ state: 'unknown' });
    appendFileSync(transcript, '{"type":"response_item","payload":{"name":"update_plan"');
    expect(todo()).toMatchObject({ state: 'unknown' });
    rmSync(transcript);
    expect(todo()).toMatchObject({ state: 'unknown' });
  });

  it('S57: is unknown where more is written than is searched, and found where the plan is near the end', () => {
    // A file with a hole: as long as it says, and no disk is filled.
    truncateSync(transcript, 70 * 1024 * 1024);
    appendFileSync(transcript, '\n');
    expect(todo()).toMatchObject({ state: 'unknown', text: expect.stringContaining('too long') });
    call(plan(['one', 'pending']));
    expect(todo()).toEqual({ state: 'read', open: ['one'] });
  });
});
