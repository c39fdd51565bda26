import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasWorlds } from '../world.ts';
import { FAULTS, plant } from './faults.ts';
import { makePlayer, type Played, play } from './play.ts';
import { page } from './report.ts';

const HELP = `Closes, hibernates and keeps real tmux sessions, and judges by what each of them was made to be.

  npm run sessions -- --count N [--seed WORD] [--batch B]

  --count N     sessions in all; 200 unless told
  --seed WORD   others; a word decides all of them (1 unless told)
  --batch B     sessions of one batch, which live at the same time; 16 unless told
  --only SEED   one batch by its own seed, as a failure prints it
  --jobs N      worlds at the same time; 1 unless told
  --fault NAME  plants a fault in a copy of the built program: it has to be found (${Object.keys(FAULTS).join(', ')})
  --go-on       does not stop at what is wrong
  --journal F   adds each batch to this file, and leaves out what it has
  --write       writes the result into docs/SESSIONS.md
  --help

Stops at the first wrong outcome, says how to play that batch again, and keeps its folder: specs.json is what each session was
made to be, done.json what was done and answered, state/ what rollcall recorded. Ends with 1 then. Needs root or user namespaces.`;

/** Plays sessions in batches; the exit code. */
export async function sessions(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      ...{ count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
      ...{ batch: { type: 'string', default: '16' }, jobs: { type: 'string', default: '1' } },
      ...{
        only: { type: 'string' },
        fault: { type: 'string' },
        journal: { type: 'string' },
      },
      'go-on': { type: 'boolean', default: false },
      ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    },
  });
  if (values.help) return say(HELP, 0);
  const [count, size, jobs] = [values.count, values.batch, values.jobs].map(Number) as [
    number,
    number,
    number,
  ];
  if (!(count > 0) || !(size > 0) || !(jobs > 0))
    return say('--count, --batch and --jobs take numbers above 0', 2);
  if (!hasWorlds) return say('this needs namespaces: run it as root, or allow user namespaces', 2);
  const kept = mkdtempSync(join(tmpdir(), 'rollcall-sessions-'));
  const seeds = values.only
    ? [values.only]
    : Array.from({ length: Math.ceil(count / size) }, (_, index) => `${values.seed}-${index}`);
  const player = await makePlayer();
  const planted = values.fault === undefined ? null : plant(values.fault);
  const results: Played[] = [];
  const before = values.journal === undefined ? [] : readJournal(values.journal);
  const startedAt = performance.now();
  const open = seeds.filter((seed) => before.every((one) => one.seed !== seed)).reverse();
  let isWrong = false;
  const onBatch = (played: Played) => {
    results.push(played);
    if (values.journal) writeFileSync(values.journal, `${JSON.stringify(played)}\n`, { flag: 'a' });
    if (played.wrongs.length > 0) {
      isWrong = true;
      if (!values['go-on']) open.length = 0;
      console.error(story(played, kept, size));
    } else if (results.length % 10 === 0) console.error(progress(results, seeds.length, startedAt));
  };
  const job = async () => {
    // What earlier batches left in the kernel and in the player would slow down later ones.
    while (open.length > 0) {
      const plans = open.splice(-PER_WORLD).reverse();
      const order = {
        program: planted?.folder ?? resolve('dist'),
        kept,
        plans: plans.map((seed) => ({ seed, size })),
      };
      await play(player.file, order, (played) => {
        plans.splice(plans.indexOf(played.seed), 1);
        onBatch(played);
      });
      // Whatever went wrong in a world, the others have one of their own.
      if (!isWrong || values['go-on']) open.push(...plans.reverse());
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, job));
  } finally {
    player.remove();
    planted?.remove();
    if (!isWrong) rmSync(kept, { recursive: true, force: true });
  }
  const text = page([...before, ...results]);
  console.log(text);
  if (values.write && !isWrong) writeFileSync('docs/SESSIONS.md', text);
  return isWrong ? 1 : 0;
}

/** Batches of one world. */
const PER_WORLD = 20;

// A long play may be played in parts; what went wrong is played again.
function readJournal(path: string): Played[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Played).filter(({ wrongs }) => wrongs.length === 0);
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

function progress(results: readonly Played[], batches: number, startedAt: number): string {
  const count = results.reduce((sum, { sessions }) => sum + sessions, 0);
  const wrong = results.filter(({ wrongs }) => wrongs.length > 0).length;
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  return `… ${results.length} of ${batches} batches, ${count} sessions, ${wrong} wrong, ${minutes} min`;
}

function story({ seed, wrongs }: Played, kept: string, size: number): string {
  return [
    `✗ batch ${seed}`,
    ...wrongs.map((text) => `    ${text}`),
    `    kept in ${join(kept, seed)}`,
    `    again: npm run sessions -- --only ${seed} --batch ${size}`,
  ].join('\n');
}
