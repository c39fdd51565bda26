import { type PlannedReap, type ReapPass, toReapDocument } from '../../contract/reap-documents.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import { PRESSING, type Tier } from '../../core/pressure/tier.ts';
import { NO_MEMORY } from '../../core/reaper/memory.ts';
import type { ReaperPolicy } from '../../core/reaper/policy.ts';
import type { ReapEvent } from '../../core/reaper/standing.ts';
import { survey } from '../../core/reaper/survey.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';
import { memoryHolders } from '../../engine/pressure.ts';
import { createModeWatch } from '../../engine/reaper/effective-mode.ts';
import { Failure } from '../../operations/failure.ts';
import { requireTmux } from '../../operations/look-for.ts';
import { defineCommand } from '../frame/command.ts';
import { choice, toggle } from '../frame/flags.ts';
import { onInterrupt } from '../frame/interrupt.ts';
import { isColor } from '../frame/is-color.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { printLines } from '../render/line.ts';
import { show, showText } from '../render/show.ts';
import { serverWords, takeRoll } from '../roll/take-roll.ts';
import type { ReapDesk } from './desk.ts';
import { passOnce } from './pass.ts';
import { reapEventLine, reapPlanLines } from './render-pass.ts';

/** A closer look costs time; what would go after these is told by what the first look saw. */
const MOST_EXAMINED = 20;

/** The sessions that deserve a closer look, the first to go first. */
export function worthExamining(
  sessions: readonly SessionEntry[],
  now: Moment,
  policy: ReaperPolicy,
): SessionEntry[] {
  const { candidates } = survey(sessions, { tier: 'critical', now, policy }, NO_MEMORY);
  return candidates.slice(0, MOST_EXAMINED).map(({ entry }) => entry);
}

/** What the reaper thinks of every session at this tier, as if it had watched them for long enough. */
export function planReaps(
  sessions: readonly SessionEntry[],
  examined: ReadonlySet<string>,
  view: { readonly tier: Tier; readonly now: Moment; readonly policy: ReaperPolicy },
): PlannedReap[] {
  const { all, candidates } = survey(sessions, view, NO_MEMORY, examined);
  const places = new Map(candidates.map(({ entry }, index) => [entry.key, index + 1]));
  const planned = all.map(({ entry: { key, name, memoryBytes }, judgement: { relief, guard } }) => ({
    ...{ key, name, memoryBytes, relief, guard, place: places.get(key) ?? null },
  }));
  return planned.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || byMemory(a, b));
}

function byMemory(a: PlannedReap, b: PlannedReap): number {
  return (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0);
}

export const reapNowCommand = defineCommand({
  name: 'reap now',
  summary: 'Give memory back now: close one session as the daemon would, or say which.',
  usage: ['rollcall reap now [flags]', 'rollcall reap now --dry-run [--tier TIER] [flags]'],
  description: [
    'Decides and closes once, in this process, by the rules of the daemon: only under memory pressure, only in mode enforce, only within the hour’s budget, at most one session. It watches for reaper.confirm and gives the chosen one reaper.grace, so that it takes minutes; Ctrl-C ends it, and nothing is closed then unless a close is under way.',
    '--dry-run looks once, thoroughly at those that could go, and says for every session what it would go as, or the first guard that keeps it, and in which order. Nothing is touched or recorded.',
  ],
  flags: {
    'dry-run': toggle('Say what would go, and do nothing.'),
    tier: choice('TIER', PRESSING, 'With --dry-run: as if memory pressure were so.'),
  },
  examples: {
    'rollcall reap now --dry-run': 'what would go, at the pressure there is',
    'rollcall reap now --dry-run --tier critical': 'what could go at worst',
    "rollcall reap now --dry-run --json | jq '.sessions[] | {name, relief, guard}'": 'for programs',
  },
  exits: {
    done: 'one was closed, nothing may go, or memory is not short',
    failed: 'a close failed; the reaper is in shadow now',
    usage: '--tier without --dry-run, or a broken config file',
    refused: 'the mode is not enforce, or the session was kept at the last moment',
  },
  run: async ({ flags, surroundings }) => {
    if (flags.tier !== undefined && !flags['dry-run']) {
      throw new Failure('usage', '--tier needs --dry-run', {
        hint: 'nothing is closed on a pressure that is not there',
      });
    }
    const desk = await surroundings.reapDesk();
    const servers = serverWords(flags.server, surroundings);
    const isPainted = isColor(flags, surroundings);
    if (flags['dry-run']) {
      const pass = await planned(surroundings, desk, servers, flags.tier);
      return show({ flags, surroundings }, toReapDocument(pass), (width) => reapPlanLines(pass, width));
    }
    requireEnforce(desk);
    const tell = (event: ReapEvent) => {
      if (!flags.json && event.kind !== 'vetoed') {
        surroundings.stderr.write(printLines([reapEventLine(event)], isPainted));
      }
    };
    const pass = await passed(surroundings, desk, servers, tell);
    showText({ flags, surroundings }, toReapDocument(pass), `${summary(pass)}\n`);
    return exitOf(pass);
  },
});

