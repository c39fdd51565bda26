import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { Machine } from '../machine/machine.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import { ledgerOf } from '../ports/ledger-store.ts';
import { settingsOf } from '../rollcall/settings.ts';
import { LAWS } from './index.ts';
import { watchLaws } from './watch-laws.ts';

const BY = 'rollcall:daemon-1';
const MINUTE = 60_000;

/** A world with one agent at rest in a session, in which the test itself plays rollcall. */
async function world() {
  const machine = new Machine(1);
  const files = new Map([
    ['session.json', ''],
    ['pane-0.0.txt', ''],
  ]);
  const install = machine.installs.get('home');
  if (install === undefined) throw new Error('there is no home');
  const store = ledgerOf(install);
  const watch = watchLaws({
    ...{ machine, settings: settingsOf(), calmFromMs: () => null },
    kept: {
      facts: (_, key) => store.folded.facts.get(key),
      holder: () => 'daemon-1',
      entries: () => store.entries,
      archive: (_, id) => (id === 'r1' ? files : null),
    },
  });
  const server = machine.startServer('/tmp/tmux-1000/default');
  const session = server.newSession({ name: 'one', label: 's1', argv: ['agent-full'], cwd: '/w' }, 'person');
  const other = server.newSession({ name: 'two', label: 's2', argv: ['agent-full'], cwd: '/v' }, 'person');
  const pane = session.windows[0]?.active as SimPane;
  await machine.clock.runUntil(MINUTE);
  const agent = machine.agentIn(pane);
  if (agent === undefined) throw new Error('no agent has begun');
  files.set('session.json', String(agent.truth.conversation));

  const record = (
    kind: 'intent' | 'outcome' | 'receipt' | 'declared' | 'note',
    action: string,
    more: More = {},
  ) => {
    const { by = BY, body = {}, cause = null, of = session } = more;
    const author = {
      ...{ host: machine.host.machineId, bootId: machine.host.bootId },
      actor: { kind: by.includes('daemon') ? 'daemon' : 'cli', pid: 4, user: 'ada' },
    };
    const draft = { kind, action, session: { key: of.key, name: of.name }, cause, body };
    const entry = store.append(draft, author, machine.clock.at);
    const { sequence, hash } = entry;
    machine.journal.note(by as typeof BY, {
      ...{ what: 'recorded', install: 'home', sequence, kind, action, key: of.key, cause, hash },
    });
    return sequence;
  };
  const intend = (body: JsonObject = {}, by = BY) =>
    record('intent', 'close', {
      by,
      body: {
        ...{ archive: 'r1', reason: 'it is due', despite: [], panes: [pane.id] },
        server: { socketPath: server.socketPath, pid: server.pid, startTicks: server.process.startTicks },
        ...{ sessionId: session.id, createdAtSeconds: session.createdAtSeconds },
        processes: [
          { pid: agent.process.pid, startTicks: agent.process.startTicks, program: 'a', paneId: pane.id },
        ],
        ...body,
      },
    });
  const care = () => record('declared', 'adopt');
  const exit = () => server.type(pane, '/exit', BY);
  const term = () => machine.processes.signal(agent.process, 'SIGTERM', BY);
  const wait = (ms: number) => machine.clock.runUntil(machine.clock.ms + ms);
  const told = () => {
    const broken = watch.broken();
    return broken === null ? null : `${broken.law.name}: ${broken.text}`;
  };
  const ended = () => {
    watch.end();
    return told();
  };
  return {
    machine,
    server,
    session,
    other,
    pane,
    agent,
    files,
    record,
    intend,
    care,
    exit,
    term,
    wait,
    told,
    ended,
  };
}

interface More {
  readonly by?: string;
  readonly body?: JsonObject;
  readonly cause?: number;
  readonly of?: SimSession;
}

type World = Awaited<ReturnType<typeof world>>;

