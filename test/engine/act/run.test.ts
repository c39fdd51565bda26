import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import { isGone } from '../../../src/core/sight/roll.ts';
import { succeeds } from '../../../src/core/try-or.ts';
import { LEAKED_VARIABLES } from '../../../src/engine/act/caller-environment.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { RUN_STEPS, run } from '../../../src/engine/act/run.ts';
import { prepareAgent } from '../../../src/engine/act/run-wish.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { startTicksOf } from '../../adapters/proc/real-processes.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf, factsIn } from './acting-room.ts';

let room: ActingRoom;
beforeEach(() => {
  room = new ActingRoom();
});
afterEach(() => room.leave());

const withAppend = (ledger: Ledger, append: Ledger['append']): Ledger => ({
  append,
  facts: () => ledger.facts(),
  read: (selection) => ledger.read(selection),
  scan: (begin) => ledger.scan(begin),
  verify: () => ledger.verify(),
  repair: () => ledger.repair(),
  close: () => {},
});
/** Of a program that runs: the `env` before it sets its run last. */
const environment = (pid: number) =>
  until(
    'it runs',
    () => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
    (variables) => variables.some((one) => /^ROLLCALL_RUN=(?!leaked$)/.test(one)),
  );

describe('a session that is started', () => {
  it('has the key that looks see, also where its server counts its time otherwise', async () => {
    const hands = await room.hands();
    const startSession: Hands['tmux']['startSession'] = async (...call) => {
      const started = await hands.tmux.startSession(...call);
      if (started.state !== 'started') throw new Error(started.state);
      return { ...started, server: { ...started.server, startTicks: 1 } };
    };
    const ran = await run({ ...hands, tmux: { ...hands.tmux, startSession } }, room.wish());
    const { sessions } = await hands.look();
    expect(sessions).toMatchObject([{ name: 'worker', lifecycle: expect.not.stringMatching('lost') }]);
    expect(ran.state === 'started' && ran.key).toBe(sessions[0]?.key);
  });

  it('has an intent before it, an outcome after it, and an identity in both worlds', async () => {
    const steps: string[] = [];
    const hands = await room.hands({ onStep: (step, when) => void steps.push(`${when} ${step}`) });
    const ran = await run(hands, room.wish({ claims: { role: 'worker', task: 'T-1', owner: 'ann' } }));
    if (ran.state !== 'started' || ran.entry === null) throw new Error(JSON.stringify(ran));
    expect(steps).toEqual(RUN_STEPS.flatMap((step) => [`before ${step}`, `after ${step}`]));

    const [intent, outcome, ...more] = entriesOf(hands);
    expect(more).toEqual([]);
    expect(intent).toMatchObject({
      kind: 'intent',
      action: 'run',
      session: { key: null, name: 'worker' },
      body: { argv: ['sleep', '1000'], server: { socketPath: room.tmux.socketPath } },
    });
    const { entry } = ran;
    const [pane] = entry.panes;
    expect(outcome).toMatchObject({
      kind: 'outcome',
      cause: intent?.sequence,
      session: { key: entry.key, name: 'worker' },
      body: {
        result: 'done',
        run: intent?.body.run,
        server: { pid: entry.server.pid, startTicks: entry.server.startTicks },
        sessionId: entry.sessionId,
        createdAtSeconds: entry.createdAt / 1000,
        paneId: pane?.paneId,
        pid: pane?.pid,
      },
    });
    expect(factsIn(hands).get(entry.key)).toMatchObject({
      origin: { how: 'started' },
      claims: { role: 'worker', task: 'T-1', owner: 'ann' },
    });
    const stamps = await room.tmux.tmux(
      ...[
        'display-message',
        '-p',
        '-t',
        pane?.paneId ?? '',
        '#{@rollcall_run} #{@rollcall_owner} #{@rollcall_task}',
      ],
    );
    expect(stamps).toBe(`${intent?.body.run} ann T-1`);
    expect(await environment(pane?.pid ?? 0)).toContain(`ROLLCALL_RUN=${intent?.body.run}`);
  });

  it('goes with its program unless it was to remain', async () => {
    const hands = await room.hands();
    await room.tmux.session('other');
    for (const remain of [false, true]) {
      const ran = await run(hands, room.wish({ name: `remain-${remain}`, remain }));
      if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
      process.kill(ran.entry?.panes[0]?.pid ?? 0, 'SIGKILL');
    }
    await until('one is gone and one is dead', async () => {
      const { sessions } = await hands.look();
      const dead = sessions.find(({ name }) => name === 'remain-true')?.panes[0]?.isDead;
      return dead === true && !sessions.some((entry) => entry.name === 'remain-false' && !isGone(entry));
    });
  });

  it('gets the variables it is given, and none by which agents mark what they start', async () => {
    const marks = [...LEAKED_VARIABLES, 'ROLLCALL_RUN', 'ROLLCALL_OWNER'];
    const leaks = Object.fromEntries(marks.map((name) => [name, 'leaked']));
    for (const isServerThere of [false, true]) {
      room.leave();
      room = new ActingRoom({ ...leaks, CLAUDE_CONFIG_DIR: '/mine' });
      // Whoever started the server has left the same in it.
      if (isServerThere) {
        await room.tmux.session('first');
        for (const name of marks) await room.tmux.tmux('set-environment', '-g', name, 'leaked');
        await room.tmux.tmux('set-environment', '-g', 'CLAUDE_CONFIG_DIR', '/mine');
      }
      const hands = await room.hands();
      const ran = await run(hands, room.wish({ env: { SPOKEN: 'a b=c', GEMINI_CLI: 'on purpose' } }));
      if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
      const variables = await environment(ran.entry?.panes[0]?.pid ?? 0);
      expect(variables).toContain('SPOKEN=a b=c');
      expect(variables).toContain('GEMINI_CLI=on purpose');
      expect(variables).toContain('CLAUDE_CONFIG_DIR=/mine');
      expect(variables.filter((one) => one.endsWith('=leaked'))).toEqual([]);
      expect(variables.filter((one) => one.startsWith('ROLLCALL_RUN='))).toHaveLength(1);
      expect(variables).toContain(`TMUX_PANE=${ran.entry?.panes[0]?.paneId}`);
      const global = await room.tmux.tmux('show-environment', '-g');
      if (!isServerThere)
        expect(global.split('\n').filter((one) => /=leaked$|^GEMINI_CLI/.test(one))).toEqual([]);
    }
  });
});

