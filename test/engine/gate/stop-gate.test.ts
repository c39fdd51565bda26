import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GateCheck } from '../../../src/core/gate/check.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { reopenSession } from '../../../src/engine/act/reopen/reopen-session.ts';
import { closedAs } from '../../../src/engine/act/reopen/trouble.ts';
import { run } from '../../../src/engine/act/run.ts';
import { isTrouble } from '../../../src/engine/act/trouble.ts';
import { moveGates } from '../../../src/engine/gate/move-gates.ts';
import { STOP_STEPS } from '../../../src/engine/gate/settle-stop.ts';
import { OwnProcess } from '../../support/own-process.ts';
import { until } from '../../support/until.ts';
import { entriesOf, factsIn } from '../act/acting-room.ts';
import { CLEAN, GateRoom, type RoomAgent, stopsIn } from './gate-room.ts';

// As the command does it, and killed where it is told to be.
const BODY = `
  const [, folder, name, phase] = args;
  const at = process.env.KILL_AT;
  // How soon an answer has to be there is asked in stop-parts.test.ts; here a busy machine may take its time.
  const now = performance.now.bind(performance);
  performance.now = () => now() / 20;
  const onStep = (step, when) => { if (at === step + ' ' + when) process.kill(process.pid, 'SIGKILL'); };
  try {
    const answer = await rollcall.answerStop(process.env, { folder, name, phase: phase ?? 'quick' }, onStep);
    if (answer.exitCode !== 0) process.stdout.write(answer.print + '\\n');
    process.exitCode = answer.exitCode;
  } catch { process.exitCode = 0; }`;

let own: OwnProcess;
let room: GateRoom;
let hands: Hands;
let owner: RoomAgent;
let program: string[];

beforeAll(async () => {
  own = await OwnProcess.prepare(['src/compose/gate/stop.ts'], `import * as rollcall from './module.mjs';`);
  const script = join(own.folder, 'stop.mjs');
  writeFileSync(
    script,
    `import * as rollcall from './module.mjs';\nconst args = process.argv.slice(2);\n${BODY}\n`,
  );
  program = [process.execPath, script];
});
afterAll(() => own.remove());
beforeEach(async () => {
  room = new GateRoom();
  hands = await room.hands();
  owner = await room.agent('owner');
});
afterEach(() => room.leave());

const ask = (agent = owner, over: Partial<Parameters<GateRoom['stop']>[1]> = {}) =>
  room.stop(agent, { program, ...over });
const dirty = (name = 'new.txt') => writeFileSync(join(room.repository, name), `${Math.random()}\n`);
const enforce = () => room.parts.store.setMode(null, 'enforce');
/** A stop that nothing could block is looked at once the agent was let go. */
const recorded = (amount: number) =>
  until(
    'the stop is recorded',
    () => stopsIn(hands).length,
    (count) => count === amount,
  );
const owners = () => readFileSync(join(room.gate, 'owners'), 'utf8');

async function begun(checks: readonly GateCheck[] = [CLEAN], over = {}) {
  enforce();
  dirty();
  return room.start(hands, owner, { checks, ...over });
}

