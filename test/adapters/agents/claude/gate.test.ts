import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GATE } from '../../../../src/adapters/agents/claude/gate.ts';

const ID = 'dcd6fa02-a433-4de1-b684-6e62d62f1f75';
const OTHER = '44b87efa-351f-43fe-bc58-cac5926497d5';
const STOP = {
  session_id: ID,
  hook_event_name: 'Stop',
  stop_hook_active: false,
  transcript_path: '/t/x.jsonl',
  cwd: '/home/dev/work',
};
const SAID = { conversation: ID, isSubagent: false, isContinued: false, transcript: '/t/x.jsonl' };

describe('the end of a turn of Claude Code', () => {
  it('is read as it was captured', () => {
    expect(GATE.read(STOP)).toEqual(SAID);
    expect(GATE.read({ ...STOP, stop_hook_active: true })).toEqual({ ...SAID, isContinued: true });
    expect(GATE.read({ ...STOP, agent_id: 'a1' })).toEqual({ ...SAID, isSubagent: true });
    expect(GATE.read({ ...STOP, agent_id: null })).toEqual(SAID);
    expect(GATE.read({ ...STOP, transcript_path: 'x.jsonl' })).toEqual({ ...SAID, transcript: null });
  });

  it('S53: has no conversation where none is told, and an empty one is none', () => {
    for (const id of ['', null, undefined]) {
      expect(GATE.read({ ...STOP, session_id: id })).toEqual({ ...SAID, conversation: null });
    }
  });

  it.each([
    ['nothing', null],
    ['another event', { ...STOP, hook_event_name: 'SubagentStop' }],
    ['no event', { ...STOP, hook_event_name: undefined }],
    ['an id that is no text', { ...STOP, session_id: 5 }],
    ['an id in another form', { ...STOP, session_id: `${ID}\n` }],
    ['an id that is a path', { ...STOP, session_id: '../../x' }],
    ['no word on whether it goes on', { ...STOP, stop_hook_active: undefined }],
    ['an odd word on it', { ...STOP, stop_hook_active: 'false' }],
    ['an odd subagent', { ...STOP, agent_id: 0 }],
    ['no folder that it works in', { ...STOP, cwd: undefined }],
    ['no word on its transcript', { ...STOP, transcript_path: undefined }],
  ])('S53: is not understood with %s', (_what, payload) => {
    expect(GATE.read(payload)).toBeNull();
  });

  it('is held up with one line, whatever the reason says', () => {
    const line = GATE.block('two\nlines "and" \u2028 more');
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({ decision: 'block', reason: 'two\nlines "and" \u2028 more' });
  });

  it('S53: knows how often Claude Code goes on in a row', () => {
    const cap = (told?: string) =>
      GATE.cap(told === undefined ? {} : { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: told });
    expect([cap(), cap(''), cap('x'), cap('-1'), cap('3'), cap('0'), cap('00')]).toEqual([
      8,
      8,
      8,
      8,
      3,
      null,
      null,
    ]);
  });

  it.each([
    [['claude', '--resume', ID], ID],
    [['claude', '-r', ID, '--model', 'opus'], ID],
    [['node', '/x/bin/claude', `--resume=${ID}`], ID],
    [['claude', `-r${ID}`], ID],
    [['claude', '-cr', ID], ID],
    [['claude', '--resume', ID, '--fork-session'], null],
    [['claude', '--fork-session', '-r', ID], null],
    [['claude', '--resume', ID, '--fork-session', '--session-id', OTHER], null],
    [['claude', '--session-id', ID], null],
    [['claude', '--continue'], null],
    [['claude', '--resume'], null],
    [['claude', '--resume', 'my work'], null],
    [['claude', '--', '--resume', ID], null],
    [['vim', '--resume', ID], null],
  ])('S53: %j takes up %s', (argv, conversation) => {
    expect(GATE.resumes(argv)).toBe(conversation);
  });
});

