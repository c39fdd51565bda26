import { mkdirSync } from 'node:fs';
import { GATE as CLAUDE_GATE } from '../../../src/adapters/agents/claude/gate.ts';
import { readOwnStatus, statusSign } from '../../../src/adapters/agents/claude/status.ts';
import { keepsSchedule, searchTimers } from '../../../src/adapters/agents/claude/timers.ts';
import { taleOf, transcriptSign } from '../../../src/adapters/agents/claude/transcript.ts';
import { gate as codexGate } from '../../../src/adapters/agents/codex/gate.ts';
import { createTitleSettings } from '../../../src/adapters/agents/codex/settings.ts';
import { signOfAll, signOfThread } from '../../../src/adapters/agents/codex/status.ts';
import { createTranscripts } from '../../../src/adapters/agents/codex/transcript.ts';
import { packageIn } from '../../../src/adapters/agents/common/installed.ts';
import { lastCall } from '../../../src/adapters/agents/common/last-call.ts';
import { lacksIn } from '../../../src/adapters/agents/common/prove-lines.ts';
import { readEnd, readStart } from '../../../src/adapters/agents/common/read-file.ts';
import { GEMINI_GATE } from '../../../src/adapters/agents/gemini/gate.ts';
import { createSettingsReader, withoutComments } from '../../../src/adapters/agents/gemini/settings.ts';
import { createTranscriptCheck } from '../../../src/adapters/agents/gemini/transcript.ts';
import { prepareStore } from '../../../src/adapters/agents/opencode/session-store.ts';
import { readTranscript } from '../../../src/adapters/agents/opencode/transcript.ts';
import { scriptedAgent } from '../../../src/adapters/agents/scripted/scripted-agent.ts';
import { objectIn } from '../../../src/adapters/files/json-object.ts';
import type { AgentProcess, AgentScene } from '../../../src/ports/agent.ts';
import { once, recorded, recordedIn, samples } from '../corpus.ts';
import { type DamagedCase, type Room, type Target, target } from '../target.ts';

const CLAUDE = 'ec3bef6e-9d24-4e46-be4f-85ecaaecac04';
const CODEX = '01a1de19-5a2e-7862-bb4d-a0b831e2e157';
const NOW = Date.parse('2026-11-15T09:00:00Z');
const PID = 31600;
const TICKS = 172849;

const agent: AgentProcess = {
  ...{ pid: PID, startTicks: TICKS, startedAt: NOW - 3_600_000, argv: ['agent'], cwd: '/srv' },
  env: () => ({ HOME: '/nowhere' }),
};

const claudeTranscripts = once(() =>
  recordedIn('fixtures/agents/claude/transcripts', '.jsonl').map(({ bytes }) => bytes),
);

/** Each as long as it was at some time: whole records, and how the turn stood then. */
const codexTranscripts = once(() =>
  recordedIn('fixtures/agents/codex', '.jsonl').flatMap(({ bytes }) => prefixes(bytes)),
);

/** The file after some of its records. */
function prefixes(bytes: Buffer): Buffer[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) ends.push(at + 1);
  const step = Math.max(1, Math.floor(ends.length / 12));
  return ends
    .filter((_, index) => index % step === 0 || index > ends.length - 4)
    .map((end) => bytes.subarray(0, end));
}

function codexTurn(input: Buffer, room: Room) {
  const path = room.file(`rollout-2026-${CODEX}.jsonl`, input);
  const transcripts = createTranscripts();
  const turn = transcripts.lastTurn(path);
  // When it was written is no part of what it says.
  return {
    turn: turn && { turn: turn.turn, event: turn.event, beganAt: turn.beganAt ?? null },
    owner: transcripts.owner(path),
  };
}

/** Something newer stands behind what can be read: that may be the next turn. */
function overBehind(said: { readonly turn?: unknown } | null, { input, damage }: DamagedCase): string | null {
  const isWhole = damage === 'cut' && (input.length === 0 || input[input.length - 1] === LINE_END);
  return said?.turn === 'over' && !isWhole ? `says that the turn is over where the file is ${damage}` : null;
}

const LINE_END = 0x0a;

const STATUS = () => [
  recorded('fixtures/agents/claude/status.json'),
  Buffer.from(
    JSON.stringify({
      ...{ pid: PID, procStart: String(TICKS), kind: 'interactive', status: 'busy', sessionId: CLAUDE },
      ...{ version: '2.1.325', cwd: '/srv', startedAt: NOW - 1000, statusUpdatedAt: NOW - 500 },
    }),
  ),
  Buffer.from(
    JSON.stringify({
      pid: PID,
      procStart: String(TICKS),
      status: 'idle',
      startedAt: 5,
      statusUpdatedAt: 7,
      cwd: '/srv',
    }),
  ),
];