describe('the owner', () => {
  test('S53: is kept going with what is missing, never twice for the same, and at most as often as was said', async () => {
    const { id } = await begun();
    expect(owners()).toBe(`rollcall-owners=1\npane ${room.tmux.serverPid} ${owner.paneId}\n`);
    const { exitCode, stdout } = await ask();
    expect([exitCode, stdout.split('\n').length]).toEqual([10, 2]);
    const { decision, reason } = JSON.parse(stdout) as Record<string, string>;
    expect([decision, reason]).toEqual(['block', expect.stringContaining('1 uncommitted file')]);
    expect(readdirSync(join(room.gate, 'stops'))).toEqual([]);
    expect(room.contract(id).enforced).toMatchObject({ used: 1, inARow: 1 });

    expect(await ask(owner, { payload: { stop_hook_active: true } })).toEqual({ exitCode: 0, stdout: '' });
    expect(room.contract(id)).toMatchObject({ enforced: { used: 1 }, stale: { code: 'same-evidence' } });
    for (const used of [2, 3]) {
      dirty();
      expect((await ask()).exitCode).toBe(10);
      expect(room.contract(id).enforced.used).toBe(used);
    }
    dirty();
    expect(await ask()).toEqual({ exitCode: 0, stdout: '' });
    await recorded(5);
    await until('it is kept', () => room.contract(id).stale?.code === 'budget-spent');
    expect(room.contract(id)).toMatchObject({ enforced: { used: 3 } });
    expect(stopsIn(hands).map(({ verdict, reason }) => `${verdict} ${reason}`)).toEqual([
      'blocked checks-unmet',
      'approved same-evidence',
      'blocked checks-unmet',
      'blocked checks-unmet',
      'approved budget-spent',
    ]);
    const [told] = stopsIn(hands);
    expect(told).toMatchObject({ gate: id, mode: 'enforce', agent: 'claude', used: 1, paneId: owner.paneId });
    expect(told?.results).toEqual([
      { check: 'the work tree is clean', state: 'unmet', text: '1 uncommitted file' },
    ]);
    expect(told?.latencyMs).toBeGreaterThan(0);
    expect(entriesOf(hands).at(-1)?.actor.kind).toBe('hook');
  });

  test('S53: stops when its checks are met, which finishes the work; then nobody is asked any more', async () => {
    const { id } = await begun();
    room.git('add', '.');
    room.git('commit', '-q', '-m', 'done');
    expect(await ask()).toEqual({ exitCode: 0, stdout: '' });
    expect(room.contract(id)).toMatchObject({ phase: 'finished', enforced: { used: 0 } });
    expect(owners()).toBe('rollcall-owners=1\n');
    expect(entriesOf(hands).map(({ action }) => action)).toEqual(['gate-start', 'gate-stop', 'gate-end']);
    dirty();
    // Left behind by somebody who was killed: brought in step, so that the next stop costs nothing.
    writeFileSync(join(room.gate, 'owners'), `rollcall-owners=1\npane 1 %1\n`);
    writeFileSync(join(room.gate, 'passed'), 'claude 7 %2\n');
    expect((await ask()).exitCode).toBe(0);
    expect(stopsIn(hands).at(-1)).toMatchObject({ reason: 'ended', gate: id });
    expect(owners()).toBe('rollcall-owners=1\n');
    expect(entriesOf(hands).at(-2)).toMatchObject({ action: 'gate-passed', body: { stops: 1 } });
    expect(existsSync(join(room.gate, 'passed'))).toBe(false);
  });

  test('S53: in shadow, with the mode off, and with the switch tripped nobody is kept going', async () => {
    const { id } = await begun();
    room.parts.store.setMode(null, null);
    expect((await ask()).exitCode).toBe(0);
    await recorded(1);
    await until('it is kept', () => room.contract(id).shadowed.used === 1);
    room.parts.store.setMode(room.repository, 'off');
    expect((await ask()).exitCode).toBe(0);
    room.parts.store.setMode(room.repository, 'enforce');
    room.parts.store.setSwitch({ at: 1, reason: null });
    expect((await ask()).exitCode).toBe(0);
    expect(room.contract(id)).toMatchObject({ enforced: { used: 0 }, shadowed: { used: 1 }, stale: null });
    expect(stopsIn(hands).map(({ verdict, reason }) => `${verdict} ${reason}`)).toEqual([
      'would-block checks-unmet',
      'approved mode-off',
      'approved switched-off',
    ]);
    room.parts.store.setSwitch(null);
    expect((await ask()).exitCode).toBe(10);
  });

  test('commands run in a second call, and their result holds as long as the tree is the same', async () => {
    const count = join(room.tmux.folder, 'runs');
    const argv = ['sh', '-c', `echo x >>'${count}'; test -e ok`];
    const { id } = await begun([{ kind: 'command', argv, cwd: null, timeoutMs: 30_000 }]);
    const once = (isRun = false) => room.ask(owner, { program, isRun }).end;
    const quick = await once();
    expect([quick.exitCode, Number(quick.stdout)]).toEqual([11, 55]);
    expect(existsSync(count)).toBe(false);
    expect(stopsIn(hands)).toEqual([]);
    const ran = await once(true);
    expect([ran.exitCode, ran.stdout]).toEqual([10, expect.stringContaining('exit status 1')]);
    const [item] = room.contract(id).checks;
    expect(item?.result).toMatchObject({ state: 'unmet', mark: '1', tree: expect.any(String) });
    // Nothing has changed: what is known is told at once, and is no reason twice. Where git is slow more time is asked for.
    const known = await until('git answers in time', once, ({ exitCode }) => exitCode !== 11);
    expect(known.exitCode).toBe(0);
    expect(readFileSync(count, 'utf8')).toBe('x\n');
    writeFileSync(join(room.repository, 'ok'), '');
    expect((await once()).exitCode).toBe(11);
    expect((await once(true)).exitCode).toBe(0);
    expect(room.contract(id).phase).toBe('finished');
  });

  test('S53: a hook that waits no longer ends what runs for it, and counts nothing', async () => {
    const [mark, pids] = [join(room.tmux.folder, 'began'), join(room.tmux.folder, 'pids')];
    const argv = ['sh', '-c', `sleep 1000 & echo $$ $! >'${pids}'; mv '${pids}' '${mark}'; wait`];
    const { id } = await begun([{ kind: 'command', argv, cwd: null, timeoutMs: 60_000 }]);
    const before = `echo $$ >'${room.tmux.folder}/hook.new'; mv '${room.tmux.folder}/hook.new' '${room.tmux.folder}/hook'`;
    const asked = room.ask(owner, { program: ['timeout', '60', ...program], isRun: true, before });
    asked.end.catch(() => {});
    await until('the check runs', () => existsSync(mark));
    process.kill(Number(readFileSync(join(room.tmux.folder, 'hook'), 'utf8')), 'SIGKILL');
    for (const pid of readFileSync(mark, 'utf8').trim().split(' ')) {
      await until('the check is ended', () => !existsSync(`/proc/${pid}`));
    }
    await until('rollcall is gone', () => !isRunning(asked.name));
    expect(room.contract(id).enforced.used).toBe(0);
    expect(stopsIn(hands)).toEqual([]);
  });
});

