import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { partsOf } from '../src/compose/look/parts.ts';
import { defaultValues, toSettings } from '../src/config/settings.ts';
import type { Recollection } from '../src/core/memory/recollection.ts';
import type { Parts } from '../src/engine/look/parts.ts';
import { tick } from '../src/engine/look/tick.ts';
import type { Crowd } from './crowd.ts';
import { startCrowd } from './crowd.ts';
import { benchDaemon } from './daemon.ts';
import { benchDoctor } from './doctor.ts';
import { floor } from './floor.ts';
import { forkPerSession } from './fork-per-session.ts';
import { benchGate } from './gate.ts';
import { benchGuard } from './guard.ts';
import { benchHook } from './hook.ts';
import { benchLedger } from './long-ledger.ts';
import { endProcess, inTurns, startDaemon, timed } from './measure.ts';
import type { Row } from './report.ts';
import {
  daemonLines,
  daemonSection,
  doctorLines,
  doctorSection,
  gateLines,
  gateSection,
  guardLines,
  hookLine,
  hookSection,
  looksSection,
  markdown,
  table,
} from './report.ts';

const SIZES = [10, 100, 300, 1000];
const ROUNDS = 25;
const WARM_UP = 30;
const HOOK_ROUNDS = 200;
const GATE_ROUNDS = 40;
const HUNG_ROUNDS = 5;
const GUARD_ROUNDS = 9;
const DAEMON_SIZES = [200, 1000];
const DAEMON_EVENTS = 100;
const DOCTOR_SIZES = [
  { sessions: 30, processes: 0 },
  { sessions: 300, processes: 1050 },
];

/** Runs the whole benchmark, prints its table and writes docs/BENCHMARKS.md. Sizes may be given as arguments; `looks`, `daemon`, `doctor` or `gate` measures only that, and replaces its part of the page; `ledger` only prints. */
export async function bench(argv: readonly string[]): Promise<void> {
  if (argv[0] === 'looks') return onlyLooks();
  if (argv[0] === 'daemon') return onlyDaemon(argv.slice(1).map(Number));
  if (argv[0] === 'doctor') return onlyDoctor();
  if (argv[0] === 'gate') return onlyGate();
  if (argv[0] === 'ledger') return benchLedger(argv.slice(1));
  const rows = await benchLooks(argv.length > 0 ? argv.map(Number) : SIZES);
  if (argv.length > 0) return;
  const hook = await benchHook(HOOK_ROUNDS);
  process.stdout.write(`${hookLine(hook)}\n`);
  process.stderr.write('stop gate …\n');
  const gate = await benchGate(GATE_ROUNDS, HUNG_ROUNDS);
  process.stdout.write(`${gateLines(gate)}\n`);
  process.stderr.write('guard …\n');
  const guard = await benchGuard(GUARD_ROUNDS);
  process.stdout.write(`${guardLines(guard)}\n`);
  const daemon = await benchDaemon(DAEMON_SIZES, DAEMON_EVENTS, (text) => process.stderr.write(`${text}\n`));
  process.stdout.write(`${daemonLines(daemon)}\n`);
  const doctor = await benchDoctor(DOCTOR_SIZES, ROUNDS, (text) => process.stderr.write(`${text}\n`));
  process.stdout.write(`${doctorLines(doctor)}\n`);
  writeFileSync(
    PAGE,
    markdown({ rows, hook, gate, guard, daemon, doctor, machine: machine(), rounds: ROUNDS }),
  );
  process.stdout.write(`wrote ${PAGE}\n`);
}

async function benchLooks(sizes: readonly number[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) {
    process.stderr.write(`${size} sessions …\n`);
    const crowd = startCrowd(size);
    try {
      rows.push(await measure(size, crowd));
    } finally {
      crowd.stop();
    }
  }
  process.stdout.write(`${table(rows)}\n`);
  return rows;
}

async function onlyLooks(): Promise<void> {
  const section = looksSection({ rows: await benchLooks(SIZES), machine: machine(), rounds: ROUNDS });
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, `${section.trimEnd()}\n\n${page.slice(page.search(/^## /m))}`);
  process.stdout.write(`wrote its part of ${PAGE}\n`);
}

async function onlyDaemon(sizes: readonly number[]): Promise<void> {
  const daemon = await benchDaemon(sizes.length > 0 ? sizes : DAEMON_SIZES, DAEMON_EVENTS, (text) =>
    process.stderr.write(`${text}\n`),
  );
  process.stdout.write(`${daemonLines(daemon)}\n`);
  if (sizes.length === 0) replaceSection(daemonSection(daemon));
}

async function onlyDoctor(): Promise<void> {
  const doctor = await benchDoctor(DOCTOR_SIZES, ROUNDS, (text) => process.stderr.write(`${text}\n`));
  process.stdout.write(`${doctorLines(doctor)}\n`);
  replaceSection(doctorSection(doctor));
}

async function onlyGate(): Promise<void> {
  const hook = await benchHook(HOOK_ROUNDS);
  process.stdout.write(`${hookLine(hook)}\n`);
  const gate = await benchGate(GATE_ROUNDS, HUNG_ROUNDS);
  process.stdout.write(`${gateLines(gate)}\n`);
  replaceSection(hookSection(hook));
  replaceSection(gateSection(gate));
}

const PAGE = 'docs/BENCHMARKS.md';

/** Puts a part of the page in the place of its earlier figures, or before the last part. */
function replaceSection(section: string): void {
  const parts = readFileSync(PAGE, 'utf8').split(/^(?=## )/m);
  const [title = ''] = section.split('\n', 1);
  const isThere = parts.some((part) => part.startsWith(`${title}\n`));
  const kept = isThere ? parts : [...parts.slice(0, -1), `${title}\n`, ...parts.slice(-1)];
  const text = kept.map((part) => (part.startsWith(`${title}\n`) ? `${section}\n\n` : part)).join('');
  writeFileSync(PAGE, text);
  process.stdout.write(`wrote its part of ${PAGE}\n`);
}

async function measure(size: number, crowd: Crowd): Promise<Row> {
  const forks = { count: 0 };
  const parts = countingParts(crowd, forks);
  let memory: Recollection | null = null;
  const look = async () => {
    memory = (await tick(parts, memory, {})).recollection;
  };
  // A watching process has looked many times before: both sides are measured once the compiler is done with them.
  for (let turn = 0; turn < WARM_UP; turn += 1) {
    await look();
    await floor(crowd.socketPath);
  }
  const before = forks.count;
  await look();
  const forksPerTick = forks.count - before;
  const inProcess = await inTurns(ROUNDS, { floor: () => floor(crowd.socketPath), tick: look });
  const daemon = await startDaemon(crowd, []);
  const command = (...argv: string[]) =>
    spawnSync(process.execPath, ['dist/rollcall.cjs', ...argv], { env: crowd.env, maxBuffer: 2 ** 28 });
  for (let turn = 0; turn < WARM_UP; turn += 1) command('--json');
  const asProcess = await inTurns(2 * ROUNDS, {
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

function machine(): string {
  return `${cpus().length} cores, Node ${process.version}, ${tmuxVersion()}`;
}

function tmuxVersion(): string {
  return spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim();
}
