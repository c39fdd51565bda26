import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, ROLLCALL } from '../support/command.ts';
import { ahead, closeDue, protectionsOf, untilClosed } from './people.ts';
import { type Bystanders, hasWorlds, World } from './world.ts';

const HOUR = 3_600_000;

describe.skipIf(!hasWorlds)('law 15: what is not seen from here is not gone', () => {
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

  const must = async (ran: Promise<Ran>): Promise<string> => {
    const { exitCode, stdout, stderr } = await ran;
    expect(exitCode, stdout + stderr).toBe(0);
    return stdout;
  };
  const said = async (...argv: string[]) => must(world.ask(argv));
  /** A session that ended well and that nobody took into care. */
  const plain = async (name: string) => {
    await world.tmux('set-option', '-g', 'remain-on-exit', 'on');
    await world.session(name, 'true');
    await world.untilEnded(name);
  };

  test('a container with the same home takes nothing back, and settles nothing', async () => {
    await world.ended('kept');
    await world.ended('held');
    await plain('stranger');
    await said('retain', 'kept', '--for', '10h');
    await said('hold', 'held');
    await said('retain', 'stranger', '--for', '10h');
    // The same kernel, machine id and state folder; processes and tmux sockets of its own.
    const script = [
      `mount -t tmpfs tmpfs ${world.env.TMUX_TMPDIR}`,
      `${ROLLCALL} --json`,
      `${ROLLCALL} doctor --fix --yes`,
      `${ROLLCALL} doctor --fix --yes --only stale-holds`,
      `${ROLLCALL} doctor --fix --yes --only lost-sessions`,
      `${ROLLCALL} close --due`,
      'true',
    ].join('\n');
    const inside = await must(world.run(['unshare', '-p', '-f', '-m', '--mount-proc', 'bash', '-c', script]));
    expect(inside).toContain('"sessions":[]');
    // The mark on its tmux session would hold it without the ledger.
    expect(
      (await world.asked<{ entries: { action: string }[] }>(['log'])).entries.map(({ action }) => action),
    ).not.toContain('unhold');
    expect(await protectionsOf(world, 'kept')).toEqual(['retained']);
    expect(await protectionsOf(world, 'held')).toEqual(['held']);
    await said('adopt', 'stranger');
    expect(await protectionsOf(world, 'stranger')).toEqual(['retained']);
    expect(await closeDue(world)).toEqual(expect.arrayContaining(['kept', 'held', 'stranger']));
    // What ended here is known to have ended, and is taken back as ever.
    await world.tmux('kill-session', '-t', '=stranger');
    const fixed = await must(world.rollcall(['doctor', '--fix', '--yes', '--only', 'stale-holds']));
    expect(fixed).toContain('is taken back');
  });

  test('a machine with the same machine id leaves out nothing that this one said', async () => {
    await plain('mine');
    await said('retain', 'mine', '--for', '10h');
    const bootId = readFileSync('/proc/sys/kernel/random/uuid', 'utf8');
    writeFileSync(join(world.folder, 'boot'), bootId);
    mkdirSync(join(world.folder, 'elsewhere'), { mode: 0o700 });
    const script = [
      `mount --bind ${join(world.folder, 'boot')} /proc/sys/kernel/random/boot_id`,
      `export TMUX_TMPDIR=${join(world.folder, 'elsewhere')}`,
      `${ROLLCALL} run --name theirs -- sleep 1000`,
      ROLLCALL,
      `${ROLLCALL} doctor --fix --yes --only stale-holds`,
      'true',
    ].join('\n');
    await must(world.run(['unshare', '-m', 'bash', '-c', script]));
    await said('adopt', 'mine');
    expect(await protectionsOf(world, 'mine')).toEqual(['retained']);
    expect(await closeDue(world)).toContain('mine');
  });

  describe('after a repair', () => {
    const own = () => readdirSync(world.stateFolder).filter((name) => name.startsWith('ledger.'));
    const rolledBack = async (forget: () => Promise<unknown>, env: NodeJS.ProcessEnv = {}) => {
      const kept = join(world.folder, 'kept');
      mkdirSync(kept);
      for (const name of own()) cpSync(join(world.stateFolder, name), join(kept, name));
      await forget();
      for (const name of own()) rmSync(join(world.stateFolder, name));
      cpSync(kept, world.stateFolder, { recursive: true });
      await must(world.rollcall(['verify', '--repair'], env));
    };

    test('a session is held although the clock says that it is from the future', async () => {
      await world.ended('mine');
      const back = ahead({ stepMs: -HOUR });
      await rolledBack(() => said('retain', 'mine', '--for', '10h'), back);
      expect(await protectionsOf(world, 'mine', back)).toEqual(['held']);
      expect(await closeDue(world, back)).toContain('mine');
    });

    test('so is one that is taken into care only then; a server that was started later is free', async () => {
      await world.ended('first');
      await plain('mine');
      await rolledBack(() => said('retain', 'mine', '--for', '10h'));
      const later = ['tmux', '-L', 'later', '-f', '/dev/null'];
      const made = [
        'set-option',
        '-g',
        'remain-on-exit',
        'on',
        ';',
        'new-session',
        '-d',
        '-s',
        'free',
        'true',
      ];
      await must(world.run([...later, 'start-server', ';', ...made]));
      await must(world.run([...later, 'run-shell', '-b', 'true']));
      for (const name of ['mine', 'free']) await said('adopt', name);
      expect(await protectionsOf(world, 'mine')).toEqual(['held']);
      expect(await protectionsOf(world, 'free')).toEqual([]);
      // On the old server too, where rollcall itself started it.
      await world.ended('run');
      expect(await protectionsOf(world, 'run')).toEqual([]);
      await untilClosed(world, 'run');
      expect(await closeDue(world)).toContain('mine');
    });
  });
});
