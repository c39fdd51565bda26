import type { Process } from '../../../src/core/sight/process.ts';
import type { SimClock } from './clock.ts';
import type { SimProcess } from './process.ts';

/** The process table as a pass over it sees it, made anew only of what has changed. */
export class ProcessViews {
  readonly #clock: SimClock;
  readonly #byPid: ReadonlyMap<number, SimProcess>;
  readonly #dirty = new Set<number>();
  readonly #atWork = new Set<SimProcess>();
  #seen: ReadonlyMap<number, Process> = new Map();
  #bootAt = Number.NaN;

  constructor(clock: SimClock, byPid: ReadonlyMap<number, SimProcess>) {
    [this.#clock, this.#byPid] = [clock, byPid];
  }

  /** What is seen of it has changed. */
  touch(process: SimProcess): void {
    this.#dirty.add(process.pid);
    if (process.isAtWork) this.#atWork.add(process);
    else this.#atWork.delete(process);
  }

  /** The very same map as long as nothing has changed. */
  seen(): ReadonlyMap<number, Process> {
    const bootAt = this.#clock.at - this.#clock.awakeMs - this.#clock.suspendedMs;
    // A clock that drifts moves it by less than anybody reads.
    const isStepped = !(Math.abs(bootAt - this.#bootAt) < 1000);
    if (!isStepped && this.#dirty.size === 0 && this.#atWork.size === 0) return this.#seen;
    if (isStepped) this.#bootAt = bootAt;
    const seen = new Map(isStepped ? [] : this.#seen);
    for (const pid of isStepped ? this.#byPid.keys() : this.#dirty) {
      const process = this.#byPid.get(pid);
      if (process === undefined) seen.delete(pid);
      else seen.set(pid, this.#viewOf(process));
    }
    for (const process of this.#atWork) seen.set(process.pid, this.#viewOf(process));
    this.#dirty.clear();
    this.#seen = seen;
    return seen;
  }

  #viewOf(process: SimProcess): Process {
    const { pid, startTicks, ppid, pgid, sid, tty, state, comm, reapedCpuMs, rssBytes, imageMark } = process;
    return {
      ...{ pid, startTicks, ppid, pgid, sid, state, comm, reapedCpuMs, rssBytes, imageMark },
      ttyNumber: tty?.number ?? 0,
      tpgid: tty?.front ?? -1,
      startedAt: this.#bootAt + startTicks * 10,
      cpuMs: process.cpuMsAt(this.#clock.awakeMs),
    };
  }
}
