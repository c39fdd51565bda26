import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { restingAgents } from './resting.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)(
  'law 20: what a tmux server runs itself does not end with its last session',
  () => {
    let world: World;
    beforeEach(async () => {
      world = await World.open();
    });
    afterEach(() => world.close());

    const waiting = (name: string) =>
      `until [ -e ${world.folder}/${name}.go ]; do sleep 0.05; done; : > ${world.folder}/${name}.done`;
    const isDone = (name: string) => existsSync(join(world.folder, `${name}.done`));
    const go = async (name: string) => {
      writeFileSync(join(world.folder, `${name}.go`), '');
      // Also its shell has ended, which lasts a moment longer.
      await until('it is done', () => isDone(name) && world.find(`${name}.go`) === undefined);
    };

    test('a job in the background stands against closing the last one, and only that', async () => {
      await restingAgents(world, { first: 'leaves', last: 'leaves' });
      await world.tmux('run-shell', '-b', waiting('job'));
      // What only reads what a pane shows ends with it.
      await world.tmux('pipe-pane', '-t', '=last:', `cat >> ${world.folder}/log`);
      expect((await world.rollcall(['close', 'first'])).exitCode).toBe(0);
      const refused = await world.rollcall(['close', 'last']);
      expect([refused.exitCode, refused.stdout]).toEqual([
        3,
        expect.stringContaining('run by its tmux server'),
      ]);
      await go('job');
      expect((await world.rollcall(['close', 'last'])).exitCode).toBe(0);
    });

    test('what is piped into a pane stands against closing it', async () => {
      const bystanders = await world.bystanders();
      await restingAgents(world, { fed: 'leaves' });
      await world.tmux('pipe-pane', '-I', '-t', '=fed:', waiting('feeder'));
      const refused = await world.rollcall(['close', 'fed']);
      expect([refused.exitCode, refused.stdout]).toEqual([
        3,
        expect.stringContaining('run by its tmux server'),
      ]);
      await go('feeder');
      expect(await bystanders.harmed()).toEqual([]);
    });

    test('a pane without a program is not dead: somebody may be writing into it', async () => {
      const bystanders = await world.bystanders();
      await restingAgents(world, { fed: 'leaves' });
      await world.sh(
        `((${waiting('writer')}; echo end) | tmux split-window -d -I -t =fed:) >/dev/null 2>&1 </dev/null &`,
      );
      await until('the pane is there', async () => (await world.entry('fed')).blockers.length > 0);
      expect((await world.rollcall(['close', 'fed'])).exitCode).toBe(3);
      await go('writer');
      expect(await bystanders.harmed()).toEqual([]);
    });
  },
);
