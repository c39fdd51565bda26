import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import type { Cancel, SimClock } from './clock.ts';
import type { By, Journal } from './journal.ts';
import { PidSpace } from './pid-space.ts';
import { type Ending, type ProcessSpec, type Signal, SimProcess } from './process.ts';
import { ProcessViews } from './process-views.ts';

/** What a signal did. */
export type Effect = 'ends' | 'ignored' | 'later' | 'stopped' | 'goes-on' | 'gone';

/** Every process of a machine, as its kernel has them. */
export class SimProcesses {
  readonly #clock: SimClock;
  readonly #journal: Journal;
  readonly #byPid = new Map<number, SimProcess>();
  readonly #children = new Map<number, Set<SimProcess>>();
  readonly #views: ProcessViews;
  readonly #endings = new Set<(process: SimProcess, how: Ending) => void>();
  readonly #births = new Set<(process: SimProcess) => void>();
  readonly #pids = new PidSpace((pid) => this.#byPid.has(pid));
  /** Who does not ask for its ended children right now: they stay zombies. */
  readonly negligent = new Set<number>();

  constructor(clock: SimClock, journal: Journal) {
    [this.#clock, this.#journal] = [clock, journal];
    this.#views = new ProcessViews(clock, this.#byPid);
    this.#add({ argv: ['/sbin/init'], cwd: '/', ppid: 0, session: 'own', uid: 0 }, 1, null, 1);
  }

  /** Told whenever a process has ended, before anybody may have its number; returns what ends the telling. */
  onEnd(listener: (process: SimProcess, how: Ending) => void): Cancel {
    this.#endings.add(listener);
    return () => this.#endings.delete(listener);
  }

  /** Told whenever a process begins. */
  onBirth(listener: (process: SimProcess) => void): Cancel {
    this.#births.add(listener);
    return () => this.#births.delete(listener);
  }

  /** The next process gets this number, if it is free. */
  nextPidIs(pid: number): void {
    this.#pids.nextIs(pid);
  }

  at(pid: number): SimProcess | undefined {
    return this.#byPid.get(pid);
  }

  /** That very process, alive or a zombie. */
  find({ pid, startTicks }: ProcessMark): SimProcess | undefined {
    const found = this.#byPid.get(pid);
    return found?.startTicks === startTicks ? found : undefined;
  }

  isAlive(mark: ProcessMark): boolean {
    const found = this.find(mark);
    return found !== undefined && found.ending === null;
  }

  all(): IterableIterator<SimProcess> {
    return this.#byPid.values();
  }

  children(pid: number): readonly SimProcess[] {
    return [...(this.#children.get(pid) ?? [])];
  }

  /** Everything below it, itself left out. */
  below(pid: number): SimProcess[] {
    const found: SimProcess[] = [];
    const open = this.children(pid).slice();
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      found.push(one);
      open.push(...this.children(one.pid));
    }
    return found;
  }

  spawn(spec: ProcessSpec, by: By): SimProcess {
    const process = this.#add(spec, this.#pids.next(), this.#byPid.get(spec.ppid) ?? null, this.#clock.ticks);
    const { pid, startTicks, ppid, argv } = process;
    this.#journal.note(by, { what: 'process-started', pid, startTicks, ppid, argv });
    for (const listener of this.#births) listener(process);
    return process;
  }

  /** What is seen of it has changed. */
  touch(process: SimProcess): void {
    this.#views.touch(process);
  }

  /** From now on it uses this share of a core; 0: it rests. */
  use(process: SimProcess, share: number): void {
    if (process.ending !== null) return;
    process.use(share, this.#clock.awakeMs);
    process.state = share > 0 ? 'R' : process.state === 'R' ? 'S' : process.state;
    this.touch(process);
  }

  spend(process: SimProcess, cpuMs: number, ioBytes = 0): void {
    process.spend(cpuMs, ioBytes);
    this.touch(process);
  }

  /** Sends a signal to that very process, as the kernel does. */
  signal(mark: ProcessMark, signal: Signal, by: By): Effect {
    this.#journal.before(by, { what: 'signal', mark, signal });
    const process = this.find(mark);
    const effect = process === undefined || process.ending !== null ? 'gone' : this.#deliver(process, signal);
    this.#journal.note(by, { what: 'signalled', ...markOf(mark), signal, effect });
    return effect;
  }

  /** It ends by itself, or by what somebody did to it. */
  end(process: SimProcess, how: Ending, by: By): void {
    if (process.ending !== null) return;
    process.ending = how;
    process.use(0, this.#clock.awakeMs);
    this.#journal.note(by, { what: 'process-ended', ...markOf(process), how: words(how) });
    const { tty, pid, sid } = process;
    for (const child of this.children(pid)) this.#adopt(child, 1);
    if (pid === sid && tty !== null) this.#hangUp(process);
    process.state = 'Z';
    process.tty = null;
    this.touch(process);
    process.program?.ended?.(how);
    this.#byPid.get(process.ppid)?.program?.childEnded?.(process);
    for (const listener of this.#endings) listener(process, how);
    if (!this.negligent.has(process.ppid)) this.#reap(process);
  }

  /** Its parent asks for its ended children. */
  reapFor(ppid: number): void {
    this.negligent.delete(ppid);
    for (const child of this.children(ppid)) if (child.ending !== null) this.#reap(child);
  }

  /** The other side of a terminal is closed: its leader and whoever is in front are told (SIGHUP). */
  closeTerminal(leader: SimProcess, by: By): void {
    const { tty } = leader;
    const front = tty === null ? [] : this.#group(tty.front).filter((one) => one !== leader);
    if (leader.ending === null) this.signal(leader, 'SIGHUP', by);
    for (const one of front) if (one.ending === null) this.signal(one, 'SIGHUP', 'kernel');
    if (tty !== null) this.#loseTerminal(tty.number);
  }

  /** The table as one pass sees it: equal objects as long as nothing has changed. */
  seen(): ReadonlyMap<number, Process> {
    return this.#views.seen();
  }

  #deliver(process: SimProcess, signal: Signal): Effect {
    if (signal === 'SIGKILL') return this.#ended(process, signal);
    if (signal === 'SIGSTOP') {
      process.state = 'T';
      this.touch(process);
      return 'stopped';
    }
    if (signal === 'SIGCONT') {
      const { pending } = process;
      if (process.state === 'T') process.state = 'S';
      process.pending = null;
      this.touch(process);
      return pending === null ? 'goes-on' : this.#deliver(process, pending);
    }
    if (signal === 'SIGHUP' && process.ignoresHangup) return 'ignored';
    if (process.state === 'T') {
      process.pending = signal;
      return 'later';
    }
    const reaction = process.program?.signalled?.(signal) ?? 'ends';
    if (reaction === 'ends') return this.#ended(process, signal);
    if (reaction === 'ignored') return 'ignored';
    this.#clock.after(reaction.endsAfterMs, () => this.end(process, { signal }, 'kernel'));
    return 'later';
  }

  #ended(process: SimProcess, signal: Signal): Effect {
    this.end(process, { signal }, 'kernel');
    return 'ends';
  }

  // The leader of a session has gone: the kernel tells whoever is in front, and the terminal is nobody's any more.
  #hangUp(leader: SimProcess): void {
    const { tty } = leader;
    if (tty === null) return;
    const front = this.#group(tty.front).filter((one) => one !== leader && one.sid === leader.sid);
    for (const one of front) if (one.ending === null) this.signal(one, 'SIGHUP', 'kernel');
    this.#loseTerminal(tty.number);
  }

  #group(pgid: number): SimProcess[] {
    return [...this.#byPid.values()].filter((one) => one.pgid === pgid);
  }

  #loseTerminal(number: number): void {
    for (const one of this.#byPid.values()) {
      if (one.tty?.number !== number) continue;
      one.tty = null;
      this.touch(one);
    }
  }

  #reap(process: SimProcess): void {
    const { pid, ppid } = process;
    if (this.#byPid.get(pid) !== process) return;
    this.#byPid.delete(pid);
    this.#children.get(ppid)?.delete(process);
    const parent = this.#byPid.get(ppid);
    if (parent !== undefined) {
      parent.reapedCpuMs += process.cpuMsAt(this.#clock.awakeMs) + process.reapedCpuMs;
      this.touch(parent);
    }
    this.#views.touch(process);
  }

  #adopt(child: SimProcess, ppid: number): void {
    this.#children.get(child.ppid)?.delete(child);
    child.ppid = ppid;
    this.#childrenOf(ppid).add(child);
    this.touch(child);
    if (child.ending !== null) this.#reap(child);
  }

  #childrenOf(pid: number): Set<SimProcess> {
    const known = this.#children.get(pid) ?? new Set();
    this.#children.set(pid, known);
    return known;
  }

  #add(spec: ProcessSpec, pid: number, parent: SimProcess | null, startTicks: number): SimProcess {
    const process = new SimProcess(spec, { pid, startTicks, parent, now: this.#clock.awakeMs });
    this.#byPid.set(pid, process);
    this.#childrenOf(spec.ppid).add(process);
    this.touch(process);
    return process;
  }
}

export function words(how: Ending): string {
  return 'status' in how ? `status ${how.status}` : how.signal;
}

function markOf({ pid, startTicks }: ProcessMark): ProcessMark {
  return { pid, startTicks };
}