describe('S53: somebody else is never kept going, and the budget of the owner is untouched', () => {
  test('a subagent, another conversation or none, and what is not understood', async () => {
    const { id } = await begun();
    const cases: [Record<string, unknown>, string][] = [
      [{ session_id: '' }, 'identity-unknown'],
      [{ session_id: randomUUID() }, 'another-conversation'],
      [{ agent_id: 'a1' }, 'subagent'],
      [{ stop_hook_active: 'yes' }, 'payload-unreadable'],
      [{ hook_event_name: 'SubagentStop' }, 'payload-unreadable'],
    ];
    const kept = room.contract(id);
    for (const [payload, reason] of cases) {
      expect(await ask(owner, { payload })).toEqual({ exitCode: 0, stdout: '' });
      expect(stopsIn(hands).at(-1)).toMatchObject({ reason, verdict: 'approved' });
    }
    expect(room.contract(id)).toEqual(kept);
  });

  test('other agents of the checkout, an inherited pane, a nested agent, outside tmux', async () => {
    const { id } = await begun();
    const other = await room.agent('other');
    const beside = await room.agent('owner');
    const said = { session_id: owner.conversation };
    const place = `TMUX='${room.tmux.socketPath},${room.tmux.serverPid},0' TMUX_PANE='${owner.paneId}'`;
    for (const agent of [other, beside]) {
      expect((await ask(agent)).exitCode).toBe(0);
      // Not even one that says it were the owner.
      expect((await ask(agent, { payload: said })).exitCode).toBe(0);
      expect((await ask(agent, { payload: said, before: `export ${place}` })).exitCode).toBe(0);
    }
    const outside = 'unset TMUX TMUX_PANE';
    expect((await ask(owner, { before: outside })).exitCode).toBe(0);
    expect((await ask(owner, { isElsewhere: true })).exitCode).toBe(0);
    // An agent that the owner started in its own pane, with everything inherited.
    const nested = join(room.tmux.folder, 'bin', 'claude-nested', 'bin');
    room.tell(
      owner,
      `mkdir -p '${nested}' && cp '${room.tmux.folder}/bin/claude' '${nested}/claude'
      mkfifo '${room.tmux.folder}/nested' && mkdir '${nested}/../inboxes'
      echo '${room.tmux.folder}/nested' >'${nested}/../inboxes/${owner.conversation}'
      exec '${nested}/claude' --session-id '${owner.conversation}'`,
    );
    await until('the nested one is there', () => existsSync(join(room.tmux.folder, 'nested')));
    const inner = { ...owner, inbox: join(room.tmux.folder, 'nested') };
    expect((await ask(inner)).exitCode).toBe(0);
    const reasons = stopsIn(hands).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['no-contract', 'another-process', 'identity-unknown']));
    expect(room.contract(id).enforced.used).toBe(0);
    expect((await ask()).exitCode).toBe(10);
  });

  test('a contract that is over, abandoned, damaged or gone', async () => {
    const { id } = await begun();
    const file = join(room.gate, 'contracts', `${id}.json`);
    const kept = readFileSync(file, 'utf8');
    const contract = room.contract(id);
    const cases: [string, string][] = [
      [JSON.stringify({ ...contract, expiresAt: 5 }), 'expired'],
      [JSON.stringify({ ...contract, phase: 'abandoned', ended: { at: 1, text: '' } }), 'ended'],
      [JSON.stringify({ ...contract, owner: { ...contract.owner, conversation: '' } }), 'unstamped'],
      [kept.slice(0, 100), 'no-contract'],
      ['', 'no-contract'],
      [JSON.stringify({ ...contract, reinforce: 1e9 }), 'no-contract'],
      [JSON.stringify({ ...contract, id: '00000000' }), 'no-contract'],
    ];
    for (const [text, reason] of cases) {
      writeFileSync(file, text);
      expect([reason, (await ask()).exitCode]).toEqual([reason, 0]);
      expect(stopsIn(hands).at(-1)?.reason).toBe(reason);
    }
    rmSync(file);
    expect((await ask()).exitCode).toBe(0);
    writeFileSync(file, kept);
    expect((await ask()).exitCode).toBe(10);
  });
});