/** What breaks a law, and the same without that. */
const CASES: Readonly<Record<string, readonly [law: string, play: (world: World) => unknown][]>> = {
  'an agent': [
    [
      'no-close-at-work: s1 works',
      async (w) => {
        w.agent.beginTurn('person');
        await w.wait(MINUTE);
        w.intend();
        w.exit();
      },
    ],
    [
      'no-close-at-work: s1 waits',
      async (w) => {
        w.agent.openDialog('question');
        await w.wait(MINUTE);
        w.intend();
        w.term();
      },
    ],
    [
      'no-close-at-work: s1 has tasks',
      async (w) => {
        w.agent.setBackground(2);
        await w.wait(MINUTE);
        w.intend();
        w.exit();
      },
    ],
    [
      'no-close-at-work: s1 has a living',
      (w) => {
        w.intend();
        w.server.killSession(w.session, BY);
      },
    ],
    [
      'no-close-with-draft',
      async (w) => {
        w.agent.setDraft('well', 'person');
        await w.wait(MINUTE);
        w.intend();
        w.exit();
      },
    ],
    [
      'blind-does-nothing',
      (w) => {
        w.agent.word = { ...w.agent.word, turn: 'running' };
        w.intend();
        w.exit();
      },
    ],
  ],
  'a person': [
    [
      'no-close-with-people: somebody is',
      (w) => {
        w.server.attach(w.session, 'person');
        w.intend();
        w.exit();
      },
    ],
    [
      'no-close-with-people: somebody left',
      async (w) => {
        w.server.detach(w.server.attach(w.session, 'person'), 'person');
        await w.wait(MINUTE);
        w.intend();
        w.exit();
      },
    ],
    [
      'no-close-with-people: somebody reads',
      (w) => {
        w.server.setMode(w.pane, true, 'person');
        w.intend();
        w.exit();
      },
    ],
  ],
  'a hold': [
    [
      'answered-holds',
      (w) => {
        w.record('declared', 'hold', { by: 'rollcall:hold-1' });
        w.machine.journal.note('rollcall:hold-1', {
          what: 'answered',
          seat: 'hold-1',
          command: 'hold',
          answer: 'done',
        });
        w.intend();
        w.exit();
      },
    ],
    [
      'answered-holds',
      (w) => {
        w.record('declared', 'retain', { by: 'rollcall:retain-1', body: { forMs: MINUTE } });
        w.machine.journal.note('rollcall:retain-1', {
          what: 'answered',
          seat: 'retain-1',
          command: 'retain',
          answer: 'done',
        });
        w.intend();
        w.exit();
      },
    ],
  ],
  'somebody else': [
    [
      'right-identity',
      (w) => {
        w.intend({ createdAtSeconds: 1 });
        w.exit();
      },
    ],
    [
      'right-identity',
      (w) => {
        w.intend({ processes: [] });
        w.term();
      },
    ],
    [
      'right-identity',
      (w) => {
        w.intend({ panes: ['%9'] });
        w.exit();
      },
    ],
    ['intent-first', (w) => w.server.killSession(w.other, BY)],
    ['intent-first', (w) => w.term()],
    [
      'detached-lives-on',
      (w) => {
        const child = w.agent.startChild(['server'], 'person', true);
        w.intend({
          processes: [{ pid: child.pid, startTicks: child.startTicks, program: 'server', paneId: w.pane.id }],
        });
        w.machine.processes.signal(child, 'SIGTERM', BY);
      },
    ],
  ],
  'what is unfinished': [
    [
      'no-automatic-close-of-unfinished',
      async (w) => {
        w.machine.git.change('/w', { dirtyFiles: 3 }, 'agent');
        await w.wait(2 * MINUTE);
        w.intend();
        w.exit();
      },
    ],
  ],
  'what is kept': [
    [
      'nothing-lost',
      (w) => {
        w.intend({ archive: 'r2' });
        w.exit();
      },
    ],
    [
      'nothing-lost',
      (w) => {
        w.files.set('session.json', '');
        w.intend();
        w.exit();
      },
    ],
    ['nothing-lost', (w) => w.machine.git.change('/w', { dirtyFiles: 0 }, BY)],
    [
      'one-outcome',
      (w) => {
        const cause = w.intend();
        w.record('outcome', 'close', { cause });
        w.record('outcome', 'close', { cause });
      },
    ],
    [
      'ledger-verifies',
      (w) => {
        w.record('note', 'x');
        Object.assign(ledgerOf(w.machine.installs.get('home') as never).entries[0] as object, { at: 1 });
        ledgerOf(w.machine.installs.get('home') as never).head = { sequence: 7, hash: 'x' };
        w.record('note', 'y');
      },
    ],
  ],
  'the reaper': [
    [
      'grace-and-budget: one is closed, and was not chosen',
      (w) => w.intend({ reason: 'memory pressure is critical: long-idle' }),
    ],
    [
      'grace-and-budget: one is closed 1000 ms after',
      async (w) => {
        w.record('note', 'reap-chosen');
        await w.wait(1000);
        w.intend({ reason: 'memory pressure is critical: long-idle' });
      },
    ],
    [
      'grace-and-budget: one is closed by itself while one',
      (w) => {
        w.intend();
        w.intend();
      },
    ],
  ],
  'another agent': [
    [
      'one-agent-a-conversation',
      async (w) => {
        const { conversation } = w.agent.truth;
        const argv = ['agent-full', '--resume', String(conversation)];
        w.server.newSession({ name: 'again', argv, cwd: '/w' }, 'rollcall:reopen-1' as never);
      },
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  it.each(cases)('%s', async (law, play) => {
    const played = await world();
    played.care();
    await play(played);
    expect(played.told()).toContain(law);
  });
});

describe('no law', () => {
  it('is broken by a close that does everything right', async () => {
    const w = await world();
    w.care();
    const cause = w.intend();
    w.exit();
    w.server.press(w.pane, 'Enter', BY);
    await w.wait(MINUTE);
    w.record('receipt', 'close', { cause });
    w.record('outcome', 'close', { cause });
    expect([w.agent.isAlive, w.ended()]).toEqual([false, null]);
  });

  it('is broken by a turn that begins in the moment between the last look and the act', async () => {
    const w = await world();
    w.care();
    w.intend();
    w.agent.beginTurn('person');
    w.exit();
    expect([w.agent.word.turn, w.told()]).toEqual(['running', null]);
  });

  it('is broken by what people and agents do themselves', async () => {
    const w = await world();
    w.agent.beginTurn('person');
    w.server.killSession(w.session, 'person');
    w.machine.processes.signal(w.agent.process, 'SIGKILL', 'person');
    expect(w.ended()).toBeNull();
  });
});

describe('in the end', () => {
  it('an intent without an outcome is told', async () => {
    const w = await world();
    w.intend();
    expect(w.ended()).toContain('one-outcome: the close of one');
  });

  it('a session that rollcall does not care for is never closed by itself', async () => {
    const w = await world();
    w.intend();
    w.exit();
    expect(w.told()).toContain('bystander');
  });
});

it('each law has a name of its own and a sentence', () => {
  expect(new Set(LAWS.map(({ name }) => name)).size).toBe(LAWS.length);
  expect(LAWS.filter(({ sentence }) => sentence.length < 20)).toEqual([]);
});
