import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LookName,
  methodOf,
  OPERATIONS,
  ROUTED_NAMES,
  type RoutedName,
} from '../../src/contract/operations.ts';
import { run } from '../cli/fake-outside.ts';
import { ServerRoom } from './server-room.ts';

/** The same thing, asked for on the command line and over HTTP; what went before it, too. */
interface Case {
  readonly flags: readonly string[];
  readonly body: object;
  readonly before?: readonly ActionName[];
  /** A scripted agent has to be there. */
  readonly agent?: true;
}

/** `restore` has no session in its address; test/server/restoring.test.ts has its cases. */
type ActionName = Exclude<RoutedName, LookName | 'restore'>;

const CASES: Readonly<Record<ActionName, Case>> = {
  hold: { flags: ['--reason', 'reading'], body: { reason: 'reading' } },
  unhold: { flags: [], body: {}, before: ['hold'] },
  retain: { flags: ['--for', '2h', '--reason', 'demo'], body: { forMs: 7_200_000, reason: 'demo' } },
  complete: { flags: ['--evidence', 'tests pass'], body: { evidence: ['tests pass'] } },
  adopt: { flags: ['--task', 'T-1', '--pr', '34'], body: { task: 'T-1', pr: '34' } },
  close: { flags: ['--reason', 'over'], body: { reason: 'over' }, agent: true },
  hibernate: { flags: ['--reason', 'lunch'], body: { reason: 'lunch' }, agent: true },
  wake: { flags: [], body: {}, before: ['hibernate'], agent: true },
  reopen: { flags: [], body: {}, before: ['close'], agent: true },
};
const NAMES = ROUTED_NAMES.filter(
  (name): name is ActionName => methodOf(name) === 'POST' && name !== 'restore',
);

const room = new ServerRoom();
beforeAll(async () => {
  await room.tmux.session('stays');
  await room.open();
});
afterAll(() => room.shut());

const command = (name: ActionName, word: string, flags: readonly string[] = []) =>
  typed(name, word, ...flags);
const typed = async (...argv: readonly string[]) => {
  const { gate, history } = room.options().instruments;
  const { exitCode, stdout } = await run([...argv, '--json'], {
    hands: () => room.hands(),
    eyes: async () => room.desk.look,
    ledger: async () => (await room.hands()).ledger,
    ...{ doctor: () => room.doctor(), gate, history },
    pressure: async () => () => ({ pressure: room.desk.round()!.pressure, problems: [] }),
    env: { HOME: '/nowhere', SHELL: '/bin/sh' },
    now: Date.now,
  });
  return { exitCode, document: JSON.parse(stdout) };
};
const http = async (name: ActionName, word: string, body: object = {}) => {
  const of = OPERATIONS[name].word === 'receipt' ? 'receipts' : 'sessions';
  const { status, json } = await room.ask({ method: 'POST', path: `/v1/${of}/${word}/${name}`, body });
  return { status, document: json };
};

const SAID = new Set([
  'result',
  'exitCode',
  'isDryRun',
  'reason',
  'task',
  'role',
  'missing',
  'putBack',
  'hint',
]);

/** What is the same for two sessions that are alike: what came of it, and which fields tell of it. */
function outline(value: unknown, word: string): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => outline(one, word));
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      if (VERDICT.has(key)) return [];
      if (!SAID.has(key)) return [[key, outline(part, word)]];
      return [
        [
          key,
          JSON.stringify(part)
            .replaceAll(word, 'NAME')
            .replace(/\br[a-z0-9]{12}\b/g, 'RECEIPT'),
        ],
      ];
    }),
  );
}

/** What a look says of the moment, and how far each rung had to go. */
const VERDICT = new Set([
  ...['activity', 'waitingFor', 'reasons', 'blockers', 'checks', 'waived', 'rungs', 'processes', 'panes'],
  ...['memoryBytes', 'agent', 'notes', 'survivors', 'evidence', 'digests'],
]);