const SESSIONS = JSON.stringify({
  sessions: [
    { id: 'ses_1', parent_id: null, directory: '/srv', title: 'a', version: '1.18.33', time_created: NOW },
    { id: 'ses_2', parent_id: 'ses_1', directory: '/srv', title: 'b', version: '1.18.33', time_created: NOW },
  ],
  messages: [
    { id: 'msg_1', time_created: NOW, time_updated: NOW, role: 'assistant', completed: NOW, finish: 'stop' },
    { id: 'msg_2', time_created: NOW, time_updated: NOW, role: 'user', completed: null, finish: null },
  ],
  parts: [{ time_updated: NOW, tool: 'bash', status: 'running', error: null }],
});

const THREADS = JSON.stringify([
  {
    id: CODEX,
    session: CODEX,
    parent: null,
    cwd: '/srv',
    status: 'active',
    flags: ['waitingOnApproval'],
    terminals: 0,
  },
  { id: 'b', session: CODEX, parent: CODEX, cwd: '/srv', status: 'idle', flags: [], terminals: 1 },
]);

const TOML = '[tui]\nanimations = true # yes\nterminal_title = ["activity", "project-name"]\n';
const GEMINI_SETTINGS =
  '{\n // a comment\n "ui": { "hideWindowTitle": false }, /* x */ "mcpServers": { "a": { "command": "npx", "args": ["b"] } }\n}\n';

