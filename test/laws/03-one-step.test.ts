import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Gate } from './gate.ts';
import { inWorld, restingAgents } from './resting.ts';
import { hasWorlds, type World } from './world.ts';

type Attack = (world: World, name: string) => Promise<unknown>;

const attached: Attack = (world, name) => world.attach(name);

const program: Attack = async (world, name) => {
  world.start(['sh', '-c', `sleep 1000 | tmux -C attach -t =${name} >/dev/null`]);
  const count = () => world.tmux('display-message', '-p', '-t', `=${name}:`, '#{session_attached}');
  await until('it is attached', count, (found) => found === '1');
};

const grouped: Attack = async (world, name) => {
  await world.tmux('new-session', '-d', '-s', `${name}-too`, '-t', `=${name}`);
  await world.attach(`${name}-too`);
};

const shows = (world: World, name: string, text: string) =>
  until(
    'it shows',
    () => world.screen(`=${name}:`),
    (screen) => screen.includes(text),
  );

const turn: Attack = async (world, name) => {
  await world.agents.say(name, 'working');
  await world.tmux('send-keys', '-t', `=${name}:`, 'build it', 'Enter');
  await shows(world, name, 'build it?');
};

const typing: Attack = async (world, name) => {
  await world.tmux('send-keys', '-t', `=${name}:`, '-l', 'my own words');
  await shows(world, name, 'my own words');
};

const reading: Attack = (world, name) => world.tmux('copy-mode', '-t', `=${name}:`);

/** Closes a session for each of them, which happens when rollcall is about to run such a command. */
async function under(world: World, attacks: Readonly<Record<string, Attack>>, at: string, manner = 'leaves') {
  const names = Object.keys(attacks);
  const pids = await restingAgents(world, Object.fromEntries(names.map((name) => [name, manner])));
  const ended: unknown[] = [];
  // One after the other: whoever stands in the gate lets nobody write, and the others would not wait for ever.
  for (const [name, attack] of Object.entries(attacks)) {
    const gate = new Gate(world, name, at);
    const { exitCode } = await gate.rollcall(['close', name], () => attack(world, name));
    ended.push([name, gate.isReached, exitCode]);
  }
  return { names, ended, dead: names.filter((name) => !world.isAlive(pids[name] ?? 0)) };
}

const stopped = (names: readonly string[]) => names.map((name) => [name, true, 3]);

describe.skipIf(!hasWorlds)('law 3: the last look and the act are one step', () => {
  test('S39: no git is asked once it is decided, however slow it is', () =>
    inWorld(async (world) => {
      await world.sh('git init -q');
      await restingAgents(world, { worker: 'leaves' });
      const gate = new Gate(world, 'git', 'git *', 'tmux *capture-pane*-S*');
      const { exitCode } = await gate.rollcall(['close', 'worker'], () => world.attach('worker'));
      expect({ isAsked: gate.isReached, exitCode }).toEqual({ isAsked: false, exitCode: 0 });
    }));

  test('S19, S39: what happens right before a session is removed keeps it', () =>
    inWorld(async (world) => {
      const stamped: Attack = (_, name) => world.tmux('set-option', '-t', `=${name}:`, '@rollcall_held', '1');
      const added: Attack = (_, name) => world.tmux('split-window', '-d', '-t', `=${name}:`, 'sleep', '1000');
      const attacks = { attached, program, grouped, reading, stamped, added };
      const { names, ended } = await under(world, attacks, 'tmux *kill-session*');
      expect(ended).toEqual(stopped(names));
      expect(await world.names()).toEqual(expect.arrayContaining(names));
    }));

  test('a name that changes right before does not keep it', () =>
    inWorld(async (world) => {
      const worker: Attack = () => world.tmux('rename-session', '-t', '=worker', 'other');
      const { ended } = await under(world, { worker }, 'tmux *kill-session*');
      expect(ended).toEqual([['worker', true, 0]]);
      expect(await world.names()).not.toContain('other');
    }));

  test('S16, S39: what happens right before the exit is typed keeps it from being typed', () =>
    inWorld(async (world) => {
      const { names, ended, dead } = await under(
        world,
        { attached, turn, typing, reading },
        'tmux *send-keys*-H*',
      );
      expect(ended).toEqual(stopped(names));
      expect(dead).toEqual([]);
      const screens = await Promise.all(names.map((name) => world.screen(`=${name}:`)));
      expect(screens.filter((screen) => screen.includes('/exit'))).toEqual([]);
    }));

  test('S16, S39: what happens right before Enter keeps it from being pressed', () =>
    inWorld(async (world) => {
      const { names, ended, dead } = await under(world, { attached, turn, typing }, 'tmux *send-keys*Enter*');
      expect(ended).toEqual(stopped(names));
      expect(dead).toEqual([]);
      // What was typed is taken back where nobody typed behind it.
      expect(await world.screen('=attached:')).not.toContain('/exit');
      expect(await world.screen('=typing:')).toContain('my own words');
    }));

  test('S39: what happens right before SIGTERM keeps it from being sent', () =>
    inWorld(async (world) => {
      const confirms = 'tmux *if-shell*begin" ; "display-message" "-p" *done"*';
      const { names, ended, dead } = await under(world, { attached, turn }, confirms, 'done');
      expect(ended).toEqual(stopped(names));
      expect(dead).toEqual([]);
    }));
});
