import { readdirSync, readFileSync } from 'node:fs';

/** A process of the world that this one is in. */
export interface Running {
  readonly pid: number;
  readonly ppid: number;
  /** With the pid it names one process for ever. */
  readonly start: string;
  readonly argv: readonly string[];
  /** What tmux told it of itself: socket and pane; empty where it did not. */
  readonly pane: string;
}

/** Everything that runs and is no zombie. */
export function running(): Running[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (one(Number(name)) ?? []) : []));
}

function one(pid: number): Running | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    const words = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
    const variables = words('environ');
    const value = (name: string) =>
      variables.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
    const pane = `${value('TMUX')?.split(',')[0] ?? ''} ${value('TMUX_PANE') ?? ''}`;
    return { pid, ppid: Number(fields[1]), start: fields[19] ?? '', argv: words('cmdline'), pane };
  } catch {
    return null;
  }
}

/** Whether it is the same process still. */
export function isSame({ pid, start }: Pick<Running, 'pid' | 'start'>): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] !== 'Z' && fields[19] === start;
  } catch {
    return false;
  }
}

/** Those of some panes: below their first processes, or started there. `panes` are socket and pane, as tmux tells them. */
export function belongingTo(
  all: readonly Running[],
  panes: readonly { readonly pane: string; readonly pid: number }[],
): Running[] {
  const own = new Set<number>(panes.map(({ pid }) => pid));
  const marks = new Set(panes.map(({ pane }) => pane));
  for (let size = -1; size !== own.size; ) {
    size = own.size;
    for (const { pid, ppid, pane } of all) if (own.has(ppid) || marks.has(pane)) own.add(pid);
  }
  return all.filter(({ pid }) => own.has(pid));
}

/** Processor time of this process and of all that it waited for, and of all that its world's first process did: seconds. */
export function cpuSeconds(): number {
  const ticks = (pid: number | string, from: number) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(from, 15).reduce((sum, field) => sum + Number(field), 0);
  };
  return (ticks('self', 11) + ticks(1, 13)) / 100;
}
