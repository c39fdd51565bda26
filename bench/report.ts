import type { DaemonBench, DaemonRow } from './daemon.ts';
import type { DoctorBench } from './doctor.ts';
import type { GateBench } from './gate.ts';
import type { GuardBench } from './guard.ts';
import type { HookCost } from './hook.ts';
import type { Figures } from './measure.ts';

/** What was measured on one number of sessions; times are medians in ms. */
export interface Row {
  readonly size: number;
  readonly floor: number;
  readonly tick: number;
  readonly node: number;
  /** `rollcall version`. */
  readonly version: number;
  readonly json: number;
  /** The same while a daemon runs. */
  readonly carried: number;
  readonly forksPerTick: number;
  readonly forking: number;
  readonly forkingForks: number;
}

/** What one look costs on each of these numbers of sessions, in this process and as a command. */
export interface LooksBench {
  readonly rows: readonly Row[];
  readonly rounds: number;
}

const HEAD = [
  'sessions',
  'floor ms',
  'tick ms',
  'tick ÷ floor',
  'forks',
  'node -e 0 ms',
  'version ÷ node',
  '--json ms',
  '--json ÷ (node + floor)',
  'with a daemon ms',
  '÷ (node + tick)',
  'fork per session ms',
  'its forks',
  'times tick',
];

function cells(row: Row): string[] {
  const ms = (value: number) => value.toFixed(1);
  const ratio = (value: number) => value.toFixed(2);
  return [
    `${row.size}`,
    ms(row.floor),
    ms(row.tick),
    ratio(row.tick / row.floor),
    `${row.forksPerTick}`,
    ms(row.node),
    ratio(row.version / row.node),
    ms(row.json),
    ratio(row.json / (row.node + row.floor)),
    ms(row.carried),
    ratio(row.carried / (row.node + row.tick)),
    `${Math.round(row.forking)}`,
    `${row.forkingForks}`,
    `${Math.round(row.forking / row.tick)}×`,
  ];
}

/** The table for a terminal. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
    .join('\n');
}

/** What a hook costs, in a sentence. */
export function hookLine({ floorMs, hookMs, stopMs }: HookCost): string {
  const times = (ms: number) => `${(ms / floorMs).toFixed(2)} times`;
  return [
    `A hook takes ${hookMs.toFixed(1)} ms at the median, ${times(hookMs)} \`sh -c 'cat >/dev/null'\` (${floorMs.toFixed(1)} ms); it starts no Node.`,
    `The end of a turn in a session that owns nothing, while three others own work: ${stopMs.toFixed(1)} ms, ${times(stopMs)}; no Node either.`,
  ].join('\n');
}

/** The hooks' part of the page. */
export function hookSection(hook: HookCost): string {
  return `## Hooks

${hookLine(hook)}
All three were started in turns with a payload of 2 kB.`;
}

/** How soon a death is told, line by line. */
export function guardLines({ rows, idleCpuPercent }: GuardBench): string {
  const head = '| what died | `rollcall guard` median ms | 95 % | five polls median ms | 95 % |';
  const lines = rows.map(({ kind, guardMs, pollingMs }) => {
    const figures = [guardMs.median, guardMs.p95, pollingMs.median, pollingMs.p95];
    return `| ${kind} | ${figures.map((ms) => ms.toFixed(0)).join(' | ')} |`;
  });
  const idle = `While nothing happens, a guard of ten panes uses ${idleCpuPercent.toFixed(1)} % of one core.`;
  return [head, '| --- | ---: | ---: | ---: | ---: |', ...lines, '', idle].join('\n');
}

/** What the daemon takes, and how soon it tells. */
export function daemonLines({ rows, latencies }: DaemonBench): string {
  const head =
    '| sessions | of | who looks | CPU of one core | of the tmux server | rounds a second | RSS | load |';
  const percent = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} %`;
  const lines = rows.flatMap((row) => {
    const { size, kind, load, cpuPercent, serverCpuPercent, rssMib, peakMib, pollers } = row;
    const begin = `| ${size} | ${CROWDS[kind]} |`;
    return [
      `${begin} \`rollcall up\` | ${percent(cpuPercent)} | ${percent(serverCpuPercent)} | by need | ${rssMib.toFixed(0)} MiB (peak ${peakMib.toFixed(0)}) | ${load?.toFixed(1) ?? ''} |`,
      ...pollers.map(
        (one) =>
          `${begin} every pane, ${one.perSecond} × a second | ${percent(one.cpuPercent)} | ${percent(one.serverCpuPercent)} | ${one.managed.toFixed(1)} | | |`,
      ),
    ];
  });
  const told = latencies.flatMap(({ size, hook, death }) => [
    ...(hook === null ? [] : [timesLine('a hook told of a new state', size, hook)]),
    timesLine('a pane died, without hooks', size, death),
  ]);
  return [
    ...[head, '| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |', ...lines, ''],
    '| what happened | sessions | times | median ms | 95 % | 99 % |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...told,
  ].join('\n');
}

/** What the sessions of a crowd run, in words. */
export const CROWDS: Readonly<Record<DaemonRow['kind'], string>> = {
  agents: 'agents at rest',
  silent: 'silent programs',
  shells: 'shells at their prompts',
};

function timesLine(what: string, size: number, { count, median, p95, p99 }: Figures): string {
  const times = [median, p95, p99].map((ms) => ms.toFixed(0)).join(' | ');
  return `| ${what} | ${size} | ${count} | ${times} |`;
}

