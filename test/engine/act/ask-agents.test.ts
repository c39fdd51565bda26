import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClosedSession } from '../../../src/core/close/find-receipt.ts';
import { readKept } from '../../../src/core/close/kept-document.ts';
import { reopeningOf } from '../../../src/core/close/reopening.ts';
import { tryOr } from '../../../src/core/try-or.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { hindranceTo } from '../../../src/engine/act/reopen/may-start.ts';
import { FakeAppServer, thread } from '../../adapters/agents/codex/fake-app-server.ts';
import { until } from '../../support/until.ts';
import { AgentRoom, LATER } from './agent-room.ts';

let room: AgentRoom;
let hands: Hands;

beforeEach(async () => {
  room = new AgentRoom();
  hands = await room.room.hands();
});
afterEach(() => room.leave());

const asked = (given?: Parameters<typeof room.asked>[1]) => room.asked(hands, given);

const CONTAINER = ['unshare', '--map-root-user', '--pid', '--fork', '--kill-child=KILL'];
const hasNamespaces = (() => {
  try {
    execFileSync('unshare', [...CONTAINER.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** In one pane an agent that somebody has stopped with Ctrl-Z, and in front of it another one. */
async function twoInPane(...words: string[]) {
  const { tmux } = room.room;
  await tmux.tmux(
    ...['new-session', '-d', '-s', 'hand', '-c', room.folder, '-e', `HOME=${room.home}`],
    ...['env', 'PS1=$ ', 'HISTFILE=', 'bash', '--norc', '--noprofile', '-i'],
  );
  const shell = Number(await tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
  const type = (...keys: string[]) => tmux.tmux('send-keys', '-t', '=hand:', ...keys);
  const children = () => childrenOf(shell).filter(isClaude);
  await type(room.claude, 'Enter');
  const [stopped = 0] = await until('the first runs', children, (pids) => pids.length === 1);
  // Until it waits for a line, the key may reach the shell.
  await until('it waits', () => readFileSync(`/proc/${stopped}/stat`, 'utf8').includes(') S'));
  await type('C-z');
  await until('it is stopped', () => readFileSync(`/proc/${stopped}/stat`, 'utf8').includes(') T'));
  await type([room.claude, ...words].join(' '), 'Enter');
  const both = await until('the second runs', children, (pids) => pids.length === 2);
  return { stopped, front: both.find((pid) => pid !== stopped) ?? 0 };
}

/** A session of one program, by its pid. */
async function inPane(argv: readonly string[]): Promise<number> {
  const place = ['-c', room.folder, '-e', `HOME=${room.home}`];
  const { tmux } = room.room;
  await tmux.tmux('new-session', '-d', '-s', 'hand', ...place, ...argv);
  return Number(await tmux.tmux('display-message', '-p', '-t', '=hand:', '#{pane_pid}'));
}

function childrenOf(pid: number): number[] {
  const text = tryOr('', () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  return text
    .split(' ')
    .map(Number)
    .filter((one) => one > 0);
}

/** Behind its interpreter; whatever starts it has its path among its arguments too. */
const isClaude = (pid: number) =>
  tryOr('', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[1] === room.claude;

describe('an agent is asked itself which conversation it has', () => {
  it('also where its pane shows another one', async () => {
    const { stopped, front } = await twoInPane();
    room.says(stopped, crypto.randomUUID());
    room.says(front, room.id);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [front] });
    room.says(front, crypto.randomUUID());
    room.says(stopped, room.id);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [stopped] });
  });

  it('and is believed there', async () => {
    const { stopped, front } = await twoInPane('--continue');
    room.says(stopped, crypto.randomUUID());
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [front], isYoung: false });
    room.says(front, crypto.randomUUID());
    expect(await asked(LATER)).toBeNull();
  });

  it.skipIf(!hasNamespaces)('by the number that it has in its container', async () => {
    for (const words of [[], ['--resume', crypto.randomUUID()]]) {
      const { pid } = await room.started.start(room.inFolder([...CONTAINER, room.claude, ...words]), {
        HOME: room.home,
      });
      const inner = await until('it runs', () => childrenOf(pid).find(isClaude) ?? 0);
      // It would say so by a number that nobody else knows.
      expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [inner] });
      room.says(inner, crypto.randomUUID(), 1);
      expect(await asked(LATER)).toBeNull();
      room.says(inner, room.id, 1);
      expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [inner] });
      await room.started.endAll();
      rmSync(room.statusOf(1));
    }
  });

  it.skipIf(!hasNamespaces)('in a container in a pane, too', async () => {
    const pid = await inPane([...CONTAINER, room.claude, '--resume', crypto.randomUUID()]);
    const inner = await until('it runs', () => childrenOf(pid).find(isClaude) ?? 0);
    room.says(inner, room.id, 1);
    expect(await asked(LATER)).toMatchObject({ state: 'outlived', pids: [inner] });
  });

  it('by what its hooks have told, where only they do', async () => {
    const gemini = room.program('gemini');
    const { tmux } = room.room;
    const { paneId } = await tmux.session('worker', 'sleep', '1000');
    const TMUX = `${tmux.socketPath},${tmux.serverPid},0`;
    const pid = await room.outside([gemini], { HOME: room.home, TMUX, TMUX_PANE: paneId });
    const now = Date.now() + 61_000;
    const sender = { paneId, tmuxServerPid: tmux.serverPid, parentPid: pid };
    const memory = { agentKind: 'gemini', conversation: room.id, subagents: [], sender };
    const about = () => [{ ...memory, last: { event: 'SessionStart', at: now } }];
    const agent = { kind: 'gemini', conversation: room.id };
    const over = { now: () => now };
    expect(await asked({ agent, hands: over })).toBeNull();
    expect(await asked({ agent, hands: { ...over, hooks: { about } as never } })).toMatchObject({
      ...{ state: 'outlived', pids: [pid] },
    });
  });
});

