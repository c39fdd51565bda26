import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWords } from '../../../../src/adapters/agents/opencode/command-line.ts';
import { createOpenStore } from '../../../../src/adapters/agents/opencode/database.ts';
import { heardSessions } from '../../../../src/adapters/agents/opencode/hooks.ts';
import { databasePath, readTranscript } from '../../../../src/adapters/agents/opencode/transcript.ts';
import type { AgentScene } from '../../../../src/ports/agent.ts';
import type { DatabaseFile } from './database-file.ts';
import { createDatabaseFile } from './database-file.ts';
import { memoryOf, NOW, opencodeProcess, removeFolder, SESSION, STARTED_AT, sceneOf } from './scene.ts';

let file: DatabaseFile;

beforeEach(() => {
  file = createDatabaseFile();
});

afterEach(() => {
  file.writer.close();
  removeFolder(file.folder);
});

async function read(scene: AgentScene) {
  const opened = await createOpenStore()(file.path, NOW);
  if (opened.state !== 'read') throw new Error(JSON.stringify(opened));
  return readTranscript(opened.store, scene, startWords(scene.agent.argv), heardSessions(scene));
}

const own = (fields: Partial<AgentScene> = {}) =>
  sceneOf({
    title: 'OC | Fake title',
    agent: opencodeProcess({ argv: ['opencode', '-s', SESSION] }),
    ...fields,
  });
const at = STARTED_AT + 300_000;
const finished = { role: 'assistant', at, completed: at + 4000, finish: 'stop' } as const;
const unfinished = { role: 'assistant', at } as const;

describe('the state of its own session', () => {
  beforeEach(() => file.session({ id: SESSION }));

  it.each<[string, Parameters<DatabaseFile['message']>[1][], object | null]>([
    ['no message yet', [], { turn: 'over', since: STARTED_AT }],
    ['a reply that is complete', [finished], { turn: 'over', since: at + 4000 }],
    ['S10: a reply that is not', [unfinished], { turn: 'running', since: at }],
    [
      'S14: a tool runs',
      [{ ...unfinished, tool: { name: 'bash', status: 'running' } }],
      { turn: 'running', since: at },
    ],
    [
      'S15: a question stands open',
      [{ ...unfinished, tool: { name: 'question', status: 'running' } }],
      { turn: 'running', waitingFor: 'question', since: at },
    ],
    [
      'a prompt was just sent',
      [finished, { role: 'user', at: NOW - 1000 }],
      { turn: 'running', since: NOW - 1000 },
    ],
    ['a prompt that nothing answered', [finished, { role: 'user', at: NOW - 60_000 }], null],
    [
      'S14: a prompt waits behind a long reply',
      [unfinished, { role: 'user', at: at + 1000 }],
      { turn: 'running', since: at },
    ],
    [
      'S14: between two steps',
      [{ role: 'assistant', at, completed: NOW - 3000, finish: 'tool-calls' }],
      { turn: 'running', since: NOW - 3000 },
    ],
    ['a step that nothing followed', [{ ...finished, finish: 'tool-calls' }], null],
    [
      'a tool that a person refused',
      [
        {
          ...finished,
          finish: 'tool-calls',
          tool: {
            name: 'bash',
            status: 'error',
            error: 'The user rejected permission to use this specific tool call.',
          },
        },
      ],
      { turn: 'over', since: at + 4000 },
    ],
    [
      'a reply that was stopped',
      [{ role: 'assistant', at, completed: at + 900, error: { name: 'MessageAbortedError' } }],
      { turn: 'over', since: at + 900 },
    ],
    ['S30: a reply that ended this very second', [{ ...finished, completed: NOW - 500 }], null],
    [
      'S27: a tool that died with an earlier process',
      [{ role: 'assistant', at: STARTED_AT - 60_000, tool: { name: 'bash', status: 'running' } }],
      { turn: 'over', since: STARTED_AT },
    ],
  ])('%s', async (_, messages, expected) => {
    for (const message of messages) file.message(SESSION, message);
    const { sign } = await read(own());
    if (expected === null || sign === null) return expect(sign).toBe(expected);
    const { text, ...facts } = sign;
    expect(text).not.toBe('');
    expect(facts).toEqual({ source: 'transcript', observedAt: NOW, isLive: false, ...expected });
  });

  it('S12: a subagent that runs is work, also when its parent has ended', async () => {
    file.message(SESSION, finished);
    file.session({ id: 'ses_child', parent: SESSION, title: 'sub (@general subagent)' });
    file.message('ses_child', unfinished);
    expect((await read(own())).sign).toMatchObject({ turn: 'running' });
  });

  it('a part that was written since the start is work of this process', async () => {
    file.message(SESSION, {
      role: 'assistant',
      at: STARTED_AT - 60_000,
      tool: { name: 'bash', status: 'running' },
    });
    file.run(`UPDATE part SET time_updated = ${STARTED_AT + 5000}`);
    expect((await read(own())).sign).toMatchObject({ turn: 'running' });
  });
});

