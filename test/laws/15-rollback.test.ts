import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untilClosed } from './people.ts';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 15: a ledger that lost entries closes nothing', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  /** Files of the ledger itself. */
  const own = () => readdirSync(world.stateFolder).filter((name) => name.startsWith('ledger.'));
  const keep = () => {
    mkdirSync(join(world.folder, 'kept'));
    for (const name of own()) cpSync(join(world.stateFolder, name), join(world.folder, 'kept', name));
  };
  const remove = (...names: string[]) => {
    for (const name of names) rmSync(join(world.stateFolder, name), { recursive: true, force: true });
  };
  const rollBack = () => {
    remove(...own());
    cpSync(join(world.folder, 'kept'), world.stateFolder, { recursive: true });
  };
  /** A session that closes by itself, unless it is held; its stamp is taken off, so that only the ledger speaks. */
  const heldSession = async () => {
    await world.ended('mine');
    keep();
    await world.ask(['hold', 'mine']);
    await unstamp();
    expect((await world.entry('mine')).protections.map(({ code }) => code)).toContain('held');
  };
  const unstamp = () => world.tmux('set-option', '-u', '-t', '=mine:', '@rollcall_held');
  const standsStill = async () => {
    const verified = await world.rollcall(['verify']);
    expect(verified.exitCode, verified.stdout).toBe(1);
    expect((await world.rollcall(['doctor'])).stdout).toMatch(/ledger/);
    const { lifecycle } = await world.entry('mine');
    expect(lifecycle).toBe('unknown');
    // Not even by force: no intent can be recorded that rests on everything that was said of it.
    for (const close of [
      () => world.ask(['close', '--due']),
      () => world.ask(['close', 'mine']),
      () => world.rollcall(['close', 'mine', '--force']),
    ]) {
      await close();
      expect(await world.names(), String(close)).toContain('mine');
    }
  };
  const heldAfterRepair = async () => {
    expect((await world.ask(['verify', '--repair'])).exitCode).toBe(0);
    expect((await world.ask(['verify'])).exitCode).toBe(0);
    const { protections } = await world.entry('mine');
    expect(protections.find(({ code }) => code === 'held')?.text).toContain('lost entries');
    for (const argv of [['--due'], ['mine']]) await world.ask(['close', ...argv]);
    expect(await world.names()).toContain('mine');
    expect((await world.ask(['unhold', 'mine'])).stdout).toContain('no longer held');
    const after = await world.entry('mine');
    expect(after.protections.map(({ code }) => code)).not.toContain('held');
  };

  test.each([
    ['rolled back together with its anchor', () => rollBack()],
    ['rolled back, and the facts with it', () => [rollBack(), remove('facts.json')]],
    ['rolled back, and the witness gone', () => [rollBack(), remove('witness.json')]],
    ['deleted together with its anchor', () => remove(...own())],
  ])('S36: %s: damage, and nothing is closed before a person says so', async (_, harm) => {
    const bystanders = await world.bystanders();
    await heldSession();
    harm();
    await standsStill();
    await heldAfterRepair();
    // What begins after the repair is judged as ever.
    await world.ended('later');
    await untilClosed(world, 'later');
    expect(await bystanders.harmed()).toEqual([]);
  });

  test('a ledger that was rolled back and then written to by an older version is damaged all the same', async () => {
    await heldSession();
    rollBack();
    const { exitCode } = await world.rollcall(['hold', 'mine']);
    expect(exitCode).toBe(1);
    await unstamp().catch(() => undefined);
    await standsStill();
  });

  test('a hold is also on the session itself: without any state of rollcall it is still held', async () => {
    const bystanders = await world.bystanders();
    await world.ended('mine');
    await world.ask(['hold', 'mine', '--reason', 'reading']);
    await world.tmux('rename-session', '-t', '=mine', 'renamed');
    remove(...readdirSync(world.stateFolder));
    expect((await world.rollcall(['verify'])).exitCode).toBe(0);
    await world.ask(['adopt', 'renamed']);
    const { protections } = await world.entry('renamed');
    expect(protections.find(({ code }) => code === 'held')?.text).toContain('rollcall unhold');
    await world.rollcall(['close', '--due']);
    await world.rollcall(['close', 'renamed']);
    expect(await world.names()).toContain('renamed');
    expect((await world.ask(['unhold', 'renamed'])).stdout).toContain('no longer held');
    await untilClosed(world, 'renamed');
    expect(await bystanders.harmed()).toEqual([]);
  });
});
