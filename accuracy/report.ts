import { RIVAL, versionOf } from './install.ts';
import type { LaneOutcome } from './lane.ts';
import type { Tally } from './tally.ts';
import { idleness, rivalTally, tally } from './tally.ts';

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

/** The page in docs/. */
export function markdown(outcomes: readonly LaneOutcome[], machine: string): string {
  return `# Accuracy

Written by \`npm run test:agents\`: real agent programs, driven through their states in a private tmux server without
network, against a scripted model on loopback. Machine of this run: ${machine}.

The truth comes from what the driver and the model did (request received, answer finished, key sent), not from the
screen; only what precedes the first request (the fresh prompt, trust, the review of hooks) begins when the driver sees
it there. rollcall looks about three times a second. A sample within a second after a change is *settling*: it is left out
of right, unknown and wrong, and shows in the latency, which is the time from the change to the first right verdict.
Closing is made reachable (rest 3 s, confirmed over 2 s), so that a busy session could really be called closable.

## What matters most

${headline(outcomes)}

${dangers(outcomes)}

## Against ${RIVAL}

Its published detectors, fed with the same screens at the same moments; they read nothing but the screen. Only samples
of live agents; waiting counts as right whatever it waits for, and its count of background tasks as working.

${comparison(outcomes)}

## By agent and state

${lanesOf(outcomes).map(laneTable).join('\n\n')}

${unreached(outcomes)}
`;
}

/** The short word on the terminal. */
export function summary(outcomes: readonly LaneOutcome[]): string {
  const all = tally(outcomes.flatMap(({ judged }) => judged));
  const { held, missed } = idleness(outcomes);
  const rest = `idle never recognised: ${missed} of ${held}`;
  return `${all.samples} samples: ${all.right} right, ${all.unknown} unknown, ${all.wrong} wrong; busy called idle or closable: ${all.dangers} (and ${all.settlingDangers} while settling); ${rest}`;
}

function headline(outcomes: readonly LaneOutcome[]): string {
  const row = (name: string, some: readonly LaneOutcome[]) => {
    const all = tally(some.flatMap(({ judged }) => judged));
    const { held, missed } = idleness(some);
    const rest = `${missed} of ${held}`;
    return [name, all.samples, all.right, all.unknown, all.wrong, all.dangers, all.settlingDangers, rest];
  };
  const kinds = [...new Set(outcomes.map(({ lane }) => lane.specimen.kind))];
  const rows = kinds.flatMap((kind) =>
    [false, true].flatMap((hasHooks) => {
      const some = outcomes.filter(({ lane }) => lane.specimen.kind === kind && lane.hasHooks === hasHooks);
      const name = `${kind} ${versionOf(kind)}, ${hasHooks ? 'with' : 'without'} hooks`;
      return some.length > 0 ? [row(name, some)] : [];
    }),
  );
  const head = [
    'agent',
    'samples',
    'right',
    'unknown',
    'wrong',
    'busy called idle or closable',
    'the same while settling',
  ];
  return table([...head, 'idle never recognised'], [...rows, row('**all**', outcomes)]);
}

function dangers(outcomes: readonly LaneOutcome[]): string {
  const found = outcomes.flatMap(({ judged }) => judged.filter((one) => one.isDangerous && !one.isSettling));
  if (found.length === 0) return 'No busy session was called idle or closable.';
  const rows = found
    .slice(0, 100)
    .map(({ sample, mark }) => [
      sample.lane,
      mark.truth.state,
      `+${((sample.startedAt - mark.at) / 1000).toFixed(1)} s`,
      `${sample.said?.activity}, ${sample.said?.lifecycle}`,
      sample.reasons.map(({ code, text }) => `${code}: ${escaped(text)}`).join('; '),
    ]);
  const more = found.length > rows.length ? `\n\n… and ${found.length - rows.length} more.` : '';
  return `Every sample in which a busy session was called idle or closable:\n\n${table(['lane', 'truth', 'after', 'verdict', 'reasons'], rows)}${more}`;
}

function comparison(outcomes: readonly LaneOutcome[]): string {
  const kinds = [...new Set(outcomes.map(({ lane }) => lane.specimen.kind))];
  const rows = kinds.flatMap((kind) => {
    const judged = outcomes.flatMap((outcome) =>
      outcome.lane.specimen.kind === kind
        ? outcome.judged.filter(({ rivalScore }) => rivalScore !== null)
        : [],
    );
    const own = tally(judged);
    const other = rivalTally(judged);
    return [
      [kind, 'rollcall', own.samples, own.right, own.unknown, own.wrong, own.dangers],
      [kind, RIVAL, other.samples, other.right, other.unknown, other.wrong, other.dangers],
    ];
  });
  return table(['agent', 'by', 'samples', 'right', 'unknown', 'wrong', 'busy called idle'], rows);
}

function lanesOf(outcomes: readonly LaneOutcome[]): LaneOutcome[][] {
  const plain = (outcome: LaneOutcome) => outcome.lane.name.replace('+hooks', '');
  const names = [...new Set(outcomes.map(plain))];
  return names.map((name) => outcomes.filter((outcome) => plain(outcome) === name));
}

const HEAD = ['samples', 'right', 'unknown', 'wrong', 'closable', 'latency p50 / p95'];

function laneTable(pair: readonly LaneOutcome[]): string {
  const [first] = pair;
  if (!first) return '';
  const { specimen, columns, variant } = first.lane;
  const traits = [
    `${columns} columns`,
    ...(variant.hasAnimations === false ? ['animations off'] : []),
    ...(variant.isDaemon ? ['shared daemon'] : []),
    ...(variant.port === undefined ? [] : ['with a port']),
  ];
  const states = [
    ...new Set(pair.flatMap(({ judged }) => judged.map(({ mark }) => mark.truth.state))),
  ].sort();
  const rows = states.flatMap((state) =>
    pair.flatMap((outcome) => {
      const some = outcome.judged.filter(({ mark }) => mark.truth.state === state);
      const hooks = outcome.lane.hasHooks ? 'with' : 'without';
      const result = tally(some);
      return result.samples > 0 ? [[state, hooks, ...stateCells(result)]] : [];
    }),
  );
  return `### ${specimen.kind} (${traits.join(', ')})\n\n${table(['state', 'hooks', ...HEAD], rows)}`;
}

function stateCells(result: Tally): string[] {
  const ms = (value: number | null) => (value === null ? '–' : `${(value / 1000).toFixed(1)} s`);
  const never = result.missed > 0 ? `, never ${result.missed} of ${result.entered}` : '';
  return [
    `${result.samples}`,
    `${result.right}`,
    `${result.unknown}`,
    `${result.wrong}`,
    `${result.closable}`,
    `${ms(result.latencyP50)} / ${ms(result.latencyP95)}${never}`,
  ];
}

function unreached(outcomes: readonly LaneOutcome[]): string {
  const rows = outcomes.flatMap(({ lane, notReached }) =>
    notReached.map(({ state, why }) => [lane.name, state, escaped(why)]),
  );
  if (rows.length === 0) return 'Every state was reached.';
  return `## Not reached\n\n${table(['lane', 'state', 'why'], rows)}`;
}

function escaped(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/\s+/g, ' ').slice(0, 300);
}