/** What a whole run of the doctor costs, beside the usual one. */
export function doctorLines({ rows, elsewhere }: DoctorBench): string {
  const heads = ['sessions', 'processes', 'floor ms', 'doctor ms', 'doctor ÷ floor', 'forks'];
  const beside = ['first run ms', 'its forks', 'node -e 0 ms', 'doctor --json ms'];
  const usual = ['usual doctor ms', 'its forks', 'times doctor'];
  const ms = (value: number) => value.toFixed(1);
  const lines = rows.map((row) => [
    ...[`${row.size}`, `${row.processes}`, ms(row.floor), ms(row.doctor)],
    ...[(row.doctor / row.floor).toFixed(2), `${row.forks}`],
    ...[ms(row.first), `${row.firstForks}`, ms(row.node), ms(row.json)],
    ...[`${Math.round(row.forking)}`, `${row.forkingForks}`, `${Math.round(row.forking / row.doctor)}×`],
  ]);
  const head = [...heads, ...beside, ...usual];
  return [
    ...[head, head.map(() => '---:'), ...lines].map((line) => `| ${line.join(' | ')} |`),
    '',
    `Of ${elsewhere.agents} agents that live on a second socket, the usual doctor calls ${elsewhere.forking} orphans, and \`rollcall doctor\` ${elsewhere.orphans}.`,
  ].join('\n');
}

/** The daemon's part of the page. */
export function daemonSection(daemon: DaemonBench): string {
  return `## Daemon

\`rollcall up\` beside those who capture every screen with a process of its own, twice or ten times a second, as session managers do.
Nothing happens in the sessions. CPU is measured over ${daemon.rows[0]?.seconds ?? 0} s once it has settled, with the tmux clients that were started.
Then from what happens to the event that a client of the daemon receives. Scenes that are kept by themselves (\`--keep\`) may have run
side by side, each in namespaces of its own (processes, mounts, terminals).

${daemonLines(daemon)}`;
}

/** The doctor's part of the page. */
export function doctorSection(doctor: DoctorBench): string {
  return `## Doctor

A whole run of \`rollcall doctor\` in a running process, in turns with the floor: one look, every process, the ledger, the machine,
all checks. Every session is adopted, so the ledger has its word on each. The usual doctor asks tmux for the panes of each session and \`ps\` for each ancestor of each agent, on the one
socket that it knows; one run. The first run of a process reads every screen that no look has read before, with one call of
tmux for each 80; these are the only ones that grow with the sessions.

${doctorLines(doctor)}`;
}

/** What the end of a turn costs an owner. */
export function gateLines({ node, cached, hung }: GateBench): string {
  const line = (what: string, { count, median, p95 }: typeof node) =>
    `| ${what} | ${count} | ${median.toFixed(0)} | ${p95.toFixed(0)} |`;
  return [
    '| what runs | times | median ms | 95 % |',
    '| --- | ---: | ---: | ---: |',
    line('`node -e 0`', node),
    line('an owner stops, its checks are known', cached),
    line('an owner stops, and rollcall hangs', hung),
  ].join('\n');
}

/** The stop gate's part of the page. */
export function gateSection(gate: GateBench): string {
  return `## Stop gate

The end of a turn of an agent that owns unfinished work, from the start of its hook to its end, in a pane of a real tmux
server: the shell, one Node, the contract, the processes above, the state of the work tree, the lock and the record.
In turns with a bare Node. A rollcall that gives no answer is ended, and the agent stops.

${gateLines(gate)}`;
}

/** The guard's part of the page. */
export function guardSection(guard: GuardBench): string {
  return `## Guard

Time from a death at a random moment to the sentinel file, ${guard.rows[0]?.rounds ?? 0} deaths of each kind: \`rollcall guard --follow\` beside the
usual way, a shell that asks tmux once a second and believes the fifth no.

${guardLines(guard)}`;
}

/** The beginning of the page. */
export function looksSection({ rows, rounds }: LooksBench): string {
  const line = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  const hundred = rows.find((row) => row.size === 100);
  const thousand = rows.find((row) => row.size === 1000);
  const growth =
    hundred && thousand
      ? `From 100 to 1000 sessions a tick grows ${(thousand.tick / hundred.tick).toFixed(1)}-fold; linear would be 10-fold.\n`
      : '';
  return `# Benchmarks

Written by \`npm run bench\`; each part can be run by itself and says when that was. Times are medians of ${rounds} rounds (twice as many
for processes) in which what is compared takes turns (floor with tick, a bare Node with the command), so the ratios are worth more than the milliseconds.

${line(HEAD)}
${line(HEAD.map(() => '---:'))}
${rows.map((row) => line(cells(row))).join('\n')}

${growth}
- **floor**: one fork of \`tmux list-panes -a\` and one pass over /proc/<pid>/stat in Node, nothing understood.
- **tick**: one whole look in a running process: list, process table, details, evidence, verdicts, memory. Every
  screen was read before and told nothing, so there are no captures, and git is not asked. **forks** counts the processes it starts.
- **version**: \`rollcall version\`, which only starts and prints.
- **--json**: \`rollcall --json\` as a process of its own, with everything it loads, reads from and writes to the state
  folder. Held against a bare \`node -e 0\` plus the floor.
- **with a daemon**: the same command while a daemon runs, which looks in its place. Held against a bare Node plus one tick.
- **fork per session**: the usual way to tie agents to sessions, a fork of tmux for each session and of \`ps\` for each
  ancestor of each agent; one run.`;
}