describe('an agent that cannot be asked may have any conversation', () => {
  it('while what it says cannot be read, however it began', async () => {
    for (const words of [[], ['--resume', crypto.randomUUID()]]) {
      const pid = await room.outside([room.claude, ...words], { HOME: room.home });
      room.says(pid, crypto.randomUUID());
      expect(await asked(LATER)).toBeNull();
      writeFileSync(room.statusOf(pid), '{"pid":');
      expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid], isYoung: false });
      expect(await asked({ ...LATER, cwd: room.home })).toBeNull();
      await room.started.endAll();
    }
  });

  it('in a pane, where only its command line names one', async () => {
    const pid = await inPane([room.claude, '--resume', crypto.randomUUID()]);
    await until('it runs', () => isClaude(pid));
    expect(await asked(LATER)).toBeNull();
    room.says(pid, crypto.randomUUID());
    writeFileSync(room.statusOf(pid), '{"pid":');
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
  });

  it('also where a job of its own runs below it', async () => {
    const script = `${room.claude} -p job & exec ${room.claude}`;
    const pid = await room.outside(['bash', '-c', script], { HOME: room.home });
    const [job = 0] = await until(
      'both run',
      () => childrenOf(pid).filter(isClaude),
      (pids) => pids.length === 1,
    );
    room.started.own(job);
    room.says(pid, crypto.randomUUID());
    expect(await asked(LATER)).toBeNull();
    writeFileSync(room.statusOf(pid), '{"pid":');
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
  });

  it('whose folders nobody knows, which give no answer, or which nobody may read', async () => {
    const homeless = await room.outside([room.claude]);
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [homeless] });
    await room.started.endAll();
    const pid = await room.outside([room.claude], { HOME: room.home });
    expect(await asked(LATER)).toBeNull();
    const silent = { state: 'silent', pids: [pid] };
    const agents = hands.agents.map((one) => ({ ...one, listen: () => Promise.reject(new Error('late')) }));
    expect(await asked({ hands: { ...LATER.hands, agents } })).toMatchObject(silent);
    const processes: typeof hands.processes = {
      ...hands.processes,
      environment: () => null,
      details: (of, needs) =>
        new Map(
          [...hands.processes.details(of, needs)].map(([at, { cwd: _, ...one }]) => [
            at,
            { ...one, unseen: 'hidden' },
          ]),
        ),
    };
    expect(await asked({ hands: { ...LATER.hands, processes } })).toMatchObject(silent);
    const elsewhere = { ...processes, details: hands.processes.details };
    expect(await asked({ hands: { ...LATER.hands, processes: elsewhere }, cwd: room.home })).toBeNull();
  });

  it('where a daemon has that conversation and does not tell who shows it', async () => {
    const codex = room.program('codex');
    const home = join(room.home, '.codex');
    mkdirSync(home);
    const server = new FakeAppServer(home);
    await server.listen();
    try {
      const ids = [crypto.randomUUID(), crypto.randomUUID()];
      const agent = { kind: 'codex', conversation: room.id };
      const pids = [];
      for (const one of ids) pids.push(await room.outside([codex, 'resume', one], { HOME: room.home }));
      const [first = ''] = ids;
      server.threads = [thread(first, { cwd: room.folder }), thread(room.id, { cwd: room.folder })];
      const found = await asked({ ...LATER, agent, cwd: '/nowhere' });
      expect(found).toMatchObject({ state: 'silent' });
      expect(found?.pids.toSorted()).toEqual(pids.toSorted());
      server.threads = ids.map((one) => thread(one, { cwd: room.folder }));
      // Its last answer holds for a moment.
      await until(
        'it has another',
        () => asked({ ...LATER, agent }),
        (one) => one === null,
      );
    } finally {
      await server.close();
    }
  });
});