export const TRANSCRIPT_TARGETS: readonly Target[] = [
  target({
    name: 'claude-transcript',
    covers: ['taleOf', 'transcriptSign'].map((name) => `adapters/agents/claude/transcript.ts#${name}`),
    seeds: claudeTranscripts,
    words: [
      '\n',
      '"type":"system","subtype":"turn_duration"',
      '"pendingBackgroundAgentCount":1e999',
      '"isSidechain":true',
    ],
    parse(input) {
      const tale = taleOf(input.toString('utf8'));
      return { tale, sign: tale && transcriptSign(tale, NOW, '2.1.325') };
    },
    damaged: (one, { tale }) => overBehind(tale, one),
  }),
  target({
    name: 'codex-transcript',
    covers: ['adapters/agents/codex/transcript.ts#createTranscripts'],
    seeds: codexTranscripts,
    words: ['"type":"task_started"', '"type":"task_complete"', '\n', '"type":"event_msg"'],
    parse: (input, room) => codexTurn(input, room),
    damaged: (one, { turn }) => overBehind(turn, one),
    most: 128 * 1024,
  }),
  target({
    name: 'gemini-transcript',
    covers: [
      'adapters/agents/gemini/transcript.ts#createTranscriptCheck',
      'adapters/agents/gemini/gate.ts#GEMINI_GATE',
    ],
    seeds: once(() => [recorded('fixtures/agents/gemini/transcript.jsonl')]),
    words: ['"write_todos"', '"$rewindTo":"x"', '"toolCalls":[]', '\n'],
    async parse(input, room) {
      const record = objectIn(input.toString('utf8', 0, 2000).split('\n', 1)[0] ?? '');
      const conversation = typeof record?.sessionId === 'string' ? record.sessionId : CLAUDE;
      const name = `session-2026-11-15T07-26-${conversation.slice(0, 8).replace(/[^0-9a-f]/g, '0')}.jsonl`;
      const transcript = room.file(name, input);
      const stop = { conversation, transcript, env: {} };
      const said = { conversation, isSubagent: false, isContinued: false, transcript };
      return [
        createTranscriptCheck()(transcript, conversation),
        await GEMINI_GATE.todo(stop),
        GEMINI_GATE.isInterrupted?.(said),
      ];
    },
    most: 64 * 1024,
  }),
  target({
    name: 'todo-lists',
    covers: [
      'adapters/agents/claude/gate.ts#GATE',
      'adapters/agents/codex/gate.ts#gate',
      'adapters/agents/common/last-call.ts#lastCall',
      'adapters/agents/common/prove-lines.ts#lacksIn',
      'adapters/agents/common/read-file.ts#readEnd',
      'adapters/agents/common/read-file.ts#readStart',
      'adapters/agents/common/installed.ts#packageIn',
    ],
    seeds: once(() => [
      ...claudeTranscripts().slice(0, 4),
      Buffer.from(
        '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"TodoWrite","input":{"todos":[{"content":"a","status":"pending"}]}}]}}\n',
      ),
      Buffer.from(
        '{"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\\"plan\\":[{\\"step\\":\\"a\\",\\"status\\":\\"pending\\"}]}"}}\n',
      ),
      Buffer.from('{"name":"opencode-ai","version":"1.18.33"}'),
    ]),
    words: ['"TodoWrite"', '"TaskCreate"', '"update_plan"', '\n'],
    async parse(input, room) {
      const transcript = room.file(`.claude/projects/p/${CLAUDE}.jsonl`, input);
      room.file('package.json', input);
      const stop = { conversation: CLAUDE, transcript, env: { HOME: room.folder } };
      const proof = { isOwn: () => true, isTurn: () => true };
      return [
        await CLAUDE_GATE.todo(stop),
        await codexGate.todo({ ...stop, conversation: CODEX }),
        lastCall(transcript, ['"update_plan"'], (line) => (line.length > 5 ? line.length : null)),
        lacksIn(transcript, proof),
        packageIn(room.folder) !== null,
        [readEnd(transcript, 100).state, readStart(transcript, 100).state],
      ];
    },
    most: 64 * 1024,
  }),
  target({
    name: 'claude-status',
    covers: ['readOwnStatus', 'statusSign'].map((name) => `adapters/agents/claude/status.ts#${name}`),
    seeds: once(STATUS),
    words: ['"waitingFor":"permission prompt"', '"status":"idle"', '"startedAt":1e999'],
    async parse(input, room) {
      room.file(`.claude/sessions/${PID}.json`, input);
      const own = await readOwnStatus(`${room.folder}/.claude`, agent);
      return { own, sign: own.state === 'read' ? statusSign(own, NOW) : null };
    },
    objection(_, { own }) {
      if (own.state !== 'read' || !own.isUntouched) return null;
      return own.since !== undefined && own.since > 0 ? null : 'is untouched since a time that is not told';
    },
    // A time that ended half-way is another time: JSON says so by not ending.
    damaged: ({ damage }, { own }) => (own.state === 'read' ? `reads a status that is ${damage}` : null),
    most: 32 * 1024,
  }),
  target({
    name: 'claude-timers',
    covers: ['searchTimers', 'keepsSchedule'].map((name) => `adapters/agents/claude/timers.ts#${name}`),
    seeds: samples(
      '{"name":"CronCreate","input":{}}\n',
      '{"pid": 31600}',
      '{"pid": 4, "x": "session_cron_carry"}',
    ),
    parse(input, room) {
      const path = room.file('.claude/scheduled_tasks.lock', input);
      const found = searchTimers(path, undefined, 1024 * 1024);
      return { ...found, inode: 0, keeps: keepsSchedule(room.folder, PID) };
    },
    most: 64 * 1024,
  }),
  target({
    name: 'codex-threads',
    covers: ['signOfThread', 'signOfAll'].map((name) => `adapters/agents/codex/status.ts#${name}`),
    seeds: samples(THREADS),
    words: [
      '"waitingOnUserInput"',
      '"constructor"',
      '"__proto__"',
      '"toString"',
      '"systemError"',
      '"notLoaded"',
    ],
    parse(input) {
      const threads = listIn(input).map(threadOf);
      const base = { observedAt: NOW, isVerified: true };
      return [
        ...threads.map((thread) => signOfThread(thread, threads, base)),
        signOfAll(threads, { clients: 1, connections: 1 }, base),
      ];
    },
    objection: (_, signs) =>
      signs.some(
        (sign) =>
          sign?.waitingFor !== undefined && sign.waitingFor !== null && !/^[a-z-]+$/.test(sign.waitingFor),
      )
        ? 'waits for something that is no kind of waiting'
        : null,
    most: 8192,
  }),
  target({
    name: 'opencode-sessions',
    covers: [
      'adapters/agents/opencode/session-store.ts#prepareStore',
      'adapters/agents/opencode/transcript.ts#readTranscript',
    ],
    seeds: samples(SESSIONS),
    words: ['"finish":"tool-calls"', '"completed":1e999', '"parent_id":"ses_2"', '"role":"user"'],
    parse(input) {
      const store = prepareStore(databaseOf(input)).read();
      return readTranscript(store, SCENE, { session: 'ses_1' } as never, { own: [], others: new Set() });
    },
    isDeclared: (error) => (error as Error).message === 'its database has a form that is not known',
    hard: { 'a long line of subagents': deepFamily },
    most: 16_384,
  }),
  target({
    name: 'codex-title-settings',
    covers: ['adapters/agents/codex/settings.ts#createTitleSettings'],
    seeds: samples(TOML, 'tui.animations = false\n', '[tui]\nterminal_title = []\n'),
    words: ['animations', 'terminal_title = ', '#', ' = '],
    parse(input, room) {
      room.file('home/config.toml', input);
      mkdirSync(`${room.folder}/work`, { recursive: true });
      return createTitleSettings(() => NOW)(
        { overrides: new Map() } as never,
        `${room.folder}/home`,
        `${room.folder}/work`,
      );
    },
    hard: {
      'blanks behind a key': (bytes) =>
        Buffer.concat([
          Buffer.from('animations ='),
          Buffer.alloc(Math.min(bytes, 500_000), ' '),
          Buffer.alloc(2000, 'x'),
        ]),
      'a comment without end': (bytes) =>
        Buffer.concat([Buffer.from('animations = '), Buffer.alloc(bytes, '#"')]),
    },
    most: 64 * 1024,
  }),
  target({
    name: 'gemini-settings',
    covers: ['createSettingsReader', 'withoutComments'].map(
      (name) => `adapters/agents/gemini/settings.ts#${name}`,
    ),
    seeds: samples(GEMINI_SETTINGS, '{"mcpServers":{"__proto__":{"command":"x"}}}'),
    words: ['//', '/*', '*/', '"hideWindowTitle"', ':'],
    parse(input, room) {
      room.file('.gemini/settings.json', input);
      const own = { ...agent, cwd: `${room.folder}/none`, env: () => ({ GEMINI_CLI_HOME: room.folder }) };
      return { read: createSettingsReader()(own, NOW), plain: withoutComments(input.toString('utf8')) };
    },
    objection(input, { plain }) {
      const [before, after] = [input.toString('utf8'), plain].map(parsedOr);
      return before === undefined || JSON.stringify(before) === JSON.stringify(after)
        ? null
        : 'reads plain JSON otherwise than JSON.parse';
    },
    hard: {
      'blanks behind a key': (bytes) =>
        Buffer.concat([Buffer.from('"hideWindowTitle"'), Buffer.alloc(bytes, ' ')]),
    },
    most: 64 * 1024,
  }),
  target({
    name: 'scripted-status',
    covers: ['adapters/agents/scripted/scripted-agent.ts#scriptedAgent'],
    seeds: samples(`${PID} idle none`, `${PID} waiting permission c1`, `${PID} working`),
    parse(input, room) {
      const path = room.file('status', input);
      return scriptedAgent('/x').listen?.({ ...SCENE, agent: { ...agent, argv: ['/x', path] } });
    },
    growth: 200,
  }),
];

