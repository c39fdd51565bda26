import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codexAgent } from '../../../../src/adapters/agents/codex/codex-agent.ts';
import type { HookMemory } from '../../../../src/core/agent/hook-memory.ts';
import type { AgentReading, AgentScene, PaneProcess } from '../../../../src/ports/agent.ts';
import { ACTIVE, FakeAppServer, idOf, thread } from './fake-app-server.ts';
import { fixture, temporaryFolder } from './fixtures.ts';

const folder = temporaryFolder();
const at = (...path: string[]): string => join(folder.path, ...path);
const PARENT = '01a1de20-5dec-79c3-bc35-ecda71aa9e63';
const CHILD = '01a1de20-f6c5-7c23-b292-98ecf226701c';
const NOW = Date.parse('2026-11-15T08:00:00.000Z');
let now: number;
let adapter: ReturnType<typeof codexAgent>;

beforeEach(() => {
  now = NOW;
  adapter = codexAgent({ procRoot: at('proc'), now: () => now, timeoutMs: 5_000 });
  mkdirSync(at('home/sessions/2026/11/15'), { recursive: true });
  mkdirSync(at('proc/self/ns'), { recursive: true });
  symlinkSync('net:[1]', at('proc/self/ns/net'));
});

/** A process with open files; its program lies where npm puts it. */
const proc = (pid: number, open: readonly string[] = [], environ = 'A=1\0'): void => {
  mkdirSync(at('proc', `${pid}`, 'fd'), { recursive: true });
  mkdirSync(at('proc', `${pid}`, 'net'), { recursive: true });
  mkdirSync(at('proc', `${pid}`, 'ns'), { recursive: true });
  symlinkSync('net:[1]', at('proc', `${pid}`, 'ns/net'));
  const release = at('lib/0.166.0-x86_64-unknown-linux-musl/bin');
  mkdirSync(release, { recursive: true });
  symlinkSync(join(release, 'codex'), at('proc', `${pid}`, 'exe'));
  symlinkSync('/dev/pts/1', at('proc', `${pid}`, 'fd/0'));
  for (const [index, path] of open.entries()) symlinkSync(path, at('proc', `${pid}`, `fd/${index + 3}`));
  writeFileSync(at('proc', `${pid}`, 'environ'), environ);
};
const lock = (id: string): string => at('home/thread-writer-locks', `${id}.lock`);
const transcript = (id: string, text: string): string => {
  const path = at(`home/sessions/2026/11/15/rollout-2026-11-15T07-33-45-${id}.jsonl`);
  writeFileSync(path, text);
  return path;
};
const scene = (
  over: Partial<AgentScene> & { pid?: number; argv?: string[]; cwd?: string } = {},
): AgentScene => {
  const { pid = 42, argv = ['codex'], cwd = '/home/dev/repo/codex', ...rest } = over;
  return {
    paneId: '%1',
    title: 'codex',
    server: { socketPath: '/s', pid: 9 },
    agent: {
      pid,
      startTicks: 5,
      startedAt: Date.parse('2026-11-15T07:33:40.000Z'),
      argv,
      cwd,
      env: () => ({ CODEX_HOME: at('home'), HOME: '/home/dev' }),
    },
    launchers: [],
    others: () => [],
    hooks: [],
    now,
    ...rest,
  };
};
const listen = async (given: AgentScene): Promise<AgentReading> =>
  (await adapter.listen?.(given)) as AgentReading;
const gaps = ({ gaps: found }: AgentReading): string[] => found.map(({ code }) => code);
const sign = ({ signs }: AgentReading, source: string) => signs.find((each) => each.source === source);
const process = (pid: number, over: Partial<PaneProcess> = {}): PaneProcess => ({
  pid,
  parentPid: 42,
  startTicks: 6,
  startedAt: NOW,
  argv: ['sleep', '40'],
  role: 'command',
  relation: 'background',
  ...over,
});
const memory = (conversation: string, over: Partial<HookMemory> = {}): HookMemory => ({
  agentKind: 'codex',
  conversation,
  sender: { parentPid: 7, paneId: '%1' },
  turn: { value: 'running', at: NOW - 1_000 },
  subagents: [],
  last: { event: 'UserPromptSubmit', at: NOW - 1_000 },
  ...over,
});
const RUNNING = fixture('rollout-with-subagent.jsonl').replace(/^.*"task_complete".*\n/gm, '');

