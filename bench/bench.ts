import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchDaemon } from './daemon.ts';
import { scenesIn, withScenes } from './daemon-scenes.ts';
import { type AllFigures, type Measured, type PartName, readFigures, writeFigures } from './figures.ts';
import { benchLedger } from './long-ledger.ts';
import { FIGURES, pageFiles } from './page.ts';
import { PARTS, QUICK, THOROUGH } from './parts.ts';

const NAMES = Object.keys(PARTS) as PartName[];
const DOCS = 'docs';

/** The help of `npm run bench`. */
export function usage(): string {
  const parts = NAMES.map((name) => {
    const { about, sizes } = PARTS[name];
    return `  ${name.padEnd(7)} ${about}${sizes ? ` (sizes ${sizes})` : ''}`;
  });
  return `Usage: npm run bench -- [PART…] [--sizes N,N…] [--quick] [--out FOLDER]

Measures every part, or those that are named, and writes docs/BENCHMARKS.md and its curves; the figures of the
other parts are kept in docs/bench/figures.json. Progress is told on stderr.

Parts:
${parts.join('\n')}
  curves  measures nothing: draws the page and its curves again from the figures
  daemon N:KIND… [deaths:N… [hooks:COUNT]] [with:PROGRAM] [--keep]
          only these scenes; KIND is agents, silent or shells; only prints, unless they are to be kept in docs/
  ledger  commands beside a long ledger: ledger [PROGRAM [ENTRIES…]]; only prints

Options:
  --sizes N,N…   other numbers of sessions
  --quick        few rounds and short times, only to see that everything runs
  --out FOLDER   writes the page there instead of docs/

With --sizes or --quick, figures are only printed unless --out says where to write them.
`;
}

/** Runs what the command line asks for; gives the exit code. */
export async function bench(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'ledger') {
    benchLedger(argv.slice(1));
    return 0;
  }
  const scenes = argv[0] === 'daemon' ? scenesIn(argv.slice(1)) : null;
  if (scenes !== null) {
    const [load = 0] = loadavg();
    const measured = await benchDaemon(scenes, say);
    process.stdout.write(`${PARTS.daemon.lines(measured)}\n`);
    if (!argv.includes('--keep')) return 0;
    // Read only now: scenes that run side by side keep theirs one after the other.
    const figures = withScenes(readFigures(join(DOCS, FIGURES)).daemon?.figures, measured);
    keep('daemon', figures, load, DOCS);
    writePage(DOCS, readFigures(join(DOCS, FIGURES)));
    return 0;
  }
  let wish: Wish;
  try {
    wish = wishOf(argv);
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n\n${usage()}`);
    return 2;
  }
  if (wish.isHelp) {
    process.stdout.write(usage());
    return 0;
  }
  const folder = wish.out ?? (wish.isUsual ? DOCS : null);
  let failed = 0;
  for (const name of wish.parts) {
    await run(name, wish, folder).catch((cause) => {
      failed += 1;
      process.stderr.write(`${name} failed, its last figures are kept: ${cause.stack}\n`);
    });
  }
  if (folder !== null) writePage(folder, readFigures(join(folder, FIGURES)));
  return failed === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stderr.write(`${new Date().toLocaleTimeString('en-GB')} ${text}\n`);
}

interface Wish {
  readonly parts: readonly PartName[];
  readonly sizes: readonly number[] | null;
  readonly isQuick: boolean;
  /** Neither other sizes nor a quick run. */
  readonly isUsual: boolean;
  readonly isHelp: boolean;
  readonly out: string | null;
}

/** What a command line asks for; throws where it cannot be understood. */
export function wishOf(argv: readonly string[]): Wish {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      sizes: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const sizes = values.sizes?.split(',').map(Number) ?? null;
  if (sizes?.some((size) => !Number.isInteger(size) || size < 1))
    throw new Error(`--sizes takes numbers of sessions, such as 10,100: "${values.sizes}"`);
  const named = positionals.filter((name) => name !== 'curves');
  const unknown = named.find((name) => !NAMES.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
  return {
    parts: NAMES.filter((name) => positionals.length === 0 || named.includes(name)),
    ...{ sizes, isQuick: values.quick, isUsual: sizes === null && !values.quick },
    ...{ isHelp: values.help, out: values.out ?? null },
  };
}

/** Keeps the figures as soon as they are there: what follows may fail. */
async function run<K extends PartName>(name: K, wish: Wish, folder: string | null): Promise<void> {
  const part = PARTS[name];
  say(`${name}: ${part.about}`);
  const [load = 0] = loadavg();
  const figures = await part.measure(wish.sizes, wish.isQuick ? QUICK : THOROUGH, say);
  process.stdout.write(`${part.lines(figures)}\n`);
  if (folder !== null) keep(name, figures, load, folder);
}

function keep<K extends PartName>(name: K, figures: Measured[K], load: number, folder: string): void {
  const taken = { on: new Date().toISOString().slice(0, 10), machine: machine(), load, figures };
  const path = join(folder, FIGURES);
  writeFigures(path, { ...readFigures(path), [name]: taken });
}

function writePage(folder: string, figures: AllFigures): void {
  for (const [path, text] of Object.entries(pageFiles(folder, figures))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    process.stderr.write(`wrote ${path}\n`);
  }
}

function machine(): string {
  const tmux = spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim();
  return `${cpus().length} cores, Node ${process.version}, ${tmux}`;
}
