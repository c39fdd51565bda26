import { SIGNALS } from '../../core/pressure/reading.ts';
import { TIERS } from '../../core/pressure/tier.ts';
import { REAP_MODES } from '../../core/reaper/standing.ts';
import type { Change, Round } from '../../core/supervision/round.ts';
import { visible } from '../../core/text/visible.ts';
import { ACTIVITIES, LIFECYCLES } from '../../core/verdict/verdict.ts';
import { counter, type Family, gauge, histogram, type Sample } from './registry.ts';

/** What is counted over all rounds, and shown of the last one. */
export interface RoundMetrics {
  observe(round: Round): void;
  /** Over all rounds. */
  readonly missedHints: number;
  readonly families: readonly Family[];
}

/** Seconds; a round of ten sessions takes tens of milliseconds, one of a thousand with hung servers tens of seconds. */
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createRoundMetrics(last: () => Round | null): RoundMetrics {
  const wall = histogram('rollcall_round_seconds', 'How long a round took.', BOUNDS);
  const cpu = counter('rollcall_round_cpu_seconds_total', 'Processor time of all rounds.');
  const rounds = counter('rollcall_rounds_total', 'Rounds, by what woke them.');
  const missed = counter(
    'rollcall_missed_hints_total',
    'Changes that a relist found and no hint had announced.',
  );
  const transitions = counter('rollcall_transitions_total', 'Changes of a session’s verdict.');
  const reaps = counter('rollcall_reaper_events_total', 'What the reaper decided and did, by its reason.');
  const settled = counter(
    'rollcall_settle_events_total',
    'What became of sessions that were due, by the reason.',
  );
  const tiers = counter('rollcall_pressure_changes_total', 'Changes of the pressure’s tier.');
  const problems = counter('rollcall_problems_total', 'Problems that began.');
  // So that a rate can be told from the first one on.
  missed.add({}, 0);
  let missedHints = 0;
  cpu.add({}, 0);
  // Before the first round there is nothing to show.
  const ofRound = (name: string, help: string, shown: (round: Round) => number | Sample[]) =>
    gauge(name, help, () => {
      const round = last();
      return round === null ? [] : shown(round);
    });

  const count = (change: Change) => {
    switch (change.kind) {
      case 'session':
        return transitions.add({
          from: change.from?.lifecycle ?? 'none',
          to: change.to?.lifecycle ?? 'none',
        });
      case 'pressure':
        return tiers.add({ from: change.from, to: change.to });
      case 'reaper':
        return reaps.add({ kind: change.event.kind, mode: change.event.mode, code: word(change.event.code) });
      case 'settle':
        return settled.add({ kind: change.event.kind, code: word(change.event.code) });
      case 'problem':
        if (!change.isOver) problems.add({ code: word(change.problem.code) });
    }
  };

  return {
    get missedHints() {
      return missedHints;
    },
    observe(round) {
      wall.observe(round.cost.wallMs / 1000);
      cpu.add({}, round.cost.cpuMs / 1000);
      for (const wake of round.wokenBy) rounds.add({ wake });
      missed.add({}, round.missedHints);
      missedHints += round.missedHints;
      for (const change of round.changes) count(change);
    },
    families: [
      ofRound('rollcall_sessions', 'Sessions on the roll.', sessionsOf),
      ofRound('rollcall_sessions_memory_bytes', 'Memory of all sessions whose memory is known.', ({ roll }) =>
        roll.sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0),
      ),
      transitions,
      ofRound(
        'rollcall_problems',
        'What keeps rollcall from seeing everything.',
        ({ roll }) => roll.problems.length,
      ),
      problems,
      ofRound('rollcall_pressure_tier', 'One for the tier that holds.', ({ pressure }) =>
        oneOf('tier', TIERS, pressure.tier),
      ),
      ofRound('rollcall_pressure_signal', 'Signals of the machine, each in its unit.', signalsOf),
      tiers,
      ofRound('rollcall_reaper_mode', 'One for the mode that holds.', ({ reaper }) =>
        oneOf('mode', REAP_MODES, reaper.mode),
      ),
      ofRound('rollcall_reaper_breaker', 'Whether the breaker holds the reaper down.', ({ reaper }) =>
        reaper.breaker === null ? 0 : 1,
      ),
      ofRound('rollcall_reaper_budget_used', 'Closes of the last hour.', ({ reaper }) => reaper.budget.used),
      ofRound(
        'rollcall_reaper_kept',
        'Sessions that the reaper keeps, by the guard that keeps them.',
        guardsOf,
      ),
      reaps,
      settled,
      ...[wall, cpu, rounds, missed],
      ofRound('rollcall_round_timestamp_seconds', 'When the last round was.', ({ now }) => now.at / 1000),
    ],
  };
}

function oneOf(label: string, values: readonly string[], held: string): Sample[] {
  return values.map((value) => ({ labels: { [label]: value }, value: value === held ? 1 : 0 }));
}

// Only pairs that occur: a zero for each of the others would be 56 lines of nothing.
function sessionsOf({ roll }: Round): Sample[] {
  const counts = new Map<string, number>();
  for (const { activity, lifecycle } of roll.sessions) {
    const key = `${activity} ${lifecycle}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return ACTIVITIES.flatMap((activity) =>
    LIFECYCLES.flatMap((lifecycle) => {
      const value = counts.get(`${activity} ${lifecycle}`);
      return value === undefined ? [] : [{ labels: { activity, lifecycle }, value }];
    }),
  );
}

/** Of each signal the host's, or the worst of the cgroups together: a path of a cgroup is no label. */
function signalsOf({ pressure }: Round): Sample[] {
  return SIGNALS.flatMap((signal) => {
    const read = pressure.signals.flatMap(({ reading }) =>
      reading.signal === signal && reading.state === 'read' ? [reading] : [],
    );
    const host = read.filter(({ scope }) => scope === 'host').map(({ value }) => value);
    const groups = read.filter(({ scope }) => scope !== 'host').map(({ value }) => value);
    const worst = signal === 'available' || signal === 'swap' ? Math.min : Math.max;
    return [
      ...(host.length === 0 ? [] : [{ labels: { signal, scope: 'host' }, value: worst(...host) }]),
      ...(groups.length === 0 ? [] : [{ labels: { signal, scope: 'cgroup' }, value: worst(...groups) }]),
    ];
  });
}

function guardsOf({ reaper }: Round): Sample[] {
  const counts = new Map<string, number>();
  for (const { guard } of reaper.sessions) {
    if (guard !== null) counts.set(word(guard.code), (counts.get(word(guard.code)) ?? 0) + 1);
  }
  return [...counts].slice(0, 50).map(([code, value]) => ({ labels: { code }, value }));
}

function word(code: string): string {
  return visible(code, 60);
}
