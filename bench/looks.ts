import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { partsOf } from '../src/compose/look/parts.ts';
import { defaultValues, toSettings } from '../src/config/settings.ts';
import type { Recollection } from '../src/core/memory/recollection.ts';
import type { Parts } from '../src/engine/look/parts.ts';
import { tick } from '../src/engine/look/tick.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { floor } from './floor.ts';
import { forkPerSession } from './fork-per-session.ts';
import { endProcess, inTurns, startDaemon, timed } from './measure.ts';
import type { LooksBench, Row } from './report.ts';

/** Measures on crowds of these sizes; both sides are warmed up with so many turns first. */
export async function benchLooks(
  sizes: readonly number[],
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
  say: (text: string) => void,
): Promise<LooksBench> {
  const rows: Row[] = [];
  for (const size of sizes) {
    say(`looks at ${size} sessions …`);
    const crowd = startCrowd(size);
    try {
      rows.push(await measure(size, crowd, rounds, warmUp));
    } finally {
      crowd.stop();
    }
  }
  return { rows, rounds };
}

async function measure(size: number, crowd: Crowd, rounds: number, warmUp: number): Promise<Row> {
  const forks = { count: 0 };
  const parts = countingParts(crowd, forks);
  let memory: Recollection | null = null;
  const look = async () => {
    memory = (await tick(parts, memory, {})).recollection;
  };
  // A watching process has looked many times before: both sides are measured once the compiler is done with them.
  for (let turn = 0; turn < warmUp; turn += 1) {
    await look();
    await floor(crowd.socketPath);
  }
  const before = forks.count;
  await look();
  const forksPerTick = forks.count - before;
  const inProcess = await inTurns(rounds, { floor: () => floor(crowd.socketPath), tick: look });
  const daemon = await startDaemon(crowd, []);
  const command = (...argv: string[]) =>
    spawnSync(process.execPath, ['dist/rollcall.cjs', ...argv], { env: crowd.env, maxBuffer: 2 ** 28 });
  for (let turn = 0; turn < warmUp; turn += 1) command('--json');
  const asProcess = await inTurns(2 * rounds, {
    node: () => spawnSync(process.execPath, ['-e', '0'], { env: crowd.env }),
    version: () => command('version'),
    json: () => command('--json', '--no-daemon'),
    carried: () => command('--json'),
  });
  const who = command('--json', '--debug').stderr.toString();
  if (!who.includes('the daemon looked')) throw new Error(`the daemon did not look: ${who}`);
  await endProcess(daemon);
  let found = { attributed: 0, forks: 0 };
  const forking = await timed(() => {
    found = forkPerSession(crowd.socketPath, crowd.serverPid);
  });
  if (found.attributed !== size)
    throw new Error(`the fork-per-session way found ${found.attributed} of ${size}`);
  return { size, ...inProcess, ...asProcess, forksPerTick, forking, forkingForks: found.forks };
}

function countingParts(crowd: Crowd, forks: { count: number }): Parts {
  const settings = toSettings(defaultValues());
  return partsOf({
    env: crowd.env,
    settings,
    sockets: [crowd.socketPath],
    spawn: (file: string, args: readonly string[], options: SpawnOptions) => {
      forks.count += 1;
      return spawn(file, args, options);
    },
  });
}
