import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateContract } from '../../../src/core/gate/contract.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { sessionLock } from '../../../src/engine/act/deed.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { isTrouble, type Trouble } from '../../../src/engine/act/trouble.ts';
import { abandonGate, finishGate } from '../../../src/engine/gate/end-gate.ts';
import { gateStatus } from '../../../src/engine/gate/gate-status.ts';
import { setGateMode, setGateSwitch } from '../../../src/engine/gate/set-mode.ts';
import { type GateWish, type StartedGate, startGate } from '../../../src/engine/gate/start-gate.ts';
import { scriptedProgramIn } from '../../support/scripted-agent.ts';
import { until } from '../../support/until.ts';
import { entriesOf, factsIn } from '../act/acting-room.ts';
import { CLEAN, GateRoom, type RoomAgent } from './gate-room.ts';

let room: GateRoom;
let hands: Hands;

beforeEach(async () => {
  room = new GateRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

const WISH: Omit<GateWish, 'entry'> = {
  ...{ paneId: null, task: 'the task', checks: [CLEAN], reinforce: 3, ttlMs: 60_000, cwd: null },
  isReplacing: false,
};

const start = (entry: SessionEntry, over: Partial<GateWish> = {}) =>
  startGate(hands, room.parts, { ...WISH, entry, cwd: room.repository, ...over });

async function refused(entry: SessionEntry, over: Partial<GateWish> = {}): Promise<Trouble> {
  const answer = await start(entry, over);
  if (!isTrouble(answer)) throw new Error('it was not refused');
  return answer;
}

async function started(entry: SessionEntry, over: Partial<GateWish> = {}): Promise<StartedGate> {
  const answer = await start(entry, over);
  if (isTrouble(answer)) throw new Error(answer.text);
  return answer;
}

/** The session, once all of its panes are seen with an agent. */
const seen = (session: string, agents = 1) =>
  until(
    'its agents are seen',
    () => room.entry(hands, session),
    ({ evidence }) =>
      evidence.filter(
        (piece) => piece.kind === 'processes' && piece.processes.some(({ role }) => role === 'agent'),
      ).length === agents,
  );

const actions = () => entriesOf(hands).map(({ action }) => action);
const dirty = () => writeFileSync(join(room.repository, 'new.txt'), 'new\n');

describe('a contract is made', () => {
  test('with the only agent of a session, whose pane, process and conversation are stamped', async () => {
    const agent = await room.agent('owner');
    const entry = await seen('owner');
    const { contract, replaced } = await started(entry);
    expect(replaced).toBeNull();
    expect(contract).toMatchObject({
      ...{ task: 'the task', cwd: room.repository, project: room.repository, phase: 'open', reinforce: 3 },
      owner: {
        session: { key: entry.key, name: 'owner' },
        ...{ paneId: agent.paneId, conversation: agent.conversation },
        server: { socketPath: room.tmux.socketPath, pid: room.tmux.serverPid },
        pane: { pid: entry.panes[0]?.pid },
        agent: { kind: 'claude', pid: entry.panes[0]?.pid },
      },
    });
    const { server, pane, agent: process } = contract.owner;
    for (const { pid, startTicks } of [server, pane, process]) {
      expect(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19]).toBe(
        String(startTicks),
      );
    }
    expect(contract.expiresAt - contract.startedAt).toBe(60_000);
    expect(entriesOf(hands).at(-1)).toMatchObject({
      ...{ kind: 'declared', action: 'gate-start', session: { key: entry.key, name: 'owner' } },
      body: { gate: contract.id, checks: ['the work tree is clean'], owner: { agent: 'claude' } },
    });
    expect(factsIn(hands).get(entry.key)?.gates).toMatchObject([{ id: contract.id, task: 'the task' }]);
    // Without a folder the agent's own.
    const { contract: next } = await started(entry, { cwd: null, isReplacing: true });
    expect([next.cwd, next.project]).toEqual([room.tmux.folder, null]);
  });

  test('S53: two agents in one session: the pane has to be named', async () => {
    const one = await room.agent('owner');
    const other = await room.agent('owner');
    const entry = await seen('owner', 2);
    expect(await refused(entry)).toMatchObject({
      exit: 'ambiguous',
      details: [expect.stringContaining(one.paneId), expect.stringContaining(other.paneId)],
    });
    const { contract } = await started(entry, { paneId: other.paneId });
    expect(contract.owner).toMatchObject({ paneId: other.paneId, conversation: other.conversation });
    expect(await refused(entry, { paneId: '%99' })).toMatchObject({ exit: 'not-found' });
    expect(await refused(entry, { paneId: other.paneId })).toMatchObject({
      exit: 'refused',
      text: expect.stringContaining(`has a contract already (${contract.id})`),
    });
    const again = await started(entry, { paneId: other.paneId, isReplacing: true });
    expect(again.replaced?.id).toBe(contract.id);
    expect(room.contract(contract.id)).toMatchObject({ phase: 'abandoned' });
    expect(actions()).toEqual(['gate-start', 'gate-end', 'gate-start']);
    await started(entry, { paneId: one.paneId });
  });

  test('S53: but never with nobody, with an agent that cannot be asked, or with an unknown conversation', async () => {
    const { folder } = room.tmux;
    mkdirSync(join(folder, 'other', 'bin'), { recursive: true });
    const [claude, mute] = [join(folder, 'other', 'bin', 'claude'), scriptedProgramIn(folder)];
    for (const path of [claude, mute]) writeFileSync(path, '#!/bin/sh\nsleep 1000\n', { mode: 0o755 });
    await room.tmux.session('shell');
    await room.tmux.session('mute', mute);
    await room.tmux.session('new', claude);
    expect(await refused(await room.entry(hands, 'shell'))).toMatchObject({
      ...{ exit: 'refused', text: "there is no agent in session 'shell'" },
    });
    expect(await refused(await seen('mute'))).toMatchObject({ text: 'scripted cannot be kept going' });
    expect(await refused(await seen('new'))).toMatchObject({
      ...{ exit: 'refused', hint: 'give it a prompt first, then try again' },
    });
    expect([actions(), room.parts.store.contracts().contracts]).toEqual([[], []]);
  });

  test('only in a folder, and what is overdue elsewhere is ended on the way', async () => {
    await room.agent('owner');
    const entry = await seen('owner');
    expect(await refused(entry, { cwd: join(room.repository, 'kept.txt') })).toMatchObject({
      exit: 'failed',
    });
    const { contract } = await started(entry, { ttlMs: 1 });
    await until('its time is over', () => Date.now() > contract.expiresAt);
    writeFileSync(join(room.gate, 'passed'), 'claude 7 %2\nclaude 7 %3\ncodex\n');
    await started(entry);
    expect(room.contract(contract.id).phase).toBe('expired');
    expect(entriesOf(hands).map(({ action, body }) => [action, body.phase ?? body.stops ?? null])).toEqual([
      ['gate-start', null],
      ['gate-passed', 3],
      ['gate-end', 'expired'],
      ['gate-start', null],
    ]);
    expect(entriesOf(hands)[1]?.body.by).toEqual({ claude: 2, codex: 1 });
  });
});

describe('S39: new work while a close of the session is on its way', () => {
  /** A close that holds the session until somebody waits for it; then it ends so. */
  const closing = async (entry: SessionEntry, end: () => Promise<unknown>) => {
    const session = { key: entry.key, name: entry.name };
    const { sequence: cause } = hands.ledger.append({ kind: 'intent', action: 'close', session, body: {} });
    const taken = hands.locks.tryLock(sessionLock(session), { task: 'close', argv: [] });
    const wait = async () => {
      if (taken.state !== 'held') return;
      await end();
      hands.ledger.append({ kind: 'outcome', action: 'close', session, cause, body: { result: 'aborted' } });
      taken.hold.release();
    };
    return startGate(await room.hands({ wait }), room.parts, { ...WISH, entry, cwd: room.repository });
  };

  test('is answered when that has stopped', async () => {
    await room.agent('owner');
    const answer = await closing(await seen('owner'), async () => {});
    expect(answer).toMatchObject({ state: 'started', note: expect.stringContaining('stopped') });
  });

  test('is refused where that went on, and nobody is left with a contract', async () => {
    await room.agent('owner');
    await room.tmux.session('stays');
    const kill = () => room.tmux.tmux('kill-session', '-t', '=owner');
    const answer = await closing(await seen('owner'), kill);
    expect(answer).toMatchObject({ exit: 'not-found', text: "session 'owner' is gone" });
    expect(room.parts.store.contracts().contracts).toMatchObject([{ phase: 'abandoned' }]);
    expect([...factsIn(hands).values()].flatMap(({ gates = [] }) => gates)).toEqual([]);
  });
});

describe('a contract is ended', () => {
  let agent: RoomAgent;
  let contract: GateContract;
  beforeEach(async () => {
    agent = await room.agent('owner');
    contract = await room.start(hands, agent, {
      checks: [CLEAN, { kind: 'command', argv: ['test', '-e', 'ok'], cwd: null, timeoutMs: 10_000 }],
    });
  });

  test('when its checks hold; else it says what is missing, unless somebody insists', async () => {
    dirty();
    const told: string[] = [];
    const onCheck = (check: { kind: string }, result: { state: string } | null) =>
      told.push(`${check.kind} ${result?.state ?? 'runs'}`);
    expect(await finishGate(hands, room.parts, contract, { isForced: false, onCheck })).toMatchObject({
      exit: 'refused',
      details: ['the work tree is clean: 1 uncommitted file', 'test -e ok exits 0: exit status 1'],
    });
    expect(told).toEqual(['command runs', 'command unmet', 'clean unmet']);
    expect(room.contract(contract.id).checks.map(({ result }) => result?.state)).toEqual(['unmet', 'unmet']);
    const status = await gateStatus(room.parts, { now: Date.now(), run: false });
    expect(status.contracts).toMatchObject([{ mode: 'shadow', contract: { id: contract.id } }]);
    writeFileSync(join(room.repository, 'ok'), '');
    const fresh = await gateStatus(room.parts, { now: Date.now(), run: true });
    expect(fresh.contracts[0]?.contract.checks.map(({ result }) => result?.state)).toEqual(['unmet', 'met']);
    expect(room.contract(contract.id).checks[1]?.result?.state).toBe('unmet');
    expect(await finishGate(hands, room.parts, contract, { isForced: true })).toMatchObject({
      ...{ state: 'ended', missing: ['the work tree is clean: 2 uncommitted files'] },
    });
    expect(entriesOf(hands).at(-1)?.body).toMatchObject({ phase: 'finished', missing: [expect.any(String)] });
    expect(await finishGate(hands, room.parts, contract, { isForced: true })).toMatchObject({
      exit: 'refused',
    });
    expect(readFileSync(join(room.gate, 'owners'), 'utf8')).toBe('rollcall-owners=1\n');
  });

  test('when everything holds, or when it is given up', async () => {
    writeFileSync(join(room.repository, 'ok'), '');
    room.git('add', '.');
    room.git('commit', '-q', '-m', 'ok');
    const done = await finishGate(hands, room.parts, contract, { isForced: false });
    expect(done).toMatchObject({ state: 'ended', missing: [], contract: { phase: 'finished' } });
    const next = await room.start(hands, agent, { checks: [] });
    const given = await abandonGate(hands, room.parts, next, { reason: 'too hard' });
    expect(given).toMatchObject({ contract: { phase: 'abandoned', ended: { text: 'too hard' } } });
    expect(await abandonGate(hands, room.parts, next, { reason: null })).toMatchObject({ exit: 'refused' });
    expect(actions()).toEqual(['gate-start', 'gate-end', 'gate-start', 'gate-end']);
    const status = await gateStatus(room.parts, { now: Date.now(), run: true });
    expect(status.contracts.map(({ contract: { phase } }) => phase)).toEqual(['abandoned', 'finished']);
  });
});

describe('mode and switch', () => {
  test('S53: a mode that lets the gate block is recorded before it holds; any other holds in any case', async () => {
    const set = (project: string | null, mode: 'enforce' | 'off' | null) =>
      setGateMode(hands.ledger, room.parts, { project, mode });
    expect(await set(null, 'enforce')).toEqual({ state: 'set', from: null, to: 'enforce' });
    expect(await set('/a', 'off')).toEqual({ state: 'set', from: null, to: 'off' });
    expect(await set('/a', null)).toEqual({ state: 'set', from: 'off', to: null });
    const broken = {
      append: () => {
        throw new Error('no ledger');
      },
    };
    const unrecorded = (project: string | null, mode: 'enforce' | 'off' | null) =>
      setGateMode(broken, room.parts, { project, mode });
    await expect(unrecorded('/a', 'enforce')).rejects.toThrow('no ledger');
    expect(room.parts.store.modes()).toEqual({ user: 'enforce', projects: {}, problem: null });
    await expect(unrecorded('/b', 'off')).rejects.toThrow('no ledger');
    await expect(unrecorded('/b', null)).rejects.toThrow('no ledger');
    expect(room.parts.store.modes().projects).toEqual({ '/b': 'off' });
    await expect(unrecorded(null, 'off')).rejects.toThrow('no ledger');
    expect(room.parts.store.modes().user).toBe('off');
    expect(entriesOf(hands).map(({ body }) => body)).toEqual([
      { from: null, to: 'enforce', project: null },
      { from: null, to: 'off', project: '/a' },
      { from: 'off', to: null, project: '/a' },
    ]);
  });

  test('S53: the switch holds at once, also where nothing can be recorded and another writes', async () => {
    const open = () => room.hands().then(({ ledger }) => ledger);
    await hands.writer.hold({ task: 'test', argv: [] }, 1000, async () => {
      const off = await setGateSwitch(open, room.parts, { state: 'off', reason: 'stuck' });
      expect(off).toMatchObject({ state: 'set', before: null, unrecorded: null });
    });
    expect(room.parts.store.switch()).toMatchObject({ reason: 'stuck' });
    const broken = () => Promise.reject(new Error('no ledger'));
    expect(await setGateSwitch(broken, room.parts, { state: 'on', reason: null })).toMatchObject({
      ...{ state: 'set', now: null, unrecorded: 'no ledger' },
    });
    expect(room.parts.store.switch()).toBeNull();
    expect(entriesOf(hands).map(({ action, body }) => [action, body])).toEqual([
      ['gate-switch', { state: 'off', reason: 'stuck' }],
    ]);
  });
});
