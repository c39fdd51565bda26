import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeLongLedger } from '../support/long-ledger.ts';
import { hasWorlds, World } from './world.ts';

/** Notes at the end of a process how many bytes it has read. */
const PROBE = `
const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.PROBE_FILE, readFileSync('/proc/self/io')));
`;

describe.skipIf(!hasWorlds)('law 16: no writing command reads the whole ledger', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  /** How many bytes a command reads, its own program included. */
  const bytesReadBy = async (argv: readonly string[]): Promise<number> => {
    const [probe, file] = [join(world.folder, 'probe.cjs'), join(world.folder, 'probe.txt')];
    writeFileSync(probe, PROBE);
    const ran = await world.rollcall(argv, { NODE_OPTIONS: `--require=${probe}`, PROBE_FILE: file });
    expect(ran.exitCode, `${argv.join(' ')}: ${ran.stdout}${ran.stderr}`).toBe(0);
    return Number(/rchar: (\d+)/.exec(readFileSync(file, 'utf8'))?.[1]);
  };

  test('hold, unhold, close and the last lines of the log read the facts and what came since', async () => {
    const bystanders = await world.bystanders();
    await world.rollcall(['run', '--name', 'warm', '--', 'sleep', '1000']);
    const before = await bytesReadBy(['hold', 'warm']);
    await world.tmux('kill-session', '-t', '=warm');
    for (const name of ['ledger.db', 'ledger.head', 'witness.json', 'facts.json'])
      await world.sh(`rm -f ${join(world.stateFolder, name)}*`);
    writeLongLedger(world.stateFolder, 7000, 1500);
    await world.ended('mine');
    // One look folds what nobody has folded yet.
    await world.rollcall([]);
    const ledgerBytes = statSync(join(world.stateFolder, 'ledger.db')).size;
    expect(ledgerBytes).toBeGreaterThan(5_000_000);
    for (const argv of [
      ['hold', 'mine'],
      ['unhold', 'mine'],
      ['log', '--limit', '5'],
      ['close', 'mine'],
    ]) {
      expect((await bytesReadBy(argv)) - before, argv.join(' ')).toBeLessThan(ledgerBytes / 4);
    }
    expect(await world.names()).not.toContain('mine');
    expect((await world.rollcall(['verify'])).stdout).toContain('intact');
    // Sessions that were closed long ago are in the ledger and not among the facts.
    expect(statSync(join(world.stateFolder, 'facts.json')).size).toBeLessThan(300_000);
    expect((await world.rollcall(['log', 'worker-3'])).stdout.split('\n').length).toBeGreaterThan(6);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