describe('a name that is taken', () => {
  it('refuses and says who has it, and records nothing', async () => {
    const hands = await room.hands();
    const { sessionId } = await room.tmux.session('worker');
    expect(await run(hands, room.wish())).toMatchObject({ state: 'name-taken', by: { sessionId } });
    expect(entriesOf(hands)).toEqual([]);
  });

  it('takes the next free number where it may', async () => {
    const hands = await room.hands();
    await room.tmux.session('worker');
    await room.tmux.session('worker-2');
    const ran = await run(hands, room.wish({ onCollision: 'suffix' }));
    expect(ran).toMatchObject({ state: 'started', name: 'worker-3' });
  });

  it('leaves it to tmux which names are the same, and records what came of it', async () => {
    const hands = await room.hands();
    await room.tmux.session('a.b');
    const stored = await room.tmux.tmux('list-sessions', '-F', '#{session_name}');
    const ran = await run(hands, room.wish({ name: 'a.b', onCollision: 'suffix' }));
    expect(ran.state).toBe('started');
    const names = (await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).split('\n');
    expect(names).toEqual([stored, `${stored}-2`]);
    expect((await recoverAll(hands)).length).toBe(0);
  });

  it('S5: does not mind the same name on another server', async () => {
    const other = new PrivateTmux('other', room.tmux.folder);
    const theirs = await other.session('worker');
    const hands = await room.hands({}, [room.tmux.socketPath, other.socketPath]);
    const ran = await run(hands, room.wish());
    expect(ran).toMatchObject({ state: 'started', name: 'worker' });
    expect(ran.state === 'started' && ran.entry?.server.socketPath).toBe(room.tmux.socketPath);
    expect(await other.tmux('display-message', '-p', '-t', theirs.paneId, '#{pane_pid}')).toBe(
      `${theirs.pid}`,
    );
    other.stop();
  });
});

