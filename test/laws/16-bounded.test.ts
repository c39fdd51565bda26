import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeLongLedger } from '../support/long-ledger.ts';
import { hasWorlds, World } from './world.ts';

/** Notes at the end of a process how many bytes it has read. A slow one would also read the rest of its own program. */
const PROBE = `
const later = setTimeout;
globalThis.setTimeout = (work, ...more) => work.name === 'readRest' ? { unref() {} } : later(work, ...more);
const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.PROBE_FILE, readFileSync('/proc/self/io')));
`;

const COMMANDS = [
  ['hold', 'mine'],
  ['unhold', 'mine'],
  ['log', '--limit', '5'],
  ['close', 'mine'],
];

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
    // Each command with a ledger of a few entries: most of what it reads is its own program.
    await world.ended('mine');
    const before = new Map<string, number>();
    for (const argv of COMMANDS) before.set(argv.join(' '), await bytesReadBy(argv));
    for (const name of ['ledger.db', 'ledger.head', 'witness.json', 'facts.json'])
      await world.sh(`rm -f ${join(world.stateFolder, name)}*`);
    writeLongLedger(world.stateFolder, 7000, 1500);
    await world.ended('mine');
    // One look folds what nobody has folded yet.
    await world.rollcall([]);
    const ledgerBytes = statSync(join(world.stateFolder, 'ledger.db')).size;
    expect(ledgerBytes).toBeGreaterThan(5_000_000);
    for (const argv of COMMANDS) {
      const words = argv.join(' ');
      expect((await bytesReadBy(argv)) - (before.get(words) as number), words).toBeLessThan(ledgerBytes / 4);
    }
    expect(await world.names()).not.toContain('mine');
    expect((await world.rollcall(['verify'])).stdout).toContain('intact');
    // Sessions that were closed long ago are in the ledger and not among the facts.
    expect(statSync(join(world.stateFolder, 'facts.json')).size).toBeLessThan(300_000);
    expect((await world.rollcall(['log', 'worker-3'])).stdout.split('\n').length).toBeGreaterThan(6);
    expect(await bystanders.harmed()).toEqual([]);
  });
});