describe('S53: a restart of the agent', () => {
  test('is reconciled where the conversation is the same, or is proven to be resumed', async () => {
    const { id } = await begun();
    const again = await room.restart(owner, owner.conversation);
    expect((await ask(again)).exitCode).toBe(10);
    const { agent } = room.contract(id).owner;
    dirty();
    const rotated = randomUUID();
    const resumed = await room.restart(owner, rotated, '--resume', owner.conversation);
    // The command line is the same after everything was cleared.
    expect((await ask(resumed)).exitCode).toBe(0);
    const transcript = join(room.tmux.folder, 'transcript.jsonl');
    writeFileSync(transcript, `{"type":"user","sessionId":"${owner.conversation}"}\n`);
    expect((await ask(resumed, { payload: { transcript_path: transcript } })).exitCode).toBe(10);
    expect(room.contract(id).owner).toMatchObject({ conversation: rotated });
    expect(room.contract(id).owner.agent.startTicks).toBeGreaterThan(agent.startTicks);
  });

  test('with another conversation, or as a fork, is somebody else', async () => {
    const { id } = await begun();
    const stranger = await room.restart(owner, randomUUID());
    expect((await ask(stranger)).exitCode).toBe(0);
    const transcript = join(room.tmux.folder, 'transcript.jsonl');
    writeFileSync(transcript, `{"type":"user","sessionId":"${owner.conversation}"}\n`);
    const fork = await room.restart(owner, randomUUID(), '--resume', owner.conversation, '--fork-session');
    expect((await ask(fork, { payload: { transcript_path: transcript } })).exitCode).toBe(0);
    expect(stopsIn(hands).map(({ reason }) => reason)).toEqual([
      'another-conversation',
      'another-conversation',
    ]);
    expect(room.contract(id).owner.conversation).toBe(owner.conversation);
  });
});

