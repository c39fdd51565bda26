import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lane, Venue } from './cast.ts';
import { playGates } from './gate.ts';
import { gatedPage } from './gate-report.ts';
import { cacheFolder } from './install.ts';
import type { LaneOutcome } from './lane.ts';
import { playLane } from './lane.ts';
import { lanesFor, SPECIMENS } from './lanes.ts';
import type { Leaving } from './leftover-room.ts';
import { playLeftovers } from './leftovers.ts';
import { leftoversPage } from './leftovers-report.ts';
import type { Life } from './life.ts';
import { playLife } from './life.ts';
import { lifePage } from './life-report.ts';
import { endMarkedProcesses } from './marked-processes.ts';
import { startModelServer } from './model/model-server.ts';
import { createRequestLog } from './model/request-log.ts';
import type { Options } from './options.ts';
import { markdown, summary } from './report.ts';
import type { Results, Say } from './results.ts';
import { openResults } from './results.ts';
import { loadRival } from './rival.ts';
import { tally } from './tally.ts';

const LANES_AT_ONCE = 2;
const HOLD_MS = 7000;

/** Plays every lane, writes the report and gives the exit code. Runs inside the loopback-only namespace. */
export async function run(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agents-'));
  const nonce = randomBytes(12).toString('hex');
  const undo: (() => void)[] = [];
  const say: Say = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  let isEnding = false;
  const cleanUp = async () => {
    if (isEnding) return;
    isEnding = true;
    for (const one of undo.reverse()) one();
    await endMarkedProcesses(nonce);
    if (options.isKept) say(`kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void cleanUp().finally(() => process.exit(130)));
  }
  try {
    const log = createRequestLog();
    const model = await startModelServer(log);
    undo.push(() => model.stop());
    const cache = cacheFolder(process.env);
    const rivalFor = await loadRival(cache);
    const ground = { folder, cache, modelUrl: model.url, nonce };
    const venue: Venue = { ground, log, rivalFor, holdMs: HOLD_MS, say, onEnd: (one) => void undo.push(one) };
    if (options.isLife) return await liveAll(options, venue);
    if (options.isDoctor) return await leaveAll(options, venue);
    if (options.isGate) return await gateAll(options, venue);
    const lanes = lanesFor(options);
    say(`${lanes.length} lanes: ${lanes.map(({ name }) => name).join(', ')}`);
    const results = openResults(say);
    const outcomes = await playAll(lanes, venue, results);
    return report(outcomes, results, options.isWhole, say);
  } finally {
    await cleanUp();
  }
}

// One after the other: what a life shows is order, not load.
async function liveAll({ agents, scenes, isWhole }: Options, venue: Venue): Promise<number> {
  const lives: Life[] = [];
  for (const kind of agents) lives.push(await playLife(SPECIMENS[kind], venue, scenes));
  const page = lifePage(lives, machine());
  if (isWhole) writeFileSync('docs/LIVES.md', page);
  process.stdout.write(page);
  const isRight = lives.every(({ stories }) => stories.every(({ failure }) => failure === null));
  return isRight && lives.every(({ stories }) => stories.length > 0) ? 0 : 1;
}

// One after the other as well: what one leaves must not be taken for another's.
async function leaveAll({ agents, isWhole }: Options, venue: Venue): Promise<number> {
  const all: Leaving[] = [];
  for (const kind of agents) all.push(...(await playLeftovers(SPECIMENS[kind], venue)));
  const page = leftoversPage(all, machine());
  if (isWhole) writeFileSync('docs/LEFTOVERS.md', page);
  process.stdout.write(page);
  return all.every(({ failure }) => failure === null) ? 0 : 1;
}

async function gateAll({ agents, scenes, isWhole }: Options, venue: Venue): Promise<number> {
  const specimens = agents.map((kind) => SPECIMENS[kind]);
  const all = await playGates(specimens, venue, scenes);
  const page = gatedPage(all, machine());
  if (isWhole) writeFileSync('docs/GATED.md', page);
  process.stdout.write(page);
  const isRight = all.every(({ scenes: played }) => played.every(({ failure }) => failure === null));
  return isRight && all.every(({ scenes: played }) => played.length > 0) ? 0 : 1;
}

async function playAll(lanes: readonly Lane[], venue: Venue, results: Results): Promise<LaneOutcome[]> {
  const waiting = [...lanes];
  const outcomes: LaneOutcome[] = [];
  const worker = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift()) {
      const outcome = await playLane(lane, venue).catch((error): LaneOutcome => {
        const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
        venue.say(`${lane.name}: ${why}`);
        return {
          lane,
          judged: [],
          marks: [],
          notReached: [{ state: 'all', why: String(error), screens: [] }],
        };
      });
      outcomes.push(outcome);
      results.add(outcome);
      venue.say(`${lane.name} done: ${summary([outcome])}`);
    }
  };
  await Promise.all(Array.from({ length: LANES_AT_ONCE }, worker));
  return outcomes.sort((a, b) => lanes.indexOf(a.lane) - lanes.indexOf(b.lane));
}

function report(outcomes: readonly LaneOutcome[], results: Results, isWhole: boolean, say: Say): number {
  const page = markdown(outcomes, machine());
  const path = isWhole ? 'docs/ACCURACY.md' : join(results.folder, 'ACCURACY.md');
  writeFileSync(path, page);
  say(`report: ${path}`);
  process.stdout.write(`${summary(outcomes)}\n`);
  // A lane in which nothing could be seen proves nothing.
  const isBlind = outcomes.some(({ judged }) => judged.length === 0);
  return isBlind || tally(outcomes.flatMap(({ judged }) => judged)).dangers > 0 ? 1 : 0;
}

function machine(): string {
  const [load = 0] = loadavg();
  return `${cpus().length} cores (load average ${load.toFixed(1)} at the end), Node ${process.version}`;
}
