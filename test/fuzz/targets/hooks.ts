import { lstatSync } from 'node:fs';
import { readStop } from '../../../src/adapters/agents/common/stop-payload.ts';
import { createLaterStops } from '../../../src/adapters/gate/later-stops.ts';
import { createPassedFile } from '../../../src/adapters/gate/passed-file.ts';
import { createMemoryFile } from '../../../src/adapters/spool/memory-file.ts';
import { readEvent, readPayload } from '../../../src/adapters/spool/read-event.ts';
import { readHeader } from '../../../src/adapters/spool/read-header.ts';
import { type Understood, understand } from '../../../src/adapters/spool/understand.ts';
import { allAgents } from '../../../src/compose/look/agents.ts';
import { once, recorded, recordedLines, samples } from '../corpus.ts';
import { type Room, type Target, target } from '../target.ts';

const UID = process.getuid?.() ?? 0;
const AT = 1_794_962_580_000;
const NAME = '0000000003233822.0000015135.15132.0';
const agents = once(() => allAgents().filter(({ hooks }) => hooks !== undefined));
const translate = (kind: string) => agents().find((agent) => agent.kind === kind)?.hooks?.translate;

/** Every recorded event of every agent: its kind, its name and its payload. */
const EVENTS = once(() => [
  ...recordedLines('fixtures/agents/claude/hooks.jsonl').map((line) => eventOf('claude', line)),
  ...recordedLines('fixtures/agents/gemini/hooks.jsonl').map((line) => eventOf('gemini', line)),
  ...recordedLines('fixtures/agents/opencode/hooks.jsonl').map((line) => eventOf('opencode', line)),
  ...Object.values(JSON.parse(recorded('fixtures/agents/codex/hooks.json').toString('utf8')) as object).map(
    (one) => eventOf('codex', Buffer.from(JSON.stringify(one))),
  ),
]);

function eventOf(kind: string, line: Buffer) {
  const { event, payload } = JSON.parse(line.toString('utf8'));
  return { kind, event: String(event), payload: Buffer.from(JSON.stringify(payload)) };
}

/** One event as one input: whose, which, and the payload. */
const heads = once(() =>
  EVENTS().map(({ kind, event, payload }) => Buffer.concat([Buffer.from(`${kind} ${event}\n`), payload])),
);

function understood(input: Buffer): { readonly isWhole: boolean; readonly told: Understood } {
  const end = Math.max(0, input.indexOf('\n'));
  const [agentKind = '', event = ''] = input.toString('utf8', 0, Math.min(end, 200)).split(' ');
  const read = readPayload(input.subarray(end + 1), false);
  const sender = { parentPid: 5 };
  const file = { state: 'event', at: AT, agentKind, event, sender, conversation: null, ...read } as const;
  return { isWhole: read.isWhole, told: withoutPayload(understand(file, translate, AT)) };
}

/** What only a payload that was read whole may tell: that something is over. */
function restIn(told: Understood): string | null {
  if (typeof told === 'string') return null;
  const { turn, waitingFor, background, isEnd, subagentEnded } = told.meaning;
  if (turn === 'over') return 'that the turn is over';
  if (waitingFor === null) return 'that no dialog is open';
  if (background === 0) return 'that nothing runs in the background';
  if (isEnd) return 'that the conversation has ended';
  return subagentEnded === undefined ? null : 'that a subagent has ended';
}

function spooled(input: Buffer, room: Room) {
  const path = room.file(`spool/${NAME}`, input);
  const { mtimeNs, size } = lstatSync(path, { bigint: true });
  const file = readEvent(`${room.folder}/spool`, { name: NAME, modifiedNs: mtimeNs, size }, UID);
  // When it was written is no part of what it says.
  if (file.state !== 'event') return file;
  const told = withoutPayload(understand(file, translate, file.at));
  return { ...file, at: 0, payload: null, told };
}

/** Whatever the agent gave is handed on; what is made of it counts. */
function withoutPayload(told: Understood): Understood {
  return typeof told === 'string' ? told : { ...told, event: { ...told.event, payload: null } };
}

const MEMORY = JSON.stringify({
  ...{ version: 1, id: 'a.b', taken: [[NAME, '5']] },
  memories: [
    {
      ...{
        agentKind: 'claude',
        conversation: 'c',
        sender: { parentPid: 5 },
        turn: { value: 'running', at: AT },
      },
      ...{
        beganAt: AT,
        waitingFor: { value: null, at: AT },
        subagents: ['x'],
        last: { event: 'Stop', at: AT },
      },
    },
  ],
  lostAt: 0,
});