describe('an agent blocks nobody', () => {
  it('whose trouble is another than which conversation it has', async () => {
    const gemini = room.program('gemini');
    mkdirSync(join(room.home, '.gemini'));
    writeFileSync(join(room.home, '.gemini', 'settings.json'), '{ "theme": "Default", }');
    await room.outside([gemini], { HOME: room.home });
    const codex = room.program('codex');
    await room.outside([codex, 'resume', crypto.randomUUID()], { HOME: room.home });
    expect(await asked({ ...LATER, agent: { kind: 'codex', conversation: room.id } })).toBeNull();
    expect(await asked({ ...LATER, agent: { kind: 'gemini', conversation: room.id } })).toBeNull();
    await room.outside([room.program('opencode')], { HOME: room.home });
    expect(await asked({ ...LATER, agent: { kind: 'opencode', conversation: `ses_${room.id}` } })).toBeNull();
  });

  it('that says another, of whatever kind it is, beside folders of other agents that are not there', async () => {
    const env = { HOME: room.home, XDG_DATA_HOME: `${room.home}/gone`, CODEX_HOME: `${room.home}/gone` };
    const pid = await room.outside([room.claude], env);
    room.says(pid, crypto.randomUUID());
    expect(await asked(LATER)).toBeNull();
    const told = JSON.parse(readFileSync(room.statusOf(pid), 'utf8'));
    writeFileSync(room.statusOf(pid), JSON.stringify({ ...told, kind: 'sdk' }));
    expect(await asked(LATER)).toBeNull();
    writeFileSync(room.statusOf(pid), JSON.stringify({ ...told, kind: 'sdk', sessionId: room.id }));
    expect(await asked(LATER)).toMatchObject({ state: 'silent', pids: [pid] });
  });

  it('that a look has heard', async () => {
    const pid = await inPane([room.claude]);
    await until('it runs', () => isClaude(pid));
    const agents = hands.agents.map((one) => ({ ...one, listen: () => Promise.reject(new Error('late')) }));
    const over = { hands: { ...LATER.hands, agents } };
    expect(await asked(over)).toMatchObject({ state: 'silent', pids: [pid] });
    room.says(pid, crypto.randomUUID());
    expect(await asked(over)).toBeNull();
  });

  it('that has started another one, which says what both are at', async () => {
    const script = `${room.claude} --resume ${crypto.randomUUID()} & echo; wait`;
    const launcher = join(room.folder, 'launcher', 'claude');
    mkdirSync(dirname(launcher));
    writeFileSync(launcher, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    const { pid } = await room.started.start(room.inFolder([launcher, '--resume', crypto.randomUUID()]), {
      HOME: room.home,
    });
    const inner = await until('both run', () => childrenOf(pid).find(isClaude) ?? 0);
    room.started.own(inner);
    room.says(inner, crypto.randomUUID());
    room.says(pid, crypto.randomUUID());
    writeFileSync(room.statusOf(pid), '{"pid":');
    expect(await asked(LATER)).toBeNull();
  });
});

it('nothing is started while nobody sees what runs', async () => {
  const panes = [{ paneId: '%1', cwd: room.folder, agent: { kind: 'claude', conversation: room.id } }];
  const whole = reopeningOf(readKept({ session: { key: 'k', name: 'n' }, panes }));
  if (whole === null) throw new Error('nothing is kept');
  const closed = { facts: { key: 'k', name: 'n' }, receipt: null, start: null } as unknown as ClosedSession;
  const hindrance = (table: object) => {
    const sense = () => ({ ...hands.processes.sense(), ...table });
    const blind = { ...hands, processes: { ...hands.processes, sense } };
    return hindranceTo(blind, closed, whole, { sessions: [], isPartial: false });
  };
  expect(await hindrance({})).toBeNull();
  // Where those of others are hidden, one's own are there.
  expect(await hindrance({ isComplete: false, problem: 'hidepid' })).toBeNull();
  for (const unseen of [{ byPid: new Map() }, { mayLackOwn: true }]) {
    expect(await hindrance({ isComplete: false, problem: 'EMFILE', ...unseen })).toMatchObject({
      ...{ state: 'failed', text: expect.stringContaining('EMFILE') },
    });
  }
});
