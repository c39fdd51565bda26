import type { Fault, PortName } from '../machine/faults.ts';
import type { Install } from '../machine/install.ts';
import type { By } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimProcess } from '../machine/process.ts';
import type { SimPane } from '../machine/tmux-parts.ts';

/** Thrown into the code of a process that does not live any more: whatever it does is nothing. */
export class SeatGone extends Error {
  override readonly name = 'SeatGone';
}

/** How a question to something outside is answered. */
export interface Question<T> {
  readonly port: PortName;
  readonly server?: string;
  /** How long it takes there and back. */
  readonly ms: number;
  readonly timeoutMs: number;
  /** Done where it is asked, at half of the time. */
  work(): T;
  failed(how: 'fail' | 'timeout' | 'garbled'): T;
}

/** One process of rollcall. Every port that it has goes through it, so that it can be killed at any step. */
export class Seat {
  readonly machine: Machine;
  readonly install: Install;
  readonly name: string;
  readonly by: By;
  readonly process: SimProcess;
  /** The pane that it runs in; null outside of tmux. */
  readonly pane: SimPane | null;
  /** Calls of ports and lasting steps until now. */
  steps = 0;
  /** It is killed in place of this step. */
  killAt: number | null = null;
  isAlive = true;
  #isStopped = false;
  readonly #waiting: (() => void)[] = [];
  readonly #onEnd: (() => void)[] = [];

  constructor(
    machine: Machine,
    install: Install,
    name: string,
    argv: readonly string[],
    pane: SimPane | null = null,
  ) {
    [this.machine, this.install, this.name, this.by, this.pane] = [
      machine,
      install,
      name,
      `rollcall:${name}`,
      pane,
    ];
    const where =
      pane === null
        ? { ppid: 1, session: 'own' as const }
        : { ppid: pane.process.pid, group: 'own' as const };
    const spec = {
      argv: ['/usr/bin/node', OWN_PROGRAM, ...argv],
      comm: 'node',
      cwd: machine.home,
      rssBytes: 90 * 1024 * 1024,
    };
    this.process = machine.processes.spawn(
      { ...spec, ...where, ...(pane && { env: pane.process.env }) },
      this.by,
    );
    this.process.program = {
      ended: () => this.#gone(),
      signalled: (signal) => (signal === 'SIGHUP' ? 'ignored' : 'ends'),
    };
    machine.journal.note(this.by, { what: 'seat-began', seat: name, pid: this.process.pid });
  }

  /** A step begins; the dead make none. */
  step(): void {
    if (!this.isAlive) throw new SeatGone();
    this.steps += 1;
    if (this.steps !== this.killAt) return;
    this.kill();
    throw new SeatGone();
  }

  fault(port: PortName, server?: string): Fault | null {
    return this.machine.faults.at(port, this.name, server);
  }

  /** Asks something that answers later. */
  ask<T>({ port, server, ms, timeoutMs, work, failed }: Question<T>): Promise<T> {
    this.step();
    const fault = this.fault(port, server);
    if (fault?.how === 'fail' || fault?.how === 'garbled') {
      const { how } = fault;
      return this.later(ms, () => failed(how));
    }
    if (fault?.how === 'hang') return this.later(timeoutMs, () => failed('timeout'));
    const waitMs = fault === null ? ms - ms / 2 : (fault.lateMs ?? timeoutMs / 2);
    return new Promise((resolve, reject) => {
      this.machine.clock.after(ms / 2, () => {
        if (this.machine.isDown) return;
        const answer = settle(work);
        const late = waitMs > timeoutMs ? settle(() => failed('timeout')) : answer;
        this.#deliver(Math.min(waitMs, timeoutMs), () => {
          if (late.state === 'done') resolve(late.value);
          else reject(late.error);
        });
      });
    });
  }

  /** Goes on after so long, if it still lives. */
  later<T>(ms: number, make: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#deliver(ms, () => {
        const made = settle(make);
        if (made.state === 'done') resolve(made.value);
        else reject(made.error);
      });
    });
  }

  wait(ms: number): Promise<void> {
    this.step();
    return this.later(ms, () => {});
  }

  /** A timer of its own; returns what takes it back. */
  after(ms: number, call: () => void): () => void {
    let isOff = false;
    this.#deliver(ms, () => {
      if (!isOff) call();
    });
    return () => {
      isOff = true;
    };
  }

  /** Something outside calls it: now, or when it goes on. */
  hear(call: () => void): void {
    if (!this.isAlive) return;
    if (this.#isStopped) this.#waiting.push(call);
    else {
      this.machine.clock.stir();
      call();
    }
  }

  /** Called when it is gone, however that came: the kernel lets go of what it held. */
  onEnd(call: () => void): void {
    this.#onEnd.push(call);
  }

  kill(): void {
    if (this.isAlive) this.machine.processes.end(this.process, { signal: 'SIGKILL' }, 'story');
  }

  /** It ends by itself. */
  end(): void {
    if (this.isAlive) this.machine.processes.end(this.process, { status: 0 }, this.by);
  }

  /** SIGSTOP and SIGCONT. */
  setStopped(isStopped: boolean): void {
    if (!this.isAlive || isStopped === this.#isStopped) return;
    this.machine.processes.signal(this.process, isStopped ? 'SIGSTOP' : 'SIGCONT', 'story');
    this.#isStopped = isStopped;
    if (!isStopped) for (const call of this.#waiting.splice(0)) this.hear(call);
  }

  #deliver(ms: number, call: () => void): void {
    this.machine.clock.after(ms, () => this.hear(call));
  }

  #gone(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    const { ending } = this.process;
    const how = ending !== null && 'signal' in ending ? 'killed' : 'ended';
    this.machine.journal.note(this.by, { what: 'seat-ended', seat: this.name, how, steps: this.steps });
    for (const call of this.#onEnd) call();
  }
}

/** The program of rollcall, as its own command line has it. */
export const OWN_PROGRAM = '/usr/lib/rollcall/rollcall.cjs';

type Settled<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'thrown'; readonly error: unknown };

function settle<T>(make: () => T): Settled<T> {
  try {
    return { state: 'done', value: make() };
  } catch (error) {
    return { state: 'thrown', error };
  }
}