describe('a Codex without daemon', () => {
  test('that rests: its lock tells the conversation, its transcript the turn, its processes the background', async () => {
    const path = transcript(PARENT, fixture('rollout-with-subagent.jsonl'));
    proc(42, [lock(PARENT), path]);
    const reading = await listen(scene({ hooks: [memory(idOf(9))] }));
    expect(reading).toMatchObject({
      version: '0.166.0',
      conversation: PARENT,
      transcript: path,
      resume: ['codex', 'resume', PARENT],
      failures: [],
    });
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'over', isLive: false, isVerified: true });
    expect(sign(reading, 'transcript')?.since).toBe(Date.parse('2026-11-15T07:34:25.030Z'));
    expect(sign(reading, 'agent')).toMatchObject({ background: 0, isLive: true });
    expect(sign(reading, 'title')).toMatchObject({ turn: 'over' });
    expect(sign(reading, 'hook')).toBeUndefined();
    expect(gaps(reading)).toEqual(['hooks-silent']);
  });

  test('that has had no turn yet cannot be taken up again', async () => {
    proc(42, [lock(PARENT)]);
    const reading = await listen(scene());
    expect(reading.conversation).toBe(PARENT);
    expect(reading).not.toHaveProperty('resume');
    expect(sign(reading, 'transcript')).toBeUndefined();
    expect(gaps(reading)).toEqual([]);
  });

  test('that works shows it in its transcript, and no background', async () => {
    proc(42, [lock(PARENT), transcript(PARENT, RUNNING)]);
    const reading = await listen(scene({ others: () => [process(50)] }));
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'running', beganAt: expect.any(Number) });
    expect(sign(reading, 'agent')).toBeUndefined();
  });

  test('S29: a turn of an earlier process, and its hooks, are over', async () => {
    proc(42, [lock(PARENT), transcript(PARENT, RUNNING)]);
    const given = scene({ hooks: [memory(PARENT, { turn: { value: 'running', at: NOW - 3_600_000 } })] });
    const later = { ...given, agent: { ...given.agent, startedAt: NOW - 60_000 } };
    const reading = await listen(later);
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'over' });
    expect(sign(reading, 'hook')).toBeUndefined();
  });

  test('S12: a conversation that has written nothing yet may be a subagent: nothing is told of the background', async () => {
    const path = transcript(PARENT, fixture('rollout-with-subagent.jsonl'));
    proc(42, [lock(PARENT), path]);
    expect(sign(await listen(scene()), 'agent')).toMatchObject({ background: 0 });
    symlinkSync(lock(CHILD), at('proc/42/fd/9'));
    now += 150;
    expect(sign(await listen(scene()), 'agent')).toBeUndefined();
  });

  test('S12: a subagent that works is background', async () => {
    const child = transcript(
      CHILD,
      fixture('rollout-subagent.jsonl').replace(/^.*"task_complete".*\n/gm, ''),
    );
    const parent = transcript(PARENT, fixture('rollout-with-subagent.jsonl'));
    proc(42, [lock(CHILD), lock(PARENT), child, parent]);
    const reading = await listen(scene());
    expect(reading.conversation).toBe(PARENT);
    expect(sign(reading, 'agent')).toMatchObject({ background: 1 });
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'over' });
  });

  describe('S12, S27: a process below it', () => {
    const backgroundOf = async (other: PaneProcess, environ?: string): Promise<number | undefined> => {
      proc(42, [lock(PARENT)]);
      if (environ !== undefined) proc(other.pid, [], environ);
      return sign(await listen(scene({ others: () => [other] })), 'agent')?.background;
    };
    const MARKED = 'PATH=/bin\0CODEX_THREAD_ID=x\0';

    test('with the mark of a command is work', async () => {
      expect(await backgroundOf(process(50), MARKED)).toBe(1);
    });
    test('in the sandbox is work', async () => {
      expect(await backgroundOf(process(50, { argv: ['/x/codex-linux-sandbox', '--', 'bash'] }))).toBe(1);
    });
    test('without the mark is a server of its tools', async () => {
      expect(await backgroundOf(process(50), 'PATH=/bin\0NOT_CODEX_THREAD_ID=x\0')).toBe(0);
    });
    test('that may not be read may be work', async () => {
      expect(await backgroundOf(process(50))).toBeUndefined();
    });
    test('that has no environment is not understood', async () => {
      expect(await backgroundOf(process(50), '')).toBeUndefined();
    });
    test('deeper down is part of what stands above it', async () => {
      expect(await backgroundOf(process(50, { parentPid: 49 }), MARKED)).toBe(0);
    });
    test('S21: that left the tree is work', async () => {
      expect(await backgroundOf(process(50, { parentPid: 1, relation: 'outside' }), MARKED)).toBe(1);
    });
    test('that is the daemon is none', async () => {
      expect(await backgroundOf(process(50, { argv: ['/x/bin/codex', 'app-server', '--listen'] }))).toBe(0);
    });
  });

  test('after /new the earlier conversation still counts, and which one is shown is not known', async () => {
    const other = idOf(8);
    const foreign = RUNNING.replaceAll(PARENT, other);
    proc(42, [
      lock(PARENT),
      lock(other),
      transcript(PARENT, fixture('rollout-with-subagent.jsonl')),
      transcript(other, foreign),
    ]);
    const reading = await listen(scene());
    expect(reading).not.toHaveProperty('conversation');
    expect(gaps(reading)).toContain('conversation-unknown');
    expect(new Set(reading.mayBeIn)).toEqual(new Set([PARENT, other]));
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'running' });
    const title = `Ready | ${other.slice(0, 29)}... | codex`;
    const argv = ['codex', '-c', 'tui.terminal_title=["run-state","thread-id","project-name"]'];
    expect(await listen(scene({ title, argv }))).toMatchObject({ conversation: other });
  });

  test('S23: a transcript of another conversation under its name tells nothing', async () => {
    proc(42, [lock(idOf(7)), transcript(idOf(7), fixture('rollout-with-subagent.jsonl'))]);
    const reading = await listen(scene());
    expect(sign(reading, 'transcript')).toBeUndefined();
    expect(reading).not.toHaveProperty('resume');
  });

  test('S53: its hooks are told by the conversation', async () => {
    proc(42, [lock(PARENT), transcript(PARENT, RUNNING)]);
    const waitingFor = { value: 'permission', at: NOW - 500 } as const;
    const reading = await listen(
      scene({ hooks: [memory(idOf(3)), memory(PARENT, { waitingFor, subagents: ['s'] })] }),
    );
    expect(sign(reading, 'hook')).toMatchObject({
      turn: 'running',
      waitingFor: 'permission',
      since: NOW - 500,
      isLive: false,
    });
    expect(sign(reading, 'hook')).not.toHaveProperty('background');
    expect(gaps(reading)).not.toContain('hooks-silent');
    const ended = await listen(scene({ hooks: [memory(PARENT, { endedAt: NOW })] }));
    expect(sign(ended, 'hook')).toBeUndefined();
  });

  test('S34: whose files cannot be seen, and whose daemon is not meant, tells nothing', async () => {
    const reading = await listen(scene({ argv: ['codex', '--no-daemon'], title: 'codex' }));
    expect(reading.signs).toEqual([]);
    expect(gaps(reading)).toEqual(['conversation-unknown', 'version-unverified']);
    const busy = await listen(scene({ argv: ['codex', '--no-daemon'], title: '⠙ codex' }));
    expect(sign(busy, 'title')).toMatchObject({ turn: 'running' });
  });
});