const SCENE: AgentScene = {
  ...{ paneId: '%1', title: 'OC | a', server: { socketPath: '/tmp/s', pid: 9 }, agent, launchers: [] },
  ...{ others: () => [], hooks: [], now: NOW },
};

function listIn(input: Buffer): readonly unknown[] {
  const value = parsedOr(input.toString('utf8'));
  return Array.isArray(value) ? value : [];
}

function threadOf(value: unknown) {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  const flags = Array.isArray(fields.flags)
    ? fields.flags.filter((flag): flag is string => typeof flag === 'string')
    : [];
  return {
    ...{
      id: text('id'),
      session: text('session'),
      parent: text('parent') || null,
      cwd: text('cwd'),
      name: null,
    },
    ...{ transcript: null, isEphemeral: false, status: text('status'), flags },
    terminals:
      typeof fields.terminals === 'number' && Number.isSafeInteger(fields.terminals)
        ? Math.abs(fields.terminals)
        : null,
  };
}

/** Rows of a database that holds whatever stands in the input. */
function databaseOf(input: Buffer) {
  const given = parsedOr(input.toString('utf8'));
  const tables = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const rows = (name: string) => (Array.isArray(tables[name]) ? (tables[name] as unknown[]) : []);
  const prepare = (sql: string) => {
    const table = / FROM (\w+)/.exec(sql)?.[1] ?? '';
    return { get: () => ({ data_version: 1 }), all: () => rows(`${table}s`).slice(0, 20_001) };
  };
  return { prepare } as never;
}

function deepFamily(bytes: number): Buffer {
  const sessions = Array.from({ length: Math.min(19_000, Math.ceil(bytes / 150)) }, (_, at) => ({
    ...{
      id: `ses_${at + 1}`,
      parent_id: at === 0 ? null : `ses_${at}`,
      directory: '/srv',
      title: 'a',
      version: '1',
    },
    time_created: NOW,
  }));
  return Buffer.from(JSON.stringify({ sessions, messages: [], parts: [] }));
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
