import { matchesGlob } from '../../config/glob.ts';
import { loadConfig } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import { toBacktestDocument } from '../../contract/history-documents.ts';
import { Backtest } from '../../core/backtest/backtest.ts';
import { Foresight } from '../../core/backtest/foresight.ts';
import type { HistoryRecord } from '../../core/history/record.ts';
import { PRESSING } from '../../core/pressure/tier.ts';
import { brokenConfig } from '../../operations/config-failure.ts';
import { Failure } from '../../operations/failure.ts';
import { eachRecord, openHistory } from '../../operations/read-history.ts';
import { defineCommand } from '../frame/command.ts';
import { choice, word } from '../frame/flags.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { readSince } from '../log/since.ts';
import { show } from '../render/show.ts';
import { historyProgress } from './history-progress.ts';
import { BACKTEST_WORDS, backtestLines } from './render-backtest.ts';

const A_WEEK = '7d';

export const backtestCommand = defineCommand({
  name: 'backtest',
  summary: 'Replay what was recorded through another policy: what would have been closed?',
  usage: ['rollcall backtest [flags]'],
  description: [
    'Replays the evidence that the daemon recorded through a policy, with the very rules that the reaper uses, and shows what would have been closed, when and why, how much memory that would have given back, and what really happened to each session later: was it used again? So that switching the reaper to enforce rests on proof.',
    'FILE is a config file, for example { "reaper": { "idleAfter": "2h" } }. What it says replaces the settings in force, and the rest stays. Without one, the settings in force are tried on the past. Pressure is taken as it was, unless --tier assumes one for all the time; memory that a close would have given back is not put back into it, so more is named than would have gone.',
    'Unseen time proves nothing: while no daemon looked, nothing rests, nothing is confirmed and nothing is closed. Nothing is changed by this.',
  ],
  flags: {
    policy: word('FILE', 'A config file with the settings to try.', { isFile: true }),
    since: word('TIME', 'Only since then: 2h, 7d, 2026-03-01, 2026-03-01T14:30.', { default: A_WEEK }),
    tier: choice('TIER', PRESSING, 'Assume this memory pressure all the time, instead of what it was.'),
  },
  examples: {
    'rollcall backtest': 'the settings in force, over the last seven days',
    'rollcall backtest --tier=critical': 'as if memory had been short all the time',
    'rollcall backtest --policy=careful.json --since=3d': 'other settings, from a file',
    "rollcall backtest --json | jq -r '.summary.text'": 'for programs',
  },
  exits: {
    done: 'the replay was printed, whatever it shows',
    failed: 'the history could not be read',
    usage: 'an unknown flag or value, or a broken config or policy file',
    'not-found': 'nothing was recorded in that time',
  },
  run: async ({ flags, surroundings }) => {
    const since = readSince(flags.since ?? A_WEEK, surroundings.now());
    const asked = { since, policy: flags.policy ?? null, tier: flags.tier ?? null };
    const settings = settingsWith(surroundings, flags.config, flags.policy);
    const { result, skipped } = await replayed(surroundings, settings, asked);
    if (result.from === null) {
      throw new Failure('not-found', 'nothing was recorded in that time, so there is nothing to replay', {
        hint: 'the daemon records while it runs: start it with rollcall up, and try again after a day',
      });
    }
    const document = toBacktestDocument(result, asked, skipped, BACKTEST_WORDS);
    return show({ flags, surroundings }, document, (width) =>
      backtestLines(result, { ...asked, ...skipped }, width),
    );
  },
});

async function replayed(
  surroundings: Surroundings,
  settings: Settings,
  { since, tier }: { since: number; tier: (typeof PRESSING)[number] | null },
) {
  const { stderr } = surroundings;
  const history = await openHistory(surroundings);
  const foresight = new Foresight();
  const see = (record: HistoryRecord) => {
    if (record.kind === 'seen') foresight.take(record);
  };
  await eachRecord(history, since, see, historyProgress(stderr, 'reading the history'));
  const { policy, reaper, protect } = settings;
  const protectedBy = (name: string) => protect.find((pattern) => matchesGlob(pattern, name));
  const backtest = new Backtest({ policy, reaper, protectedBy, tier, since }, foresight);
  const replay = (record: HistoryRecord) => backtest.take(record);
  const skipped = await eachRecord(history, since, replay, historyProgress(stderr, 'replaying'));
  return { result: backtest.finish(), skipped };
}

function settingsWith(
  { settings, env, cwd }: Pick<Surroundings, 'settings' | 'env' | 'cwd'>,
  path: string | undefined,
  policy: string | undefined,
): Settings {
  if (policy === undefined) return settings;
  const loading = loadConfig({ path, policy, env, cwd });
  if (loading.state === 'broken') throw brokenConfig(loading.errors);
  return loading.config.settings;
}