describe('a program that ends at once', () => {
  /** Whose first moments last until its end is seen: a busy machine may take longer for that than a moment. */
  const patient = () => {
    const at = Date.now();
    return room.hands({ now: () => at });
  };

  it('is told of with its exit status and last screen, and leaves no session and no expectation', async () => {
    const hands = await patient();
    await room.tmux.session('other');
    const argv = ['sh', '-c', 'echo "no such model"; sleep 0.1; exit 3'];
    const ran = await run(hands, room.wish({ argv }));
    expect(ran).toMatchObject({ state: 'died', end: { exitStatus: 3 } });
    expect(ran.state === 'died' && ran.end?.screen.join('\n')).toContain('no such model');
    expect(await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('other');
    const [, outcome] = entriesOf(hands);
    expect(outcome?.body).toMatchObject({ result: 'died', end: { exitStatus: 3 } });
    expect([...factsIn(hands).values()].map(({ origin }) => origin)).toEqual([null]);
  });

  it('has ended for certain, where its server was gone before anybody could look at it', async () => {
    const hands = await room.hands();
    const startSession: Hands['tmux']['startSession'] = async (...call) => {
      const started = await hands.tmux.startSession(...call);
      if (started.state !== 'started') throw new Error(started.state);
      const { pid } = started.server;
      await until('its server has ended', () => {
        // Before 3.6 tmux may miss that a program has ended until another one does.
        const isThere = succeeds(() => process.kill(pid, 'SIGCHLD'));
        return !isThere || startTicksOf(pid) === undefined;
      });
      return started;
    };
    const ran = await run({ ...hands, tmux: { ...hands.tmux, startSession } }, room.wish({ argv: ['true'] }));
    expect(ran).toMatchObject({
      ...{ state: 'started', end: { exitStatus: 0 } },
      entry: { lifecycle: 'closed', receipt: expect.any(String) },
    });
    expect(readdirSync(join(room.state, 'rollcall', 'ends'))).toEqual([]);
  });

  it('is told of where there is no such program', async () => {
    const hands = await patient();
    const ran = await run(hands, room.wish({ argv: ['/no/such/program'] }));
    expect(ran).toMatchObject({ state: 'died', end: { exitStatus: 127 } });
  });

  it('keeps its pane where it is to remain', async () => {
    const hands = await patient();
    const ran = await run(hands, room.wish({ argv: ['sh', '-c', 'exit 0'], remain: true }));
    expect(ran).toMatchObject({ state: 'started', end: { exitStatus: 0 } });
    expect(await room.tmux.tmux('list-panes', '-a', '-F', '#{pane_dead}')).toBe('1');
    expect(factsIn(hands).size).toBe(1);
  });

  it.each([0, 3])('S58: keeps its pane where the user keeps it, with status %i', async (status) => {
    const hands = await patient();
    await room.tmux.session('other');
    await room.tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    const argv = ['sh', '-c', `seq 1 100; sleep 0.1; exit ${status}`];
    const ran = await run(hands, room.wish({ argv }));
    expect(ran).toMatchObject({
      ...{ state: 'started', end: { exitStatus: status } },
      entry: { panes: [{ isDead: true, exitStatus: status }] },
    });
    expect(entriesOf(hands).at(-1)?.body).toMatchObject({ result: 'done', end: { exitStatus: status } });
    const kept = await room.tmux.tmux('capture-pane', '-p', '-S', '-', '-t', '=worker:');
    expect(kept.split('\n')).toContain('1');
    expect(factsIn(hands).size).toBe(1);
  });

  it('S58: keeps its pane where nobody could write down how it ended', async () => {
    const hands = await patient();
    await room.tmux.session('other');
    mkdirSync(join(room.state, 'rollcall'), { recursive: true });
    writeFileSync(join(room.state, 'rollcall', 'ends'), 'in the way');
    const argv = ['sh', '-c', 'echo why; sleep 0.1; exit 3'];
    const ran = await run(hands, room.wish({ argv }));
    expect(ran).toMatchObject({ state: 'started', end: { exitStatus: 3, screen: ['why'] } });
    const panes = ['list-panes', '-t', '=worker:', '-F', '#{pane_dead}'];
    expect(await room.tmux.tmux(...panes)).toBe('1');
  });

  it('is not confused with a folder that is not there', async () => {
    const hands = await room.hands();
    const ran = await run(hands, room.wish({ cwd: join(room.tmux.folder, 'nowhere') }));
    expect(ran).toMatchObject({ state: 'failed', text: expect.stringContaining('no such folder') });
    expect(entriesOf(hands).map(({ kind }) => kind)).toEqual(['intent', 'outcome']);
  });
});

describe('S58: a program that lets go of its terminal and works on', () => {
  it('has not ended, though tmux calls its pane dead', async () => {
    const hands = await room.hands();
    await room.tmux.session('other');
    // Nothing of the pane is left in its environment.
    const note = join(room.tmux.folder, 'pid');
    const script = `trap "" HUP; echo $$ >${note}; exec env -i /bin/sleep 1000 >/dev/null 2>&1 </dev/null`;
    const ran = await run(hands, room.wish({ argv: ['sh', '-c', script] }));
    const pid = await toldPid(note);
    try {
      await until(
        'tmux calls it dead',
        () => room.tmux.tmux('list-panes', '-t', '=worker:', '-F', '#{pane_dead}'),
        (dead) => dead === '1',
      );
      expect(ran).toMatchObject({ state: 'started', end: null });
      const entry = await room.entry(hands, 'worker');
      expect(entry).toMatchObject({
        activity: 'working',
        lifecycle: 'active',
        panes: [{ pid, isDead: false }],
      });
      expect(entry.blockers.map(({ code }) => code)).toContain('nothing-running');
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    const gone = async () => (await hands.look({ isWithClosed: true })).sessions;
    await until('its end is seen', async () => {
      return (await gone()).some(({ name, ended }) => name === 'worker' && ended !== undefined);
    });
  });
});

describe('when something fails on the way', () => {
  it.each(['full', 'read-only', 'locked', 'damaged'] as const)(
    'S36: starts nothing where the intent cannot be recorded: %s',
    async (code) => {
      const real = await room.hands();
      const error = new LedgerError(code, 'it cannot', 'mend it');
      const ledger = withAppend(real.ledger, () => {
        throw error;
      });
      await room.tmux.session('other');
      await expect(run({ ...real, ledger }, room.wish())).rejects.toBe(error);
      expect(await room.tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('other');
    },
  );

  it('S36, S50: a session whose outcome cannot be recorded is recorded by the next command', async () => {
    const real = await room.hands();
    const ledger = withAppend(real.ledger, (draft) => {
      if (draft.kind === 'outcome') throw new LedgerError('full', 'no room', 'make room');
      return real.ledger.append(draft);
    });
    const ran = await run({ ...real, ledger }, room.wish());
    expect(ran).toMatchObject({ state: 'unrecorded', name: 'worker' });
    const [recovered] = await recoverAll(real);
    expect(recovered).toMatchObject({ body: { result: 'done' } });
    const { key } = await room.entry(real, 'worker');
    expect(factsIn(real).get(key)?.origin?.how).toBe('started');
  });

  it('S32: finds what tmux has started without an answer, and leaves open what nobody can tell', async () => {
    const real = await room.hands();
    const mute: typeof real.tmux = {
      ...real.tmux,
      startSession: async (socketPath, wish) => {
        await real.tmux.startSession(socketPath, wish);
        return { state: 'failed', text: 'no answer' };
      },
    };
    expect(await run({ ...real, tmux: mute }, room.wish())).toMatchObject({
      state: 'started',
      name: 'worker',
    });

    const silent: typeof real.look = async (options) => {
      const roll = await real.look(options);
      const problem = { code: 'server-timeout', text: 'no answer', socketPath: room.tmux.socketPath };
      return { ...roll, problems: [problem] };
    };
    const ran = await run({ ...real, tmux: mute, look: silent }, room.wish({ name: 'second' }));
    expect(ran).toMatchObject({ state: 'undecided' });
    expect(entriesOf(real).at(-1)).toMatchObject({ kind: 'intent', session: { name: 'second' } });
    expect(await recoverAll({ ...real, look: silent })).toEqual([]);
    expect(await recoverAll(real)).toMatchObject([{ session: { name: 'second' }, body: { result: 'done' } }]);
  });

  it('S3: leaves alone the session that somebody has moved its pane into', async () => {
    const real = await room.hands();
    await room.tmux.session('other');
    const moving =
      (isMute: boolean): typeof real.tmux.startSession =>
      async (socketPath, wish) => {
        const started = await real.tmux.startSession(socketPath, wish);
        await room.tmux.session(`person-${isMute}`);
        await room.tmux.tmux('join-pane', '-d', '-s', '=worker:', '-t', `=person-${isMute}:`);
        return isMute ? { state: 'failed', text: 'no answer' } : started;
      };
    const mute = { ...real, tmux: { ...real.tmux, startSession: moving(true) } };
    expect(await run(mute, room.wish())).toMatchObject({ state: 'undecided' });
    expect(await recoverAll(real)).toMatchObject([
      {
        ...{ session: { key: null, name: 'worker' } },
        body: { result: 'moved', text: expect.stringContaining("'person-true'") },
      },
    ]);
    expect([...factsIn(real).values()].filter(({ origin }) => origin !== null)).toEqual([]);
    // Told, but not seen any more: it has not died.
    const told = { ...real, tmux: { ...real.tmux, startSession: moving(false) } };
    expect(await run(told, room.wish())).toMatchObject({ state: 'started', name: 'worker', entry: null });
    const keys = (await real.look()).sessions.flatMap(({ name, key }) =>
      name.startsWith('person') ? key : [],
    );
    expect(keys.map((key) => factsIn(real).get(key)?.origin ?? null)).toEqual([null, null]);
  });

  it('refuses a second start of the same name while the first is under way', async () => {
    const hands = await room.hands();
    const all = await Promise.all([run(hands, room.wish()), run(await room.hands(), room.wish())]);
    const states = all.map(({ state }) => state).sort();
    expect(states.filter((state) => state === 'started')).toHaveLength(1);
    expect(['busy', 'name-taken']).toContain(states.find((state) => state !== 'started'));
  });
});

describe('agents', () => {
  it('are prepared by their adapters, and other programs are left alone', async () => {
    const { agents } = await room.hands();
    const claude = prepareAgent(agents, ['claude', 'fix it']);
    expect(claude).toMatchObject({
      argv: ['claude', '--session-id', claude.agent?.conversation, 'fix it'],
      agent: { kind: 'claude' },
    });
    expect(prepareAgent(agents, ['make', 'all'])).toEqual({ argv: ['make', 'all'], agent: null });
    expect(prepareAgent(agents, ['opencode'])).toEqual({
      argv: ['opencode'],
      agent: { kind: 'opencode', conversation: null },
    });
  });
});

it('S64: waits while somebody else starts an agent on its conversation', async () => {
  const hands = await room.hands();
  const lock = { name: 'conversation', project: 'claude:talk' };
  const taken = hands.locks.tryLock(lock, { task: 'reopen', argv: [] });
  if (taken.state !== 'held') throw new Error(taken.state);
  const seen: number[] = [];
  const wait = async () => {
    seen.push(entriesOf(hands).length);
    taken.hold.release();
  };
  const agent = { kind: 'claude', conversation: 'talk' };
  expect(await run({ ...hands, wait }, room.wish({ agent }))).toMatchObject({ state: 'started' });
  expect(seen[0]).toBe(0);
});
