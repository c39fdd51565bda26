import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playBatch } from './batch.ts';
import { MAKE_TREES } from './git-trees.ts';
import { cpuSeconds } from './processes.ts';

/** What the player of a world is told; it is started there, and plays until all is played or something is wrong. */
export interface Order {
  /** The folder of its world. */
  readonly folder: string;
  readonly program: string;
  readonly plans: readonly { readonly seed: string; readonly size: number }[];
  /** Where a batch that went wrong is kept. */
  readonly kept: string;
}

const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Order;
const trees = join(order.folder, 'template');
mkdirSync(trees);
execFileSync('sh', ['-ec', MAKE_TREES], { cwd: trees, stdio: 'ignore' });
const shortOfMemory = memorySwitch(join(order.folder, 'meminfo'));

let spent = 0;
for (const plan of order.plans) {
  const folder = join(order.folder, plan.seed.replaceAll(/[^\w-]/g, '_'));
  const told = await playBatch({ folder, program: order.program, trees, shortOfMemory }, plan).catch(
    (error) => ({
      ...{ seed: plan.seed, sessions: 0, fates: { kept: 0, closed: 0, asleep: 0 }, counts: {} },
      wrongs: [`it could not be played: ${(error as Error).stack}`],
    }),
  );
  if (told.wrongs.length > 0) {
    writeFileSync(join(folder, 'wrong.txt'), told.wrongs.join('\n'));
    cpSync(folder, join(order.kept, plan.seed), {
      recursive: true,
      filter: (path) => !/\.sock$|tmux-|desk$/.test(path),
    });
  }
  const [before, now] = [spent, cpuSeconds()];
  spent = now;
  process.stdout.write(`${JSON.stringify({ ...told, cpuSeconds: now - before })}\n`);
  if (told.wrongs.length > 0) break;
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** Puts a file in the place of the kernel's, for this world alone; null where that is not allowed. */
function memorySwitch(file: string): ((isShort: boolean) => void) | null {
  const text = readFileSync('/proc/meminfo', 'utf8');
  const say = (isShort: boolean) =>
    writeFileSync(file, isShort ? text.replace(/^(MemAvailable: +)\d+/m, '$1102400') : text);
  say(false);
  try {
    execFileSync('mount', ['--bind', file, '/proc/meminfo'], { stdio: 'ignore' });
    return say;
  } catch {
    return null;
  }
}