function requireEnforce({ modes }: ReapDesk): void {
  const { mode, breaker } = createModeWatch(modes).read();
  if (mode === 'enforce') return;
  const why = breaker === null ? '' : ` since a close failed (${breaker.text})`;
  throw new Failure('refused', `the reaper is in mode ${mode}${why}: nothing is closed`, {
    hint: 'rollcall reap now --dry-run shows what would go; rollcall reap mode enforce lets it',
  });
}

async function planned(
  surroundings: Surroundings,
  desk: ReapDesk,
  servers: readonly string[],
  assumed: ReapPass['tier'] | undefined,
): Promise<ReapPass> {
  const policy = surroundings.settings.reaper;
  const examined = new Set<string>();
  const roll = await takeRoll({ ...surroundings, look: desk.look }, servers, (sessions) => {
    const chosen = worthExamining(sessions, desk.now(), policy);
    for (const { key } of chosen) examined.add(key);
    return chosen;
  });
  requireTmux(roll);
  const tier = assumed ?? (await pressureOf(surroundings, roll)).tier;
  const { mode, breaker } = createModeWatch(desk.modes).read();
  return {
    ...{ at: roll.at, isDryRun: true, mode, tier, isAssumed: assumed !== undefined, breaker },
    ...{ budget: desk.budgets.read(), confirmMs: policy.confirmMs, graceMs: policy.graceMs, events: [] },
    sessions: planReaps(roll.sessions, examined, { tier, now: desk.now(), policy }),
  };
}

async function pressureOf(surroundings: Surroundings, roll: Roll) {
  const look = await surroundings.pressure();
  return look(memoryHolders(roll)).pressure;
}

async function passed(
  surroundings: Surroundings,
  desk: ReapDesk,
  servers: readonly string[],
  onEvent: (event: ReapEvent) => void,
): Promise<ReapPass> {
  const { confirmMs, graceMs } = surroundings.settings.reaper;
  const { signal, release } = onInterrupt(surroundings);
  try {
    const { standing, events } = await passOnce(desk, surroundings.argv, {
      async look() {
        const roll = await takeRoll({ ...surroundings, look: desk.look }, servers);
        requireTmux(roll);
        return { roll, pressure: await pressureOf(surroundings, roll) };
      },
      onEvent,
      signal,
    });
    const sessions = standing.sessions.map((one) => ({ ...one, place: null }));
    const pass = { at: surroundings.now(), isDryRun: false, isAssumed: false, confirmMs, graceMs };
    return { ...standing, ...pass, events, sessions };
  } finally {
    release();
  }
}

function summary({ tier, events }: ReapPass): string {
  if (events.some(({ kind }) => kind === 'closed'))
    return 'one session was closed; rollcall reopen puts it back';
  if (tier === 'normal') return 'memory is not short: nothing is closed';
  return 'nothing was closed; rollcall reap now --dry-run tells why';
}

function exitOf({ events }: ReapPass): number {
  const kinds = new Set(events.map(({ kind }) => kind));
  if (kinds.has('failed')) return EXIT_CODES.failed.code;
  return kinds.has('skipped') && !kinds.has('closed') ? EXIT_CODES.refused.code : 0;
}