describe('a Codex that is a client of a daemon', () => {
  let server: FakeAppServer;
  const A = idOf(1);
  const B = idOf(2);

  beforeEach(async () => {
    server = new FakeAppServer(at('home'));
    await server.listen();
  });
  afterEach(() => server.close());

  /** Clients of the daemon, this program's own connection added. */
  const connected = (...pids: number[]): void => {
    const row = `0: 3 0 00000000 1 03 5 ${at('home/sock')}\n`;
    for (const pid of pids) {
      proc(pid);
      writeFileSync(at('proc', `${pid}`, 'net/unix'), row.repeat(pids.length + 1));
    }
  };
  const both = (
    one: Partial<AgentScene> & { argv?: string[] } = {},
    two: typeof one & { cwd?: string } = {},
  ) => Promise.all([listen(scene({ pid: 42, ...one })), listen(scene({ pid: 43, ...two }))]);

  test('alone: the daemon tells its conversation and state', async () => {
    connected(42);
    const path = transcript(PARENT, fixture('rollout-with-subagent.jsonl'));
    server.threads = [thread(PARENT, { path })];
    const reading = await listen(scene());
    expect(reading).toMatchObject({
      version: '0.166.0',
      conversation: PARENT,
      transcript: path,
      resume: ['codex', 'resume', PARENT],
    });
    expect(sign(reading, 'agent')).toMatchObject({ turn: 'over', background: 0, isVerified: true });
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'over' });
    expect(sign(reading, 'title')).toMatchObject({ turn: 'over' });
    expect(gaps(reading)).toEqual(['hooks-silent']);
  });

  test('S23: a transcript of another conversation is not taken for its own', async () => {
    connected(42);
    server.threads = [thread(A, { path: transcript(A, fixture('rollout-with-subagent.jsonl')) })];
    const reading = await listen(scene());
    expect(reading.conversation).toBe(A);
    expect(sign(reading, 'transcript')).toBeUndefined();
    expect(reading).not.toHaveProperty('transcript');
    expect(reading).not.toHaveProperty('resume');
  });

  test('S53: two in one folder are never mixed up: one that works leaves the other unknown', async () => {
    connected(42, 43);
    server.threads = [thread(A, ACTIVE), thread(B)];
    const hooks = [memory(A), memory(B, { turn: { value: 'over', at: NOW } })];
    for (const reading of await both({ hooks, title: '' }, { hooks, title: '' })) {
      expect(reading.signs).toEqual([]);
      expect(reading).not.toHaveProperty('conversation');
      expect(reading.mayBeIn).toEqual([A, B]);
      expect(gaps(reading)).toContain('conversation-unknown');
    }
  });

  test('S53: two in one folder both rest when every conversation of the daemon does', async () => {
    connected(42, 43);
    server.threads = [thread(A), thread(B)];
    for (const reading of await both()) {
      expect(sign(reading, 'agent')).toMatchObject({ turn: 'over', background: 0 });
      expect(reading).not.toHaveProperty('conversation');
    }
    server.terminals = { [B]: 1 };
    now += 1_000;
    for (const reading of await both()) expect(sign(reading, 'agent')).toBeUndefined();
  });

  test('S53: two in one folder are told apart by their titles', async () => {
    connected(42, 43);
    server.threads = [thread(A, { ...ACTIVE, name: 'Fix it' }), thread(B)];
    const hooks = [memory(A), memory(B, { turn: { value: 'over', at: NOW } })];
    const [one, two] = await both({ title: '⠙ Fix it | codex', hooks }, { title: 'codex', hooks });
    expect(one).toMatchObject({ conversation: A });
    expect(sign(one, 'agent')).toMatchObject({ turn: 'running' });
    expect(sign(one, 'hook')).toMatchObject({ turn: 'running' });
    expect(two).toMatchObject({ conversation: B });
    expect(sign(two, 'agent')).toMatchObject({ turn: 'over' });
    expect(sign(two, 'hook')).toMatchObject({ turn: 'over' });
  });

  test('two in two folders are told apart by them', async () => {
    connected(42, 43);
    server.threads = [thread(A, ACTIVE), thread(B, { cwd: '/b' })];
    const [one, two] = await both({}, { cwd: '/b' });
    expect([one.conversation, two.conversation]).toEqual([A, B]);
  });

  test('S32: without the daemon’s word nothing attests that it rests, its title neither', async () => {
    connected(42);
    server.answer = () => ({ data: 'nothing' });
    expect(await listen(scene())).toMatchObject({ signs: [], mayBeIn: 'any' });
    await server.close();
    now += 1_000;
    const reading = await listen(scene());
    expect(reading).not.toHaveProperty('mayBeIn');
    expect(reading.signs).toEqual([]);
    expect(reading.failures).toEqual([{ source: 'agent', text: expect.any(String) }]);
    expect(gaps(reading)).toEqual(['status-missing', 'conversation-unknown']);
    const busy = await listen(scene({ title: '⠙ codex' }));
    expect(sign(busy, 'title')).toMatchObject({ turn: 'running' });
  });

  test('S27: a turn that the daemon no longer knows of has ended unheard', async () => {
    connected(42);
    const path = transcript(PARENT, RUNNING);
    server.threads = [thread(PARENT, { path })];
    const stale = memory(PARENT, { turn: { value: 'running', at: NOW - 60_000 } });
    const reading = await listen(scene({ hooks: [stale] }));
    expect(reading.signs.map(({ source, turn }) => [source, turn])).toEqual([
      ['agent', 'over'],
      ['title', 'over'],
    ]);
    const fresh = await listen(scene({ hooks: [memory(PARENT)] }));
    expect(sign(fresh, 'hook')).toMatchObject({ turn: 'running' });
    const begun = await listen(scene({ hooks: [{ ...stale, beganAt: NOW - 60_000 }] }));
    expect(sign(begun, 'hook')).toMatchObject({ beganAt: NOW - 60_000 });
    expect(sign(begun, 'hook')).not.toHaveProperty('turn');
  });

  test('S30: its transcript tells when a turn that runs began', async () => {
    connected(42);
    const path = transcript(PARENT, RUNNING);
    server.threads = [thread(PARENT, { path, status: { type: 'active', activeFlags: [] } })];
    const reading = await listen(scene());
    expect(sign(reading, 'transcript')).toMatchObject({ turn: 'running', beganAt: expect.any(Number) });
  });

  test('a call for action is what the daemon says it is', async () => {
    connected(42);
    server.threads = [thread(A, { status: { type: 'active', activeFlags: ['waitingOnUserInput'] } })];
    const reading = await listen(scene({ title: '[ ! ] Action Required | codex' }));
    expect(sign(reading, 'agent')).toMatchObject({ waitingFor: 'question' });
    expect(sign(reading, 'title')).toMatchObject({ waitingFor: 'question' });
  });

  test('S12: a subagent that works after its parent is background, whatever the title shows', async () => {
    connected(42);
    server.threads = [thread(A), thread(B, { ...ACTIVE, sessionId: A, parentThreadId: A })];
    const reading = await listen(scene({ title: 'Fix it | codex' }));
    expect(sign(reading, 'agent')).toMatchObject({ turn: 'over', background: 1 });
  });

  test('S34: whose environment may not be read is not asked about', async () => {
    connected(42);
    server.threads = [thread(A)];
    const given = scene();
    const reading = await listen({ ...given, agent: { ...given.agent, env: () => null } });
    expect(reading.signs).toEqual([]);
    expect(gaps(reading)).toEqual(['conversation-unknown', 'environment-unreadable', 'animations-off']);
    expect(server.connections).toBe(0);
  });

  test('another version is told, and not vouched for', async () => {
    connected(42);
    server.userAgent = 'codex-tui/0.167.0 (x)';
    server.threads = [thread(A)];
    expect(sign(await listen(scene()), 'agent')).toMatchObject({ isVerified: false });
  });
});

test('whatever goes wrong is told, and never thrown', async () => {
  const given = scene();
  const env = (): never => {
    throw new Error('gone');
  };
  expect(await listen({ ...given, agent: { ...given.agent, env } })).toEqual({
    signs: [],
    gaps: [],
    failures: [{ source: 'agent', text: 'Error: gone' }],
  });
});

test('the adapter says what it is', () => {
  expect(adapter).toMatchObject({
    kind: 'codex',
    verified: { from: '0.166.0', to: '0.166.0' },
    exit: { command: '/quit', signal: 'process' },
  });
  expect(adapter.recognises(['codex'])).toBe(true);
  expect(
    adapter.readScreen?.(
      { state: 'captured', paneId: '%1', observedAt: 1, lines: [], styled: [], cursor: null },
      { signs: [], gaps: [], failures: [] },
    ),
  ).toBeNull();
});