const LATER = JSON.stringify({
  ...{ name: 'n', contract: '0123abcd', mode: 'shadow', latencyMs: 3 },
  event: { agentKind: 'claude', event: 'Stop', sender: {}, payload: {} },
  origin: {
    ...{ serverPid: 1, paneId: '%1', ancestors: [{ pid: 4 }], isByDaemon: false, agent: null, hook: null },
    ...{ isServerAlive: true, isOwnerAgentAlive: true, agentsInPane: [] },
  },
});

export const HOOK_TARGETS: readonly Target[] = [
  target({
    name: 'hook-payload',
    covers: ['adapters/spool/read-event.ts#readPayload', 'adapters/spool/understand.ts#understand'],
    seeds: heads,
    words: [
      '"background_tasks":[]',
      '"session_crons":[]',
      '"agent_id":"x"',
      '"hook_event_name":"Stop"',
      '{"a":{',
      '\\"',
      ',',
    ],
    parse: (input) => understood(input),
    objection(_, { isWhole, told }) {
      const rest = isWhole ? null : restIn(told);
      return rest === null ? null : `tells ${rest} from a payload that was not read whole`;
    },
    damaged({ damage }, { isWhole }) {
      return isWhole ? `takes a payload that is ${damage} for whole` : null;
    },
  }),
  target({
    name: 'hook-spool',
    covers: ['adapters/spool/read-event.ts#readEvent', 'adapters/spool/read-header.ts#readHeader'],
    seeds: once(() => [
      recorded('fixtures/0.1.0/hook-event.txt'),
      ...EVENTS().map(({ kind, event, payload }) =>
        Buffer.from(
          `rollcall-hook=1\nagent=${kind}\nevent=${event}\nparent_pid=5\nTMUX=/tmp/s,9,0\nTMUX_PANE=%1\n\n${payload}\nend=${NAME}\n`,
        ),
      ),
    ]),
    words: [`\nend=${NAME}\n`, '\n\n', 'agent_pid=7\n', 'rollcall-hook=1\n', 'TMUX=/a,b,3,4\n'],
    parse: (input, room) => spooled(input, room),
    objection(input) {
      const header = readHeader(input.toString('utf8'));
      return header !== null && header.sender.parentPid <= 0
        ? 'takes a number that is no process for one'
        : null;
    },
    // A file without its end may have said anything.
    damaged: ({ damage }, { state }) =>
      state === 'event' ? `takes a file that is ${damage} for whole` : null,
    most: 64 * 1024,
  }),
  target({
    name: 'hook-stop',
    covers: ['adapters/agents/common/stop-payload.ts#readStop'],
    seeds: once(() => EVENTS().map(({ payload }) => payload)),
    words: [
      '"stop_hook_active":false',
      '"session_id":""',
      '"agent_id":null',
      '"transcript_path":"/x"',
      '"cwd":"/"',
    ],
    parse(input) {
      const { payload } = readPayload(input, false);
      return [
        ...agents().map(({ gate }) => gate?.read(payload) ?? null),
        readStop(payload, 'Stop', (id) => id.length < 100),
      ];
    },
  }),
  target({
    name: 'hook-memory',
    covers: ['adapters/spool/memory-file.ts#createMemoryFile'],
    seeds: samples(MEMORY),
    words: ['"endedAt":1e999', '"value":"over"', '"__proto__":{}', '"taken":[[]]'],
    parse(input, room) {
      const file = createMemoryFile(room.file('memory.json', input), UID);
      return { id: file.id(), loaded: file.load() };
    },
    damaged: ({ damage }, { loaded }) =>
      loaded.state === 'loaded' ? `loads a memory that is ${damage}` : null,
    most: 64 * 1024,
  }),
  target({
    name: 'gate-leftovers',
    covers: [
      'adapters/gate/passed-file.ts#createPassedFile',
      'adapters/gate/later-stops.ts#createLaterStops',
    ],
    seeds: samples('claude 9 %1\ncodex\ngemini \n', LATER),
    parse(input, room) {
      const passed = createPassedFile(room.file('passed', input), UID).read();
      room.file('later/0123abcd.n.json', input);
      return [passed, createLaterStops(`${room.folder}/later`, UID, () => AT).take('0123abcd')];
    },
    most: 64 * 1024,
  }),
];
