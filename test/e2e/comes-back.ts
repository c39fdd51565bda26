import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import { isGone, type SessionEntry } from '../../src/core/sight/roll.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import type { ReopenResult } from '../../src/engine/act/reopen/order.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { run } from '../../src/engine/act/run.ts';
import type { WakeResult } from '../../src/engine/act/sleep/wake-order.ts';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { type ClosingRoom, lives, receiptsIn, untilGone } from '../engine/act/closing-room.ts';
import { until } from '../support/until.ts';

export interface Scene {
  readonly room: ClosingRoom;
  readonly hands: Hands;
}

const CONVERSATION = 'talk-worker';

/** Starts an agent as `rollcall run` does, and waits until it rests. */
export async function startWorker({ room, hands }: Scene, manner: string): Promise<number> {
  const argv = room.agents.argv('worker', manner);
  const agent = { kind: 'scripted', conversation: null };
  const ran = await run(hands, room.wish({ argv, agent, claims: { task: 'T-1' } }));
  expect(ran).toMatchObject({ state: 'started' });
  const pid = await room.agents.pid('worker');
  await until(
    'it rests',
    () => room.entry(hands, 'worker'),
    ({ lifecycle }) => lifecycle === 'stale' || lifecycle === 'safe-to-close',
  );
  return pid;
}

/** What tmux does when the program of the pane ends, and whose pane it is. */
export async function paneSettings({ tmux }: ClosingRoom, pane = '=worker:'): Promise<string> {
  const options = await tmux.tmux('show-options', '-p', '-t', pane);
  return `${options}\n${await tmux.tmux('show-hooks', '-p', '-t', pane)}`;
}

/** Brings what was left behind to its end; a second time there is nothing to do. */
export async function recovers({ hands }: Scene): Promise<void> {
  const recovered = await recoverAll(hands);
  expect(recovered.length).toBeLessThanOrEqual(1);
  expect(hands.ledger.facts().folded.openIntents.size).toBe(0);
  expect(await recoverAll(hands)).toEqual([]);
  expect(hands.ledger.verify().damage).toBeNull();
}

/**
 * Whatever state the world is in, its agent lives, or rollcall brings it back: with its conversation, once, and never a second
 * time. Tells how.
 */
export async function comesBack(scene: Scene): Promise<'stayed' | 'woken' | 'reopened'> {
  const { room, hands } = scene;
  const living = agentsIn(room);
  expect(living.length).toBeLessThanOrEqual(1);
  const how = living.length === 1 ? 'stayed' : await bringBack(scene);
  const [entry] = await until(
    'the agent speaks',
    async () => (await hands.look()).sessions.filter(speaks),
    ([first, ...more]) => first?.activity === 'idle' && more.length === 0,
  );
  expect(agentsIn(room)).toEqual([entry?.agent?.pid]);
  if (how === 'stayed') expect(agentsIn(room)).toEqual(living);
  await staysAlone(scene);
  expect(hands.ledger.facts().folded.openIntents.size).toBe(0);
  expect(hands.ledger.verify().damage).toBeNull();
  return how;
}

/** The same where its server was killed: its session is lost with it. */
export async function comesBackLost(scene: Scene): Promise<void> {
  const { room, hands } = scene;
  // Agents end with their terminal.
  await until('no agent is left', () => agentsIn(room).length === 0);
  await recovers(scene);
  const { sessions } = await hands.look();
  for (const { name, lifecycle } of sessions) expect([name, lifecycle]).toEqual(['worker', 'lost']);
  expect(await comesBack(scene)).toBe('reopened');
  // By this the room knows the new server, and ends it.
  await room.tmux.session('stays');
}

/** Its agent leaves, and its session is settled as finished. */
export async function finishes({ room, hands }: Scene, pid: number): Promise<void> {
  await untilGone(pid);
  const closed = await until(
    'its end is settled',
    async () => {
      await recoverAll(hands);
      const { sessions } = await hands.look({ isWithClosed: true });
      return sessions.find(({ name }) => name === 'worker');
    },
    (entry) => entry?.lifecycle === 'closed',
  );
  expect(closed).toMatchObject({ ended: { exitStatus: 0 } });
  expect(await room.names()).not.toContain('worker');
}

async function bringBack(scene: Scene): Promise<'woken' | 'reopened'> {
  const asleep = await sleeping(scene);
  if (asleep !== undefined) {
    expect(await wakeSession(scene.hands, { entry: asleep, argv: ['test'] })).toMatchObject({
      state: 'woken',
    });
    return 'woken';
  }
  expect(await reopen(scene, 'worker')).toMatchObject({ state: 'reopened' });
  return 'reopened';
}

/** The session whose agent sleeps in it. */
export async function sleeping({ hands }: Scene): Promise<SessionEntry | undefined> {
  const { sessions } = await hands.look();
  return sessions.find((entry) => !isGone(entry) && entry.activity === 'asleep');
}

/** Neither its name nor any receipt of it brings a second one. */
async function staysAlone(scene: Scene): Promise<void> {
  const { room, hands } = scene;
  const living = agentsIn(room);
  for (const word of ['worker', ...receiptsIn(hands)]) {
    const again = await reopen(scene, word);
    expect(['lives', 'outlived', 'none']).toContain(again.state);
  }
  for (const entry of (await hands.look()).sessions.filter(speaks)) {
    const again: WakeResult = await wakeSession(hands, { entry, argv: ['test'] });
    expect(again).toMatchObject({ state: 'awake' });
  }
  expect(agentsIn(room)).toEqual(living);
}

async function reopen({ room, hands }: Scene, word: string): Promise<ReopenResult | { state: 'none' }> {
  const found = findReceipt(entriesOf(hands), word);
  if (found.state === 'none') return found as { state: 'none' };
  expect(found).toMatchObject({ state: 'one' });
  if (found.state !== 'one') throw new Error(`${word} names several`);
  return reopenSession(hands, {
    ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
    ...{ shell: '/bin/sh', argv: ['test'] },
  });
}

function speaks({ agent }: SessionEntry): boolean {
  return agent?.conversation === CONVERSATION && agent.pid !== null;
}

/** The processes that have the conversation, by the machine's own list; what one of them is about to start is not counted. */
export function agentsIn({ agents }: ClosingRoom): number[] {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isAgent(pid, agents.program) && lives(pid));
  return all.filter((pid) => !all.includes(parentOf(pid)));
}

function isAgent(pid: number, program: string): boolean {
  const words = read(`/proc/${pid}/cmdline`).split('\0');
  return words.slice(0, 2).includes(program) && words.includes(CONVERSATION);
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
