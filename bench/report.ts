import type { HookCost } from './hook.ts';

/** What was measured on one number of sessions; times are medians in ms. */
export interface Row {
  readonly size: number;
  readonly floor: number;
  readonly tick: number;
  readonly node: number;
  readonly json: number;
  readonly forksPerTick: number;
  readonly forking: number;
  readonly forkingForks: number;
}

const HEAD = [
  'sessions',
  'floor ms',
  'tick ms',
  'tick ÷ floor',
  'forks',
  'node -e 0 ms',
  '--json ms',
  '--json ÷ (node + floor)',
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
    ms(row.json),
    ratio(row.json / (row.node + row.floor)),
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
export function hookLine({ floorMs, hookMs }: HookCost): string {
  const ratio = (hookMs / floorMs).toFixed(2);
  return `A hook takes ${hookMs.toFixed(1)} ms at the median, ${ratio} times \`sh -c 'cat >/dev/null'\` (${floorMs.toFixed(1)} ms); it starts no Node.`;
}

/** The page in docs/. */
export function markdown(rows: readonly Row[], hook: HookCost, machine: string, rounds: number): string {
  const line = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  const hundred = rows.find((row) => row.size === 100);
  const thousand = rows.find((row) => row.size === 1000);
  const growth =
    hundred && thousand
      ? `From 100 to 1000 sessions a tick grows ${(thousand.tick / hundred.tick).toFixed(1)}-fold; linear would be 10-fold.\n`
      : '';
  return `# Benchmarks

Written by \`npm run bench\`. Machine of this run: ${machine}. Times are medians of ${rounds} rounds (twice as many
for processes) in which what is compared takes turns (floor with tick, a bare Node with the command), so the ratios are worth more than the milliseconds.

${line(HEAD)}
${line(HEAD.map(() => '---:'))}
${rows.map((row) => line(cells(row))).join('\n')}

${growth}
- **floor**: one fork of \`tmux list-panes -a\` and one pass over /proc/<pid>/stat in Node, nothing understood.
- **tick**: one whole look in a running process: list, process table, details, evidence, verdicts, memory. No session
  here needs a screen or git, so there are no captures. **forks** counts the processes it starts.
- **--json**: \`rollcall --json\` as a process of its own, with everything it loads, reads from and writes to the state
  folder. Held against a bare \`node -e 0\` plus the floor.
- **fork per session**: the usual way to tie agents to sessions, a fork of tmux for each session and of \`ps\` for each
  ancestor of each agent; one run.

## Hooks

${hookLine(hook)} Both were started in turns with a payload of 2 kB.

## Set-up

Every session runs a shell with a program named like an agent under it, on a private tmux server.
`;
}
