import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Gate } from './gate.ts';
import { restingAgents } from './resting.ts';
import { type Bystanders, hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 3: the last look and the act are one step', { timeout: 180_000 }, () => {
  let world: World;
  let bystanders: Bystanders;

  beforeEach(async () => {
    world = await World.open();
    bystanders = await world.bystanders();
  });
  afterEach(async () => {
    await world.close();
  });

  type Attacks = Readonly<Record<string, (name: string) => Promise<unknown>>>;

  /** Closes a session for each of them, which happens when rollcall is about to do that. */
  async function under(attacks: Attacks, at: string, manner = 'leaves') {
    const names = Object.keys(attacks);
    const pids = await restingAgents(world, Object.fromEntries(names.map((name) => [name, manner])));
    const ended = await Promise.all(
      names.map(async (name) => {
        const gate = new Gate(world, name, at);
        const ran = await gate.rollcall(['close', name], () => (attacks[name] as Attacks[string])(name));
        return { name, isReached: gate.isReached, exitCode: ran.exitCode, text: ran.stdout + ran.stderr };
      }),
    );
    return { names, pids, ended };
  }

  const ATTACH: Attacks = {
    attached: (name) => world.attach(name),
    program: (name) => control(name),
    grouped: async (name) => {
      await world.tmux('new-session', '-d', '-s', `${name}-too`, '-t', `=${name}`);
      await world.attach(`${name}-too`);
    },
  };

  async function control(name: string): Promise<void> {
    world.start(['sh', '-c', `sleep 1000 | tmux -C attach -t =${name} >/dev/null`]);
    const attached = () => world.tmux('display-message', '-p', '-t', `=${name}:`, '#{session_attached}');
    await until('it is attached', attached, (count) => count === '1');
  }

  test('S39: no git is asked once it is decided, however slow it is', async () => {
    await world.sh('git init -q');
    await restingAgents(world, { worker: 'leaves' });
    const gate = new Gate(world, 'git', 'git *', 'tmux *capture-pane*-S*');
    const { exitCode } = await gate.rollcall(['close', 'worker'], () => world.attach('worker'));
    expect({ isAsked: gate.isReached, exitCode }).toEqual({ isAsked: false, exitCode: 0 });
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('S19, S39: what happens right before a session is removed keeps it', async () => {
    const attacks: Attacks = {
      ...ATTACH,
      added: (name) => world.tmux('split-window', '-d', '-t', `=${name}:`, 'sleep', '1000'),
      respawned: (name) => world.tmux('respawn-pane', '-t', `=${name}:`, 'sleep', '1000'),
      reading: (name) => world.tmux('copy-mode', '-t', `=${name}:`),
      stamped: (name) => world.tmux('set-option', '-t', `=${name}:`, '@rollcall_held', '1'),
    };
    const { names, ended } = await under(attacks, 'tmux *kill-session*');
    expect(ended.map(({ name, isReached, exitCode }) => [name, isReached, exitCode])).toEqual(
      names.map((name) => [name, true, 3]),
    );
    expect(await world.names()).toEqual(expect.arrayContaining(names));
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('a name that changes right before does not keep it', async () => {
    const { ended } = await under(
      { worker: () => world.tmux('rename-session', '-t', '=worker', 'other') },
      'tmux *kill-session*',
    );
    expect(ended).toMatchObject([{ isReached: true, exitCode: 0 }]);
    expect(await world.names()).not.toContain('other');
    expect(await bystanders.harmed()).toEqual([]);
  });

  const TURN: Attacks = {
    turn: async (name) => {
      await world.agents.say(name, 'working');
      await world.tmux('send-keys', '-t', `=${name}:`, 'build it', 'Enter');
      await until(
        'it answers',
        () => world.screen(`=${name}:`),
        (screen) => screen.includes('build it?'),
      );
    },
    typing: async (name) => {
      await world.tmux('send-keys', '-t', `=${name}:`, '-l', 'my own words');
      await until(
        'it shows',
        () => world.screen(`=${name}:`),
        (screen) => screen.includes('my own words'),
      );
    },
    copying: (name) => world.tmux('copy-mode', '-t', `=${name}:`),
  };

  test('S16, S39: what happens right before the exit is typed keeps it from being typed', async () => {
    const { names, pids, ended } = await under({ ...ATTACH, ...TURN }, 'tmux *send-keys*-H*');
    expect(ended.map(({ name, isReached, exitCode }) => [name, isReached, exitCode])).toEqual(
      names.map((name) => [name, true, 3]),
    );
    const screens = await Promise.all(names.map((name) => world.screen(`=${name}:`)));
    expect(screens.filter((screen) => screen.includes('/exit'))).toEqual([]);
    expect(names.filter((name) => !world.isAlive(pids[name] ?? 0))).toEqual([]);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('S16, S39: what happens right before Enter keeps it from being pressed, and what was typed is taken back', async () => {
    const { names, pids, ended } = await under(
      { ...ATTACH, typing: TURN.typing as Attacks[string], copying: TURN.copying as Attacks[string] },
      'tmux *send-keys*Enter*',
    );
    expect(ended.map(({ name, isReached, exitCode }) => [name, isReached, exitCode])).toEqual(
      names.map((name) => [name, true, 3]),
    );
    expect(names.filter((name) => !world.isAlive(pids[name] ?? 0))).toEqual([]);
    const left = await Promise.all(
      names.map(async (name) => [name, (await world.screen(`=${name}:`)).includes('/exit')] as const),
    );
    // Behind words of somebody else, and under somebody who reads, nothing is touched any more.
    expect(left.filter(([, isLeft]) => isLeft).map(([name]) => name)).toEqual(['typing', 'copying']);
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('S39: what happens right before SIGTERM keeps it from being sent', async () => {
    const confirms = 'tmux *if-shell*begin" ; "display-message" "-p" *done"*';
    const { names, pids, ended } = await under({ ...ATTACH, ...TURN }, confirms, 'done');
    expect(ended.map(({ name, isReached, exitCode }) => [name, isReached, exitCode])).toEqual(
      names.map((name) => [name, true, 3]),
    );
    expect(names.filter((name) => !world.isAlive(pids[name] ?? 0))).toEqual([]);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
