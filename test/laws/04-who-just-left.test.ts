import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { ahead, closeDue, finished, protectionsOf, untilClosed } from './people.ts';
import { type Bystanders, hasWorlds, World } from './world.ts';

const HOUR = 3_600_000;
/** `recentInput` is longer than a test takes: somebody who attached this long ago attached before the window. */
const LATER = ahead({ passedMs: HOUR });
const MUCH_LATER = ahead({ passedMs: 2 * HOUR });

describe.skipIf(!hasWorlds)('law 4: whoever just left is protected', () => {
  let world: World;
  let bystanders: Bystanders;

  beforeEach(async () => {
    world = await World.open({ recentInput: '10m' });
    bystanders = await world.bystanders();
    await finished(world, 'target');
  });
  afterEach(async () => {
    expect(await bystanders.harmed()).toEqual([]);
    await world.close();
  });

  const forget = () => rmSync(join(world.stateFolder, 'recollection.json'));

  test('S19: a dropped connection, long after it was made', async () => {
    const person = await world.attach('target');
    await world.entry('target');
    await person.leave();
    expect(await closeDue(world, LATER)).toContain('target');
    expect(await protectionsOf(world, 'target', LATER)).toEqual(['recent-input']);
    // Seen without anybody for the whole window, it may go.
    await untilClosed(world, 'target', MUCH_LATER);
  });

  test('somebody who detached, whom no look ever saw', async () => {
    await world.attach('target');
    await world.tmux('detach-client', '-s', '=target');
    await until(
      'they are gone',
      () => world.tmux('list-clients', '-t', '=target'),
      (left) => left === '',
    );
    forget();
    expect(await closeDue(world, LATER)).toContain('target');
    await untilClosed(world, 'target', MUCH_LATER);
  });

  test('somebody who came and went since the last look', async () => {
    await (await world.attach('target')).leave();
    expect(await protectionsOf(world, 'target', LATER)).toEqual(['recent-input']);
    expect(await protectionsOf(world, 'target', MUCH_LATER)).toEqual([]);
    // tmux tells whole seconds, and rollcall's clocks are ahead of its.
    const came = Number(
      await world.tmux('display-message', '-p', '-t', '=target:', '#{session_last_attached}'),
    );
    await until('that second is over', () => Date.now() >= (came + 1) * 1000);
    await (await world.attach('target')).leave();
    expect(await closeDue(world, ahead({ passedMs: 3 * HOUR }))).toContain('target');
  });

  test('somebody who looked in through a session of the same group that ended with them', async () => {
    const desk = ['tmux', '-u', '-L', 'desk', '-f', '/dev/null'];
    const glance = 'tmux new-session -t =target -s glance \\; set destroy-unattached on';
    await world.run([...desk, 'new-session', '-d', `env -u TMUX -u TMUX_PANE ${glance}`]);
    await until('they look', async () => (await world.names()).includes('glance'));
    await world.run([...desk, 'kill-server']);
    await until('they are gone', async () => !(await world.names()).includes('glance'));
    expect(await closeDue(world, LATER)).toContain('target');
    await untilClosed(world, 'target', MUCH_LATER);
  });

  test('somebody who switched to another session', async () => {
    await world.session('elsewhere');
    await world.attach('target');
    const client = await world.tmux('list-clients', '-t', '=target', '-F', '#{client_name}');
    await world.tmux('switch-client', '-c', client, '-t', '=elsewhere');
    expect(await closeDue(world, LATER)).toContain('target');
    expect(await protectionsOf(world, 'target', LATER)).toEqual(['recent-input']);
  });

  test('a program in control mode', async () => {
    const program = world.start(['sh', '-c', 'sleep 1000 | tmux -C attach -t =target']);
    const attached = () => world.tmux('display-message', '-p', '-t', '=target:', '#{session_attached}');
    await until('it is attached', attached, (count) => count === '1');
    expect(await closeDue(world, LATER)).toContain('target');
    await world.tmux('detach-client', '-s', '=target');
    await until('it is gone', attached, (count) => count === '0');
    program.kill();
    expect(await closeDue(world, MUCH_LATER)).toContain('target');
  });

  test('and a session that nobody ever attached to is nobody’s, also at the first look', async () => {
    forget();
    expect(await protectionsOf(world, 'target')).toEqual([]);
    forget();
    await untilClosed(world, 'target');
  });
});
