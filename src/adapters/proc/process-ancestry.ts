import { grouped } from '../../core/grouped.ts';
import type { Process, ProcessDetails, ProcessTable } from '../../core/sight/process.ts';
import type { StartedProcess, StopProcesses } from '../../ports/gate.ts';
import { linkAt } from '../files/look.ts';
import { createLinuxDetails } from './linux-details.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { createMacosProcessSensor } from './macos-process-sensor.ts';

export interface ProcessAncestry extends StopProcesses {
  /** Whether the nearest ancestors are the ones that they were when this was made. */
  isUnbroken(): boolean;
}

export interface ProcessAncestryOptions {
  readonly platform?: NodeJS.Platform;
  readonly procRoot?: string;
  /** Of whom the ancestors are; this process otherwise. */
  readonly self?: { readonly ppid: number };
}

interface Sight {
  one(pid: number): Process | null;
  all(): ProcessTable;
  words(processes: readonly Process[]): ReadonlyMap<number, ProcessDetails>;
  stdin(pid: number): ReturnType<StopProcesses['stdinOf']>;
}

const MOST_ANCESTORS = 200;
/** The hook's shell is at most so many steps up: `timeout` may stand between. */
const NEAREST = 3;
const WORDS_ONLY = { io: false, memory: false, cwd: false } as const;

/** Sees the processes above this one, without a look at all the others. */
export function createProcessAncestry(options: ProcessAncestryOptions = {}): ProcessAncestry {
  const { platform = process.platform, procRoot = '/proc', self = process } = options;
  const sight = platform === 'darwin' ? macosSight() : linuxSight(procRoot);
  const climb = (most: number): Process[] => {
    const found: Process[] = [];
    for (let pid = self.ppid; pid > 0 && found.length < most; ) {
      const one = sight.one(pid);
      if (one === null || found.some((known) => known.pid === pid)) break;
      found.push(one);
      pid = one.ppid;
    }
    return found;
  };
  const marks = () =>
    climb(NEAREST)
      .map(({ pid, startTicks }) => `${pid}.${startTicks}`)
      .join(' ');
  const atFirst = marks();
  return {
    ancestors: () => started(climb(MOST_ANCESTORS), sight),
    isAlive({ pid, startTicks }) {
      const one = sight.one(pid);
      return one !== null && one.startTicks === startTicks && !hasEnded(one);
    },
    stdinOf({ pid, startTicks }) {
      const stdin = sight.stdin(pid);
      return sight.one(pid)?.startTicks === startTicks ? stdin : 'unknown';
    },
    below({ pid, startTicks }) {
      const { byPid } = sight.all();
      if (byPid.get(pid)?.startTicks !== startTicks) return [];
      return started(descendants(pid, byPid), sight);
    },
    isUnbroken: () => marks() === atFirst,
  };
}

function linuxSight(procRoot: string): Sight {
  const table = createLinuxProcessTable({ procRoot });
  const details = createLinuxDetails({ procRoot, now: Date.now, table });
  return {
    one(pid) {
      const read = table.senseOne(pid);
      return read.state === 'read' ? read.process : null;
    },
    all: () => table.sense(),
    words: (processes) => details.read(processes, WORDS_ONLY),
    stdin(pid) {
      const link = linkAt(`${table.folder(pid)}/fd/0`);
      if (link === null) return 'unknown';
      return /^(?:pipe|socket):/.test(link) ? 'stream' : 'other';
    },
  };
}

/** One call of ps for each question. Untested on a real Mac. */
function macosSight(): Sight {
  const sensor = createMacosProcessSensor();
  let table: ProcessTable | undefined;
  return {
    one(pid) {
      table ??= sensor.sense();
      return table.byPid.get(pid) ?? null;
    },
    all() {
      table = sensor.sense();
      return table;
    },
    words: (processes) => sensor.details(processes),
    stdin: () => 'unknown',
  };
}

function started(processes: readonly Process[], sight: Sight): StartedProcess[] {
  const words = sight.words(processes);
  return processes.flatMap(({ pid, startTicks }) => {
    const found = words.get(pid);
    return found === undefined ? [] : [{ pid, startTicks, argv: found.argv }];
  });
}

function descendants(pid: number, byPid: ReadonlyMap<number, Process>): Process[] {
  const children = grouped(byPid.values(), ({ ppid }) => ppid);
  const found: Process[] = [];
  const open = [pid];
  const seen = new Set(open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of children.get(next) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      open.push(child.pid);
      if (!hasEnded(child)) found.push(child);
    }
  }
  return found;
}

/** A zombie has ended, and only waits to be told to its parent. */
function hasEnded({ state }: Process): boolean {
  return state === 'Z' || state === 'X';
}