describe.each(NAMES)('%s', (name) => {
  const { flags, body, before = [], agent } = CASES[name];

  it('answers the same on the command line and over HTTP', async () => {
    const answers: unknown[] = [];
    for (const by of ['typed', 'asked']) {
      const word = `${by}-${name}`;
      if (agent) await room.agent(word, 'leaves');
      else await room.tmux.session(word);
      for (const earlier of before) expect((await command(earlier, word)).exitCode).toBe(0);
      if (by === 'typed') {
        const { exitCode, document } = await command(name, word, flags);
        expect([exitCode, document.error]).toEqual([0, undefined]);
        answers.push(outline(document, word));
      } else {
        const { status, document } = await http(name, word, body);
        expect([status, document.detail]).toEqual([200, undefined]);
        answers.push(outline(document, word));
      }
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it('refuses the same, with the same words', async () => {
    const typed = await command(name, 'nobody', flags);
    const asked = await http(name, 'nobody', body);
    const { code, message, hint } = typed.document.error;
    expect([asked.document.code, asked.document.detail, asked.document.hint]).toEqual([code, message, hint]);
    expect([typed.exitCode, asked.status]).toEqual([4, 404]);
  });
});

/** The same look, on the command line and over HTTP. */
const LOOKS: Readonly<Record<LookName, readonly (readonly [readonly string[], string])[]>> = {
  roll: [
    [['roll'], '/v1/roll'],
    [['roll'], '/v1/roll?fresh=true'],
    [['roll', '--all'], '/v1/roll?all=true'],
    [['roll', 'looked-*'], '/v1/roll?sessions=looked-*'],
    [['roll', 'looked-at', '--lifecycle=active,unknown,stale,safe-to-close'], '/v1/roll?name=looked-at'],
    [['roll', '--agent=none'], '/v1/roll?agent=none'],
    [['roll', '--activity=exited'], '/v1/roll?activity=exited'],
  ],
  explain: [[['explain', 'looked-at'], '/v1/sessions/looked-at/evidence']],
  wait: [
    [['wait', 'looked-at', '--until=none'], '/v1/wait?sessions=looked-at&until=none'],
    [
      ['wait', 'looked-at', 'stays', '--any', '--until=none,idle'],
      '/v1/wait?sessions=looked-at,stays&any=true&until=none,idle',
    ],
  ],
  status: [[['status'], '/v1/status']],
  doctor: [[['doctor', '--only=duplicates,grouped-sessions'], '/v1/doctor?only=duplicates,grouped-sessions']],
  reapReport: [[['reap', 'report', '--since=1d'], '/v1/reap/report?since=1d']],
  gateStatus: [
    [['gate', 'status'], '/v1/gate'],
    [['gate', 'status', 'looked-at', '--all'], '/v1/gate?session=looked-at&all=true'],
  ],
  gateReport: [[['gate', 'report', '--since=1d'], '/v1/gate/report?since=1d']],
  log: [
    [['log'], '/v1/ledger?limit=500'],
    [['log', '--limit=2'], '/v1/ledger?limit=2'],
    [['log', 'looked-at'], '/v1/ledger?session=looked-at'],
    [['log', '--since=2h'], '/v1/ledger?since=2h&limit=500'],
    [['log', '--since=2h', '--limit=2'], '/v1/ledger?since=2h&limit=2'],
  ],
};

/** What does not depend on the moment: which sessions, which entries, which fields. */
const told = (document: Record<string, unknown>) => ({
  fields: Object.keys(document).sort(),
  sessions: Array.isArray(document.sessions)
    ? document.sessions.map(({ key }: { key: string }) => key).sort()
    : (document.sessions as { count?: number } | undefined)?.count,
  session: (document.session as { key: string } | undefined)?.key,
  checks: document.checks,
  contracts: document.contracts,
  events: document.events,
  stops: document.stops,
  entries: document.entries,
  head: document.head,
});

describe.each(ROUTED_NAMES.filter((name): name is LookName => methodOf(name) === 'GET'))('%s', (name) => {
  beforeAll(async () => {
    if ((await typed('roll', 'looked-at')).exitCode !== 0) await room.tmux.session('looked-at');
    await typed('hold', 'looked-at');
    await room.desk.lookNow();
  });

  it.each(LOOKS[name])('%j shows the same as %s', async (argv, path) => {
    const here = await typed(...argv);
    const there = await room.ask({ path });
    expect([here.exitCode, there.status]).toEqual([0, 200]);
    expect(told(there.json)).toEqual(told(here.document));
  });
});

describe('a look that is asked for wrongly', () => {
  it.each([
    ['/v1/roll?sessions=nobody', 404, 'not-found'],
    ['/v1/roll?servers=nowhere', 404, 'not-found'],
    ['/v1/status?servers=nowhere', 404, 'not-found'],
    ['/v1/roll?fresh=maybe', 400, 'parameter'],
    ['/v1/roll?lifecycle=tired', 400, 'parameter'],
    ['/v1/ledger?limit=501', 400, 'parameter'],
    ['/v1/ledger?limit=0', 400, 'parameter'],
    ['/v1/ledger?since=yesterday', 400, 'parameter'],
    ['/v1/ledger?session=nobody', 404, 'not-found'],
    ['/v1/sessions/nobody/evidence', 404, 'not-found'],
    ['/v1/doctor?only=everything', 400, 'parameter'],
    ['/v1/doctor?servers=nowhere', 404, 'not-found'],
    ['/v1/gate?session=nobody', 404, 'not-found'],
    ['/v1/gate/report?since=yesterday', 400, 'parameter'],
    ['/v1/wait?sessions=nobody&until=idle', 404, 'not-found'],
    ['/v1/wait?sessions=stays&until=idle&servers=nowhere', 404, 'not-found'],
    ['/v1/wait?sessions=stays', 400, 'parameter'],
    ['/v1/wait?sessions=stays&until=tired', 400, 'parameter'],
    ['/v1/wait?sessions=stays&until=idle&timeoutMs=600001', 400, 'parameter'],
    ['/v1/wait?sessions=stays&until=exited&timeoutMs=1', 504, 'timed-out'],
  ])('%s is answered with %i %s', async (path, status, code) => {
    const { status: got, json } = await room.ask({ path });
    expect([got, json.code]).toEqual([status, code]);
  });
});
