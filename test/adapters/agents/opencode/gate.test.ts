import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate } from '../../../../src/adapters/agents/opencode/gate.ts';
import { createDatabaseFile, type DatabaseFile } from './database-file.ts';

const ID = 'ses_1dcce2607ffe78b1adE8eb1000';
const STOP = {
  type: 'session.idle',
  properties: { sessionID: ID, info: { id: ID, parentID: null } },
  stop_hook_active: false,
};
const withInfo = (info: unknown) => ({ ...STOP, properties: { sessionID: ID, info } });

describe('the end of a turn of opencode', () => {
  it('is read as the plugin tells it', () => {
    const said = { conversation: ID, isSubagent: false, isContinued: false, transcript: null };
    expect(gate.read(STOP)).toEqual(said);
    expect(gate.read({ ...STOP, stop_hook_active: true })).toEqual({ ...said, isContinued: true });
    expect(gate.read(withInfo({ id: ID, parentID: 'ses_0' }))).toEqual({ ...said, isSubagent: true });
    expect([gate.event, gate.cap({}), gate.hasDaemon]).toEqual(['session.idle', null, false]);
    expect(JSON.parse(gate.block('a\nb'))).toEqual({ decision: 'block', reason: 'a\nb' });
  });

  it.each([
    ['nothing', null],
    ['another event', { ...STOP, type: 'session.status' }],
    [
      'no word on its parent',
      { type: 'session.idle', properties: { sessionID: ID }, stop_hook_active: false },
    ],
    ['the parent of another', withInfo({ id: 'ses_2', parentID: null })],
    ['an odd parent', withInfo({ id: ID, parentID: 5 })],
    ['an odd session', { ...STOP, properties: { sessionID: '../x', info: { id: '../x' } } }],
    ['no session', { ...STOP, properties: {} }],
    ['no word on whether it goes on', { ...STOP, stop_hook_active: undefined }],
    ['an odd word on it', { ...STOP, stop_hook_active: 'false' }],
  ])('S53: is not understood with %s', (_what, payload) => {
    expect(gate.read(payload)).toBeNull();
  });

  it.each([
    [['opencode', '-s', ID], ID],
    [['opencode', `--session=${ID}`], ID],
    [['opencode', '--session', ID, '--fork'], null],
    [['opencode', 'attach', 'http://127.0.0.1:1', '-s', ID], null],
    [['opencode', 'run', '-s', ID], null],
    [['opencode', '-c'], null],
    [['opencode', '-s', 'last'], null],
    [['vim', '-s', ID], null],
  ])('S53: %j takes up %s', (argv, conversation) => {
    expect(gate.resumes(argv)).toBe(conversation);
  });
});

describe('what is left on the list of opencode', () => {
  let file: DatabaseFile;
  beforeEach(() => {
    file = createDatabaseFile();
    file.session({ id: ID });
    // As opencode 1.18 makes it.
    file.run(`CREATE TABLE todo (session_id text NOT NULL, content text NOT NULL, status text NOT NULL,
      priority text NOT NULL, position integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
      PRIMARY KEY (session_id, position))`);
  });
  afterEach(() => {
    file.writer.close();
    rmSync(file.folder, { recursive: true, force: true });
  });

  const add = (position: number, content: string, status: string, session = ID) =>
    file.writer
      .prepare('INSERT INTO todo VALUES (?, ?, ?, ?, ?, 1, 1)')
      .run(session, content, status, 'high', position);
  const todo = (env: Record<string, string | undefined> = { XDG_DATA_HOME: file.folder }) =>
    gate.todo({ conversation: ID, transcript: null, env });

  it('is nothing without a list, and what its database says, in order', async () => {
    expect(await todo()).toEqual({ state: 'read', open: [] });
    add(1, 'two', 'in_progress');
    add(0, 'one\u001b', 'pending');
    add(2, 'three', 'completed');
    add(3, 'four', 'cancelled');
    add(0, 'of another', 'pending', 'ses_2');
    expect(await todo()).toEqual({ state: 'read', open: ['one\\e', 'two'] });
  });

  it('is unknown where nothing is kept, where it is not there, or where its session is not', async () => {
    for (const env of [{}, { OPENCODE_DB: ':memory:' }, { OPENCODE_DB: '/nowhere/opencode.db' }]) {
      expect(await todo(env)).toMatchObject({ state: 'unknown' });
    }
    const other = gate.todo({ conversation: 'ses_9', transcript: null, env: { XDG_DATA_HOME: file.folder } });
    expect(await other).toMatchObject({ state: 'unknown' });
  });

  it('is unknown in a database of another form', async () => {
    file.run('DROP TABLE todo');
    expect(await todo()).toMatchObject({ state: 'unknown' });
  });
});
