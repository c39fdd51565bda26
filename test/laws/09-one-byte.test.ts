import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasWorlds, World } from './world.ts';

describe.skipIf(!hasWorlds)('law 9: one byte of the facts never drops a hold', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  test('whichever byte of facts.json is another one, the hold is kept', async () => {
    const bystanders = await world.bystanders();
    await world.ended('mine');
    await world.ask(['hold', 'mine', '--reason', 'reading']);
    // Only what the ledger says is on trial here.
    await world.tmux('set-option', '-u', '-t', '=mine:', '@rollcall_held');
    await world.ask([]);
    const path = join(world.stateFolder, 'facts.json');
    const whole = readFileSync(path);
    expect(whole.toString()).toContain('reading');
    const bytes = spread(whole.length, 6, whole.indexOf('"held"'));
    for (const at of bytes) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(whole.readUInt8(at) ^ 1, at);
      writeFileSync(path, changed);
      await world.rollcall(['close', '--due']);
      expect(await world.names(), `byte ${at}`).toContain('mine');
    }
    // As somebody would who knows the format.
    writeFileSync(path, whole.toString().replace(/"held":\{[^}]*\}/, '"held":null'));
    expect((await world.entry('mine')).protections.map(({ code }) => code)).toContain('held');
    await world.rollcall(['close', '--due']);
    expect(await world.names()).toContain('mine');
    expect(statSync(path).size).toBeGreaterThan(0);
    expect(await bystanders.harmed()).toEqual([]);
  });
});

/** So many places, and every one of the word that matters most. */
function spread(length: number, count: number, word: number): number[] {
  const step = Math.max(1, Math.floor(length / count));
  const even = Array.from({ length: count }, (_, index) => index * step);
  return [...even, ...[1, 2, 3, 4].map((offset) => word + offset)].filter((at) => at >= 0 && at < length);
}
