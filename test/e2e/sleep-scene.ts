import { spawn } from 'node:child_process';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import type { CloseResult } from '../../src/engine/act/close/order.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import type { ReopenResult } from '../../src/engine/act/reopen/order.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import type { WakeResult } from '../../src/engine/act/sleep/wake-order.ts';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { type ClosingRoom, untilGone } from '../engine/act/closing-room.ts';
import { until } from '../support/until.ts';
import type { Scene } from './comes-back.ts';

/** Puts an agent to sleep, which has to go well, and gives its receipt. */
export async function asleep(scene: Scene, name = 'worker'): Promise<string> {
  const result = await hibernate(scene, name);
  if (result.state !== 'asleep') throw new Error(JSON.stringify(result));
  return String(result.receipt.receipt);
}

export function hibernate({ room, hands }: Scene, name = 'worker'): Promise<CloseResult> {
  return room.close(hands, name, { isToSleep: true });
}

export async function wake({ room, hands }: Scene, name = 'worker'): Promise<WakeResult> {
  return wakeSession(hands, { entry: await room.entry(hands, name), argv: ['test'] });
}

/** Hands that look at what they start first only when it has ended: on a busy machine even that takes longer than they wait. */
export function seeingItsEnd(hands: Hands): Hands {
  const { tmux } = hands;
  let isSeen = false;
  const startInPane: Hands['tmux']['startInPane'] = async (...words) => {
    const started = await tmux.startInPane(...words);
    if (!isSeen && started.state === 'started') await untilGone(started.pid);
    isSeen = true;
    return started;
  };
  return { ...hands, tmux: { ...tmux, startInPane } };
}

/** Makes a session again from its receipt, or from the last one by its name. */
export async function reopen({ room, hands }: Scene, word: string): Promise<ReopenResult> {
  const found = findReceipt(entriesOf(hands), word);
  if (found.state !== 'one') throw new Error(JSON.stringify(found));
  return reopenSession(hands, {
    ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
    ...{ shell: '/bin/sh', argv: ['test'] },
  });
}

export const panes = ({ tmux }: ClosingRoom, format: string) =>
  tmux.tmux('list-panes', '-s', '-t', '=worker', '-F', format);

export const screen = ({ tmux }: ClosingRoom) => tmux.tmux('capture-pane', '-p', '-t', '=worker:');

/** Waits until its agent is at its prompt, in its conversation. */
export async function speaks({ room, hands }: Scene): Promise<void> {
  await until(
    'the agent speaks',
    () => room.entry(hands, 'worker'),
    ({ agent, activity }) => agent?.conversation === 'talk-worker' && activity === 'idle',
  );
}

/** Another agent in the session of one that sleeps. */
export async function second({ room, hands }: Scene, name: string): Promise<number> {
  const beside = ['split-window', '-d', '-t', `=${name}:`, ...room.agents.argv('second', 'leaves')];
  await room.tmux.tmux(...beside);
  const pid = await room.agents.pid('second');
  await until(
    'it rests beside the sleeper',
    () => room.entry(hands, name),
    ({ activity, agent }) => activity === 'idle' && agent?.conversation === 'talk-second',
  );
  return pid;
}

/** A person at a control client, until the test says that they leave. */
export async function attach({ tmux }: ClosingRoom): Promise<() => Promise<void>> {
  const client = spawn('tmux', ['-S', tmux.socketPath, '-C', 'attach', '-t', '=worker'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const clients = () => tmux.tmux('list-clients', '-t', '=worker', '-F', '#{client_pid}');
  await until('somebody is there', clients, (seen) => seen.includes(String(client.pid)));
  return async () => {
    client.kill();
    await until('nobody is there', clients, (seen) => seen === '');
  };
}

/** The user's own hook that notes who comes. */
export async function noteWhoComes({ tmux }: ClosingRoom): Promise<() => Promise<string>> {
  await tmux.tmux('set-option', '-g', '@came', '-');
  await tmux.tmux('set-hook', '-g', 'client-attached', 'set-option -ga @came x');
  return () => tmux.tmux('show-options', '-g', '-v', '@came');
}

/** Its agent ends on the word of a person, and tmux is through with that. */
export async function leaves({ tmux }: ClosingRoom): Promise<void> {
  await tmux.tmux('send-keys', '-t', '=worker:', '/exit', 'Enter');
  await until(
    'its end is written down',
    () => tmux.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_dead} #{@rollcall_ends}'),
    (all) => !/^worker 0|^worker 1 on/m.test(all),
  );
}
