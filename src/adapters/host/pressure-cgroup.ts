import type { Reading } from '../../core/pressure/reading.ts';
import { visible } from '../../core/text/visible.ts';
import type { MemoryHolder } from '../../ports/pressure.ts';
import { statFields } from '../files/look.ts';
import { type Cgroup, cgroupsAround } from './cgroup-chain.ts';
import { amountsOf, readBound } from './linux-memory.ts';
import { seekText } from './read-text.ts';

/** Where to look, and what the host said. */
export interface CgroupSight {
  readonly procRoot: string;
  readonly sysRoot: string;
  readonly observedAt: number;
  /** A limit above the memory that exists bounds nothing; null where that is not known. */
  readonly hostBytes: number | null;
  /** Where the host does not record stalls, a group may. */
  readonly hasHostStalls: boolean;
}

interface Inhabited {
  readonly group: Cgroup;
  readonly holders: string[];
  readonly bound: ReturnType<typeof readBound>;
}

/**
 * What the cgroups around these processes and around rollcall itself say. Every group with a limit on the way up is
 * read, each once: whichever is worst off bounds the process.
 */
export function readCgroupPressure(holders: readonly MemoryHolder[], sight: CgroupSight): Reading[] {
  const { procRoot, sysRoot } = sight;
  const groups = new Map<string, Inhabited>();
  const readings: Reading[] = [];
  const free: string[] = [];
  for (const holder of [{ pid: 'self' as const, name: 'rollcall' }, ...holders]) {
    const isSame = holder.pid === 'self' || isStill(holder, procRoot);
    const chain = isSame ? cgroupsAround(procRoot, sysRoot, holder.pid) : null;
    const around = (chain ?? []).map((group, index, all) => {
      const isOwn = all.findIndex(({ version }) => version === group.version) === index;
      return enter(groups, group, holder.name, isOwn);
    });
    if (around.some((inhabited) => isBounded(inhabited, sight))) continue;
    if (chain === null) readings.push(unread(holder, sight));
    else free.push(visible(holder.name));
  }
  if (free.length > 0) readings.push(unbounded(free, sight));
  for (const inhabited of groups.values()) {
    if (isBounded(inhabited, sight)) readings.push(...boundReadings(inhabited, sight));
    else if (!sight.hasHostStalls && inhabited.holders.length > 0)
      readings.push(...stallsOf(inhabited, sight));
  }
  return readings;
}

// Named are those whose own group it is, and of a group with a limit whoever lives further below.
function enter(groups: Map<string, Inhabited>, group: Cgroup, name: string, isOwn: boolean): Inhabited {
  const key = `${group.version} ${group.path}`;
  const known = groups.get(key);
  // Of several mounts of one group, one that can be read.
  const inhabited = known?.bound ? known : { group, holders: known?.holders ?? [], bound: readBound(group) };
  if ((isOwn || inhabited.bound !== null) && !inhabited.holders.includes(name)) inhabited.holders.push(name);
  groups.set(key, inhabited);
  return inhabited;
}

function isBounded({ bound }: Inhabited, { hostBytes }: CgroupSight): boolean {
  return bound !== null && bound.totalBytes < (hostBytes ?? Number.MAX_SAFE_INTEGER);
}

function unbounded(holders: readonly string[], { observedAt, procRoot }: CgroupSight): Reading {
  const base = { scope: 'cgroups', holders, source: `${procRoot}/PID/cgroup`, observedAt };
  return { ...base, signal: 'available', state: 'absent', text: 'none of them has a limit' };
}

// Who has ended meanwhile holds no memory any more; of whoever lives it has to be known.
function unread(
  holder: { readonly pid: number | 'self'; readonly name: string; readonly startTicks?: number },
  { observedAt, procRoot }: CgroupSight,
): Reading {
  const { pid, name } = holder;
  const base = { scope: visible(`cgroups of ${name}`), holders: [], source: `${procRoot}/${pid}/cgroup` };
  const isEnded = pid !== 'self' && hasEnded({ ...holder, pid }, procRoot);
  return isEnded
    ? { ...base, observedAt, signal: 'available', state: 'absent', text: 'it has ended' }
    : { ...base, observedAt, signal: 'available', state: 'failed', text: 'they cannot be read' };
}

