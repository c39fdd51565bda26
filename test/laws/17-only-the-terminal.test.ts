import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 17: what only a terminal ties to a session stands against closing', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const worker = () =>
    world.processes().find(({ argv, state }) => argv.includes('worker.sh') && state !== 'Z');

  test('a worker that left its session and lost its variables prints on', async () => {
    const bystanders = await world.bystanders();
    const printed = join(world.folder, 'printed');
    writeFileSync(
      join(world.folder, 'worker.sh'),
      `until [ -e ${world.folder}/go ]; do sleep 0.1; done; echo epoch 1 && : > ${printed}; sleep 1000`,
    );
    const agent = world.agents.argv('left', 'leaves').join(' ');
    const shell = `exec env 'PS1=$ ' bash --norc --noprofile -i`;
    await world.session('left', 'sh', '-c', `setsid -f env -i PATH="$PATH" sh worker.sh; ${agent}; ${shell}`);
    await world.agents.pid('left');
    const { pid = 0 } = (await until('it works', worker)) ?? {};
    await world.complete('left');
    await world.tmux('send-keys', '-t', '=left:', '/exit', 'Enter');
    const text = expect.stringContaining('uses its terminal');
    const { blockers } = await until(
      'it is told',
      () => world.entry('left'),
      (entry) => entry.blockers.length === 1 && entry.blockers[0]?.code === 'nothing-outside',
    );
    expect(blockers).toEqual([{ code: 'nothing-outside', kind: 'would-lose', text }]);
    expect((await world.rollcall(['close', '--due'])).stdout).toBe('nothing is due\n');
    expect((await world.rollcall(['close', 'left'])).exitCode).toBe(3);
    writeFileSync(join(world.folder, 'go'), '');
    await until('it prints', () => existsSync(printed));
    const planned = await world.rollcall(['close', 'left', '--force', '--dry-run']);
    expect(planned.stdout).toContain(`(pid ${pid})`);
    expect((await world.rollcall(['close', 'left', '--force'])).exitCode).toBe(0);
    expect(world.isAlive(pid)).toBe(true);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
