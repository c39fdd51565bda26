import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GEMINI_GATE as gate } from '../../../../src/adapters/agents/gemini/gate.ts';

const ID = '44b87efa-351f-43fe-bc58-cac5926497d5';
const STOP = {
  session_id: ID,
  hook_event_name: 'AfterAgent',
  stop_hook_active: false,
  transcript_path: '/t',
  cwd: '/home/dev/work',
};

describe('the end of a turn of Gemini', () => {
  it('is read as it was captured', () => {
    expect(gate.read(STOP)).toEqual({
      conversation: ID,
      isSubagent: false,
      isContinued: false,
      transcript: '/t',
    });
    expect(gate.read({ ...STOP, hook_event_name: 'Stop' })).toBeNull();
    expect([gate.event, gate.cap({}), gate.hasDaemon]).toEqual(['AfterAgent', null, false]);
  });

  it('is denied with one line', () => {
    expect(gate.block('a\nb')).toBe('{"decision":"deny","reason":"a\\nb"}');
  });

  it.each([
    [['gemini', '--resume', ID], ID],
    [['node', '--max-old-space-size=4096', '/x/bin/gemini', '-r', ID], ID],
    [['gemini', `--resume=${ID}`, '-m', 'x'], ID],
    [['gemini', '-yr', ID], ID],
    [['gemini', `-r=${ID}`], ID],
    [['gemini', '-m', '-r', ID], null],
    [['gemini', '--resume', 'latest'], null],
    [['gemini', '--resume', '3'], null],
    [['gemini', '--resume'], null],
    [['gemini', ID], null],
    [['gemini', '--', '--resume', ID], null],
    [['vim', '--resume', ID], null],
  ])('S53: %j takes up %s', (argv, conversation) => {
    expect(gate.resumes(argv)).toBe(conversation);
  });
});

describe('Escape in Gemini', () => {
  const said = (transcript: string | null) => ({
    ...{ conversation: ID, isSubagent: false, isContinued: false, transcript },
  });
  const cancelled = { id: 'i', type: 'info', content: 'Request cancelled.' };
  const answered = { id: 'g', type: 'gemini', content: 'Request cancelled.' };
  const set = { $set: { lastUpdated: '2026-11-15T01:46:00.000Z' } };

  it.each([
    ['the last that is written down', [answered, cancelled, set], true],
    ['followed by an answer', [cancelled, answered, set], false],
    ['said by the model', [answered], false],
    ['nowhere', [], false],
  ])('S53: is told by the transcript: %s', (_, records, isInterrupted) => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-gemini-gate-'));
    try {
      const transcript = join(folder, 'chat.jsonl');
      const lines = records.map((record) => `${JSON.stringify(record)}\n`);
      writeFileSync(transcript, `${JSON.stringify({ sessionId: ID })}\n${lines.join('')}{"half`);
      expect(gate.isInterrupted?.(said(transcript))).toBe(isInterrupted);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is not told by what is not there', () => {
    expect([said(null), said('/nowhere/chat.jsonl')].map((one) => gate.isInterrupted?.(one))).toEqual([
      false,
      false,
    ]);
  });
});

describe('what is left on the list of Gemini', () => {
  let folder: string;
  let transcript: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-gemini-gate-'));
    transcript = join(folder, 'session-2026-11-15T01-46-44b87efa.jsonl');
    writeFileSync(transcript, `${JSON.stringify({ sessionId: ID, kind: 'main' })}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (record: object) => appendFileSync(transcript, `${JSON.stringify(record)}\n`);
  const message = (todos: unknown, status = 'success') => ({
    id: 'm',
    type: 'gemini',
    toolCalls: [{ id: 't', name: 'write_todos', args: { todos }, status }],
  });
  const list = (...items: readonly (readonly [string, string])[]) =>
    items.map(([description, status]) => ({ description, status }));
  const todo = (conversation = ID) => gate.todo({ conversation, transcript, env: {} });

  it('is nothing without a list, and what the last one says', () => {
    expect(todo()).toEqual({ state: 'read', open: [] });
    write(message(list(['one', 'pending'])));
    write(message(list(['a', 'completed'], ['b', 'cancelled'], ['c', 'blocked'], ['d', 'in_progress'])));
    write(message(list(['refused', 'pending']), 'error'));
    expect(todo()).toEqual({ state: 'read', open: ['c', 'd'] });
    write({ $set: { messages: [message(list(['e', 'pending'])), message(list(['f', 'pending']))] } });
    expect(todo()).toEqual({ state: 'read', open: ['f'] });
    write(message([]));
    expect(todo()).toEqual({ state: 'read', open: [] });
  });

  it('is unknown after a step back, until there is a list again', () => {
    write(message(list(['one', 'pending'])));
    write({ $rewindTo: 'm' });
    expect(todo()).toMatchObject({ state: 'unknown' });
    write(message(list(['two', 'pending'])));
    expect(todo()).toEqual({ state: 'read', open: ['two'] });
  });

  it('S57: is unknown without its transcript, with another’s, and while a list is being written', () => {
    expect(gate.todo({ conversation: ID, transcript: null, env: {} })).toMatchObject({ state: 'unknown' });
    expect(todo('44b87efa-351f-43fe-bc58-000000000000')).toMatchObject({ state: 'unknown' });
    appendFileSync(transcript, '{"toolCalls":[{"name":"write_todos"');
    expect(todo()).toMatchObject({ state: 'unknown' });
    rmSync(transcript);
    expect(todo()).toMatchObject({ state: 'unknown' });
  });
});