function boundReadings(inhabited: Inhabited, sight: CgroupSight): Reading[] {
  const { group, bound } = inhabited;
  const told = toldOf(inhabited, sight);
  return [
    { ...told, signal: 'available', source: visible(group.folder), ...amountsOf(bound ?? NO_BOUND) },
    outOfMemory(group, told),
    ...stallsOf(inhabited, sight),
  ];
}

const NO_BOUND = { availableBytes: 0, totalBytes: 0 };

// Only v2 records stalls for each group.
function stallsOf(inhabited: Inhabited, sight: CgroupSight): Reading[] {
  const { version, folder } = inhabited.group;
  return version === 'cgroup v2' ? readStalls(`${folder}/memory.pressure`, toldOf(inhabited, sight)) : [];
}

type Told = Pick<Reading, 'scope' | 'holders' | 'observedAt'>;

function toldOf({ group, holders }: Inhabited, { observedAt }: CgroupSight): Told {
  const scope = visible(`${group.version} ${group.path}`);
  return { scope, holders: holders.map((name) => visible(name)), observedAt };
}

// `memory.events` counts the groups below as well, so the group's own file goes first (Linux 5.2 on); v1 counts kills.
function outOfMemory({ version, folder }: Cgroup, told: Told): Reading {
  const names = version === 'cgroup v2' ? ['memory.events.local', 'memory.events'] : ['memory.oom_control'];
  const file = names.map((name) => `${folder}/${name}`).find((path) => seekText(path).state !== 'absent');
  const source = file ?? `${folder}/${names[0]}`;
  const base = { ...told, signal: 'oom' as const, source: visible(source) };
  const found = seekText(source);
  if (found.state !== 'read') return { ...base, state: found.state, text: visible(found.text, 200) };
  const field = version === 'cgroup v2' ? /^oom (\d{1,20})$/m : /^oom_kill (\d{1,20})$/m;
  const value = field.exec(found.text)?.[1];
  if (value === undefined) {
    return { ...base, state: 'absent', text: 'the kernel does not count it' };
  }
  const note = visible(found.text.trim().split('\n').join(', '), 200);
  return { ...base, state: 'read', value: Number(value), note };
}

// A pid may have gone to another process since; its group would be somebody else's.
function isStill({ pid, startTicks }: MemoryHolder, procRoot: string): boolean {
  return startTicks === undefined || Number(statFields(`${procRoot}/${pid}/stat`)?.[19]) === startTicks;
}

// What cannot be read may live, and so may what was never seen here: a server in a container has a pid of its own there.
function hasEnded(holder: MemoryHolder, procRoot: string): boolean {
  if (holder.startTicks === undefined) return false;
  const stat = seekText(`${procRoot}/${holder.pid}/stat`);
  if (stat.state === 'read') return !isStill(holder, procRoot);
  return stat.state === 'absent' || stat.text.startsWith('ESRCH');
}

/** Both lines of a PSI file: the share of the time in which some or all processes waited for memory. */
export function readStalls(file: string, told: Told): Reading[] {
  const found = seekText(file);
  const source = visible(file);
  return (['some', 'full'] as const).map((kind) => {
    const base = { ...told, signal: `stall-${kind}` as const, source };
    if (found.state !== 'read') return { ...base, state: found.state, text: visible(found.text, 200) };
    const stall = parseStall(found.text, kind);
    if (stall === null) {
      const text = `it does not say how much '${kind}' waited: ${visible(found.text, 80)}`;
      return { ...base, state: 'failed', text };
    }
    return { ...base, state: 'read', ...stall };
  });
}

const SHARE = '(\\d{1,3}\\.\\d{1,6})';
const LINE = new RegExp(
  `^(some|full) avg10=${SHARE} avg60=${SHARE} avg300=${SHARE} total=(\\d{1,20})$`,
  'gm',
);
const OVER_MS = [10_000, 60_000, 300_000] as const;

// Documentation/accounting/psi.rst: percent, and the total in microseconds.
function parseStall(text: string, kind: 'some' | 'full') {
  for (const [, found, ...numbers] of text.matchAll(LINE)) {
    if (found !== kind) continue;
    const averages = OVER_MS.map((overMs, index) => ({ overMs, value: Number(numbers[index]) }));
    if (averages.some(({ value }) => value > 100)) return null;
    const value = Number(numbers[0]);
    return { value, averages, note: `${Math.round(Number(numbers[3]) / 1000)} ms since boot` };
  }
  return null;
}