describe('what is left on the list of Claude Code', () => {
  let folder: string;
  let transcript: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-claude-gate-'));
    mkdirSync(join(folder, 'projects/-work'), { recursive: true });
    transcript = join(folder, `projects/-work/${ID}.jsonl`);
    writeFileSync(transcript, '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const call = (name: string, input: object, more: object = {}) =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ type: 'assistant', isSidechain: false, message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name, input }] }, ...more })}\n`,
    );
  const todos = (...list: readonly (readonly [string, string])[]) => ({
    todos: list.map(([content, status]) => ({ content, status, activeForm: content })),
  });
  const todo = (env = {}) =>
    GATE.todo({ conversation: ID, transcript, env: { CLAUDE_CONFIG_DIR: folder, ...env } });
  const task = (id: number, subject: string, status: string, list = ID, more = {}) => {
    mkdirSync(join(folder, 'tasks', list), { recursive: true });
    writeFileSync(
      join(folder, 'tasks', list, `${id}.json`),
      JSON.stringify({ id: String(id), subject, status, ...more }),
    );
  };

  it('is nothing where there never was a list', () => {
    call('Bash', { command: 'echo "TodoWrite"' });
    expect(todo()).toEqual({ state: 'read', open: [] });
  });

  it('is what the last list says, of the conversation itself', () => {
    call('TodoWrite', todos(['old', 'pending']));
    call('TodoWrite', todos(['one', 'completed'], ['two', 'in_progress'], ['three\u001b', 'pending']));
    call('TodoWrite', todos(['of a subagent', 'pending']), { isSidechain: true });
    appendFileSync(transcript, `{"type":"user","message":{"content":"\\"TodoWrite\\""}}\n`);
    expect(todo()).toEqual({ state: 'read', open: ['two', 'three\\e'] });
    call('TodoWrite', todos(['one', 'completed']));
    expect(todo()).toEqual({ state: 'read', open: [] });
  });

  it('is not changed by a list that Claude Code would not have taken', () => {
    call('TodoWrite', todos(['one', 'pending']));
    call('TodoWrite', { todos: 'none' });
    call('TodoWrite', { todos: [{ content: 'x' }] });
    expect(todo()).toEqual({ state: 'read', open: ['one'] });
  });

  it('is in the files of tasks where those were used last', () => {
    call('TodoWrite', todos(['old', 'pending']));
    call('TaskCreate', { subject: 'one' });
    task(1, 'one', 'completed');
    task(2, 'two', 'in_progress');
    task(10, 'ten', 'pending');
    task(3, 'inner', 'pending', ID, { metadata: { _internal: true } });
    writeFileSync(join(folder, 'tasks', ID, '.highwatermark'), '10');
    expect(todo()).toEqual({ state: 'read', open: ['two', 'ten'] });
    task(1, 'shared', 'pending', 'our-list');
    expect(todo({ CLAUDE_CODE_TASK_LIST_ID: 'our-list' })).toEqual({ state: 'read', open: ['shared'] });
    expect(todo({ CLAUDE_CODE_TASK_LIST_ID: '../our-list' })).toEqual({
      state: 'read',
      open: ['two', 'ten'],
    });
    call('TodoWrite', todos(['new', 'pending']));
    expect(todo()).toEqual({ state: 'read', open: ['new'] });
  });

  it('is unknown where the files of tasks cannot be read', () => {
    call('TaskUpdate', { taskId: '1', status: 'completed' });
    expect(todo()).toMatchObject({ state: 'unknown' });
    task(1, 'one', 'pending');
    writeFileSync(join(folder, 'tasks', ID, '2.json'), '{"id":');
    expect(todo()).toMatchObject({ state: 'unknown' });
  });

  it('S57: is unknown with half a line, no transcript, a pipe in its place, or no folder', () => {
    const whole = `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'TodoWrite', input: todos(['a', 'pending']) }] } })}`;
    writeFileSync(transcript, whole);
    expect(todo()).toMatchObject({ state: 'unknown' });
    rmSync(transcript);
    expect(todo()).toMatchObject({ state: 'unknown' });
    execFileSync('mkfifo', [transcript]);
    expect(todo()).toMatchObject({ state: 'unknown' });
    expect(GATE.todo({ conversation: ID, transcript, env: {} })).toMatchObject({ state: 'unknown' });
    expect(GATE.todo({ conversation: '../x', transcript, env: { HOME: folder } })).toMatchObject({
      state: 'unknown',
    });
  });

  it('S55: is not looked for where a conversation leads out of the folder', () => {
    call('TodoWrite', todos(['one', 'pending']));
    writeFileSync(join(folder, 'evil.jsonl'), readFileSync(transcript));
    const env = { CLAUDE_CONFIG_DIR: folder };
    expect(GATE.todo({ conversation: '../../evil', transcript: null, env })).toMatchObject({
      state: 'unknown',
    });
  });

  it('S57: is found behind 10 MB, and in lines that are no text', () => {
    call('TodoWrite', todos(['one', 'pending']));
    appendFileSync(transcript, Buffer.alloc(10_000_000, 0xff));
    appendFileSync(transcript, '\n');
    expect(todo()).toEqual({ state: 'read', open: ['one'] });
  });

  it('is looked for by the conversation where the hook told another file', () => {
    call('TodoWrite', todos(['one', 'pending']));
    const told = GATE.todo({
      conversation: ID,
      transcript: '/etc/hostname',
      env: { CLAUDE_CONFIG_DIR: folder },
    });
    expect(told).toEqual({ state: 'read', open: ['one'] });
  });
});
