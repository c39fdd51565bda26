import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { closeDue, untilClosed } from './people.ts';
import { type Bystanders, hasWorlds, World } from './world.ts';

const GIT = 'git -c user.email=a@b -c user.name=a';
/** A repository with a commit and a file that nobody saved, in the folder that the shell is in. */
const WORK = `git init -q . && ${GIT} commit -qm base --allow-empty && echo work >unsaved.txt`;

describe.skipIf(!hasWorlds)(
  'law 21: nothing is lost where a path leads an agent elsewhere than rollcall',
  () => {
    let world: World;
    let bystanders: Bystanders;

    beforeEach(async () => {
      world = await World.open();
      bystanders = await world.bystanders();
    });
    afterEach(async () => {
      expect(await bystanders.harmed()).toEqual([]);
      await world.close();
    });

    const projectOf = (name: string) => join(world.folder, `project-${name}`);
    /** An agent that a script leads to its folder. */
    const agent = async (name: string, how: readonly string[], script: string) => {
      const file = join(world.folder, `${name}.sh`);
      mkdirSync(projectOf(name));
      writeFileSync(file, `${script}\nexec ${world.agents.argv(name, 'leaves').join(' ')}\n`);
      const argv = ['run', '--name', name, '--cwd', projectOf(name), '--', ...how, 'bash', '-e', file];
      expect((await world.ask(argv)).exitCode).toBe(0);
      return world.agents.pid(name);
    };
    const saved = async (name: string) => {
      const { session } = await world.asked<{ session: Session }>(['explain', name]);
      const check = session.checks.find(({ code }) => code === 'work-saved');
      return { ...check, cwd: session.panes[0]?.cwd };
    };
    const mounted = (name: string) =>
      `mount -t tmpfs none ${projectOf(name)}; cd ${projectOf(name)}; ${WORK}`;

    test('work in a mount of its own is closed neither by a person nor by itself', async () => {
      const pids = [
        await agent('boxed', ['unshare', '-m'], mounted('boxed')),
        // No other namespace: its mount goes with the last process that works in it.
        await agent('left', [], `${mounted('left')}; umount -l ${projectOf('left')}`),
      ];
      const said = await Promise.all(['boxed', 'left'].map((name) => world.rollcall(['close', name])));
      expect(said.map(({ exitCode }) => exitCode)).toEqual([3, 3]);
      expect(said[0]?.stdout).toContain('is in another mount namespace; what is in it cannot be seen');
      expect(said[1]?.stdout).toContain('is no longer at its path');
      await Promise.all(['boxed', 'left'].map((name) => world.complete(name)));
      expect(await closeDue(world)).toEqual(expect.arrayContaining(['boxed', 'left']));
      // A path that leads elsewhere is told to nobody, so that no check of a completion or a gate runs there.
      expect(await saved('boxed')).toMatchObject({ kind: 'would-lose', state: 'unknown', cwd: null });
      expect(pids.map((pid) => world.isAlive(pid))).toEqual([true, true]);
    });

    test('work in a mount beside its folder, or in one that was made read-only, is not taken for saved', async () => {
      const clean = `git init -q . && ${GIT} commit -qm base --allow-empty; mkdir src docs; mount -t tmpfs none docs`;
      const pids = [
        await agent('beside', ['unshare', '-m'], `${clean}; echo work >docs/new; cd src`),
        await agent('sealed', ['unshare', '-m'], `${clean}; echo work >docs/new; mount -o remount,ro docs`),
      ];
      const lost = { kind: 'would-lose', state: 'unknown' };
      expect(await saved('beside')).toMatchObject({ ...lost, cwd: join(projectOf('beside'), 'src') });
      expect(await saved('sealed')).toMatchObject({ ...lost, cwd: null });
      await Promise.all(['beside', 'sealed'].map((name) => world.complete(name)));
      expect(await closeDue(world)).toEqual(expect.arrayContaining(['beside', 'sealed']));
      expect(pids.map((pid) => world.isAlive(pid))).toEqual([true, true]);
    });

    test('a conversation in a home of its own makes it unknown; a folder that is bound in is seen', async () => {
      await agent('homed', ['unshare', '-m'], `mount -t tmpfs none ${world.env.HOME}`);
      const project = projectOf('bound');
      const bound = `mount -t tmpfs none ${world.env.TMPDIR}; mount --bind ${project} ${project}; cd ${project}`;
      const pid = await agent('bound', ['unshare', '-m'], `${bound}; ${WORK}`);
      const homed = await until(
        'it has started',
        () => world.entry('homed'),
        ({ activity }) => activity !== 'starting',
      );
      expect(homed.activity).toBe('unknown');
      const { stdout } = await world.rollcall(['explain', 'homed']);
      expect(stdout).toContain(`${world.env.HOME} of scripted`);
      // On a busy machine git or its folder may not answer in time, which is told as unknown.
      const known = await until(
        'git has answered',
        () => saved('bound'),
        ({ state }) => state !== 'unknown',
      );
      expect(known).toMatchObject({ kind: 'unfinished', state: 'unmet', cwd: project });
      await world.sh(`cd ${project} && git add . && ${GIT} commit -qm work`);
      await world.complete('bound');
      await untilClosed(world, 'bound');
      expect([world.isAlive(pid), existsSync(join(project, 'unsaved.txt'))]).toEqual([false, true]);
    });
  },
);

interface Session {
  readonly checks: readonly { readonly code: string; readonly kind: string; readonly state: string }[];
  readonly panes: readonly { readonly cwd: string | null }[];
}