describe('S53: a session that is reopened', () => {
  test('takes its unfinished work along, with the conversation and nothing else', async () => {
    const claude = join(room.tmux.folder, 'bin', 'claude');
    const own = await room.hands();
    const conversation = randomUUID();
    const { inbox } = room.inbox(conversation);
    const wish = room.wish({
      ...{ name: 'built', cwd: room.repository, argv: [claude, '--session-id', conversation] },
      agent: { kind: 'claude', conversation },
    });
    const ran = await run(own, wish);
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    const builder = { ...owner, session: 'built', conversation, inbox };
    enforce();
    dirty();
    const { id, owner: before } = await room.start(
      own,
      { ...builder, paneId: await paneOf('built') },
      {
        checks: [CLEAN],
      },
    );
    const unseen = { from: before.session.key, entry: null, conversation };
    expect(await moveGates(own, room.parts.store, unseen)).toContain('was not taken along');
    expect(await moveGates(own, room.parts.store, { ...unseen, conversation: randomUUID() })).toBeNull();
    expect(room.contract(id).owner).toEqual(before);
    await room.tmux.tmux('kill-session', '-t', '=built');
    const closed = closedAs(entriesOf(own), 'built');
    if (isTrouble(closed)) throw new Error(closed.text);
    const again = await reopenSession(own, {
      ...{ closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
      ...{ shell: '/bin/sh', argv: ['test'] },
    });
    if (again.state !== 'reopened') throw new Error(JSON.stringify(again));
    const after = room.contract(id).owner;
    expect(after).toMatchObject({ session: { key: again.key }, paneId: await paneOf('built'), conversation });
    expect(after.session.key).not.toBe(before.session.key);
    expect(factsIn(own).get(again.key)?.gates).toMatchObject([{ id, stale: null }]);
    const resumed = { ...builder, paneId: after.paneId };
    expect((await ask({ ...resumed, conversation: randomUUID() })).exitCode).toBe(0);
    expect((await ask(resumed)).exitCode).toBe(10);
    expect(room.contract(id).enforced.used).toBe(1);
  });

  const paneOf = (name: string) => room.tmux.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_id}');
});

describe('S53: whatever happens on the way, the agent stops', () => {
  test.each(['recorded before', ...STOP_STEPS.map((step) => `${step} after`)])('SIGKILL %s', async (at) => {
    const { id } = await begun();
    const kept = room.ask(owner, { program, env: { KILL_AT: at }, isRun: true });
    expect(await kept.end).toEqual({ exitCode: 137, stdout: '' });
    // Once it is kept it is spent, though nobody was told: never the other way round.
    const isKept = !at.startsWith('recorded');
    expect(room.contract(id).enforced.used).toBe(isKept ? 1 : 0);
    expect(existsSync(join(room.gate, 'stops', kept.name))).toBe(at !== 'removed after');
    dirty();
    expect((await ask()).exitCode).toBe(10);
    expect(room.contract(id).enforced.used).toBe(isKept ? 2 : 1);
    // What it had begun to write goes an hour later, and is read by nobody.
    const contracts = readdirSync(join(room.gate, 'contracts')).filter((name) => !name.endsWith('.tmp'));
    expect(contracts).toEqual([`${id}.json`]);
    expect(hands.ledger.verify().damage).toBeNull();
  });

  test('twenty at once: what was blocked is what is counted, and no more than was said', async () => {
    const { id } = await begun([CLEAN], { reinforce: 10 });
    const before = `i=$$; echo $i >'${room.repository}'/own-$i`;
    const ends = await Promise.all(Array.from({ length: 20 }, () => ask(owner, { before })));
    const blocked = ends.filter(({ exitCode }) => exitCode === 10).length;
    const { used, seen } = room.contract(id).enforced;
    expect([used, seen.length]).toEqual([blocked, blocked]);
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(10);
    expect(ends.filter(({ exitCode }) => exitCode !== 10)).toEqual(
      Array(20 - blocked).fill({ exitCode: 0, stdout: '' }),
    );
    expect(stopsIn(hands).filter(({ verdict }) => verdict === 'blocked')).toHaveLength(blocked);
    expect(hands.ledger.verify().damage).toBeNull();
  });
});

function isRunning(name: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name);
    } catch {
      return false;
    }
  });
}