describe('sessions that nothing ties to the process', () => {
  it('S23: one that runs in its folder proves neither work nor rest', async () => {
    file.session({ id: 'ses_sibling', title: 'Sibling' });
    file.message('ses_sibling', unfinished);
    expect((await read(sceneOf())).sign).toBeNull();
  });

  it('a shell command does not touch the session itself, and is seen all the same', async () => {
    file.session({ id: 'ses_old', at: STARTED_AT - 9_000_000 });
    file.message('ses_old', { ...unfinished, tool: { name: 'bash', status: 'running' } });
    expect((await read(sceneOf())).sign).toBeNull();
  });

  it('at rest, or in another folder, they are no obstacle', async () => {
    file.session({ id: 'ses_sibling', title: 'Sibling' });
    file.message('ses_sibling', finished);
    file.session({ id: 'ses_elsewhere', directory: '/home/dev/other' });
    file.message('ses_elsewhere', unfinished);
    file.session({ id: 'ses_before', at: STARTED_AT - 100_000 });
    file.message('ses_before', { role: 'assistant', at: STARTED_AT - 90_000 });
    expect((await read(sceneOf())).sign).toMatchObject({ turn: 'over', since: at + 4000 });
  });

  it('S23: one that another process told of is its own affair', async () => {
    file.session({ id: 'ses_sibling' });
    file.message('ses_sibling', unfinished);
    const theirs = memoryOf({ conversation: 'ses_sibling', sender: { parentPid: 9, agentPid: 9 } });
    expect((await read(sceneOf({ hooks: [theirs] }))).sign).toMatchObject({ turn: 'over' });
  });

  it('a process that touched none is at rest', async () => {
    expect((await read(sceneOf())).sign).toMatchObject({ turn: 'over', since: STARTED_AT });
  });

  it('S34: without its folder nothing proves rest', async () => {
    const { cwd, ...agent } = opencodeProcess();
    expect((await read(sceneOf({ agent }))).sign).toBeNull();
  });
});

describe('which session it shows', () => {
  const idOf = async (scene: AgentScene) => (await read(scene)).conversation?.id;

  it('is the one of its folder with the title of the pane, and its work counts', async () => {
    file.session({ id: SESSION });
    file.message(SESSION, unfinished);
    const reading = await read(sceneOf({ title: 'OC | Fake title' }));
    expect(reading.conversation?.id).toBe(SESSION);
    expect(reading.sign).toMatchObject({ turn: 'running' });
  });

  it('bears a title that was cut', async () => {
    const title = 'A title that is much longer than forty characters are';
    file.session({ id: SESSION, title });
    file.message(SESSION, finished);
    expect(await idOf(sceneOf({ title: `OC | ${title.slice(0, 37)}...` }))).toBe(SESSION);
  });

  it('S23: is not known when two bear the title, unless one is its own', async () => {
    file.session({ id: SESSION });
    file.session({ id: 'ses_twin' });
    for (const id of [SESSION, 'ses_twin']) file.message(id, finished);
    expect(await idOf(sceneOf({ title: 'OC | Fake title' }))).toBeUndefined();
    expect(await idOf(own())).toBe(SESSION);
    expect(await idOf(sceneOf({ title: 'OC | Fake title', hooks: [memoryOf()] }))).toBe(SESSION);
  });

  it('is not one that was not touched since the start, unless it was told to go on with the last', async () => {
    file.session({ id: SESSION, at: STARTED_AT - 100_000 });
    file.message(SESSION, { ...finished, at: STARTED_AT - 90_000, completed: STARTED_AT - 80_000 });
    expect(await idOf(sceneOf({ title: 'OC | Fake title' }))).toBeUndefined();
    const agent = opencodeProcess({ argv: ['opencode', '-c'] });
    expect(await idOf(sceneOf({ title: 'OC | Fake title', agent }))).toBe(SESSION);
  });

  it('is the parent of the subagent on the screen', async () => {
    file.session({ id: SESSION });
    file.message(SESSION, finished);
    file.session({ id: 'ses_child', parent: SESSION, title: 'sub (@general subagent)' });
    expect(await idOf(own({ title: 'OC | sub (@general subagent)' }))).toBe(SESSION);
  });

  it('is none on the first screen', async () => {
    file.session({ id: 'ses_sibling', title: 'New session - 2026-11-15T07:47:49.591Z' });
    file.message('ses_sibling', finished);
    expect(await idOf(sceneOf({ title: 'OpenCode' }))).toBeUndefined();
  });
});

describe('where it keeps its sessions', () => {
  it.each<[Record<string, string> | null, string | null | undefined]>([
    [{ HOME: '/home/dev' }, '/home/dev/.local/share/opencode/opencode.db'],
    [{ HOME: '/home/dev', XDG_DATA_HOME: '/data' }, '/data/opencode/opencode.db'],
    [{ HOME: '/home/dev', OPENCODE_DB: 'other.db' }, '/home/dev/.local/share/opencode/other.db'],
    [{ OPENCODE_DB: '/var/oc.db' }, '/var/oc.db'],
    [{ HOME: '/home/dev', OPENCODE_DB: ':memory:' }, null],
    [{}, undefined],
    [null, undefined],
  ])('%j', (env, expected) => expect(databasePath(env)).toBe(expected));
});
