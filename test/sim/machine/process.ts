import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type { By } from './journal.ts';

export type Signal = 'SIGTERM' | 'SIGKILL' | 'SIGHUP' | 'SIGINT' | 'SIGCONT' | 'SIGSTOP';

/** How a process ended. */
export type Ending = { readonly status: number } | { readonly signal: Signal };

/** What a program makes of a signal that it may catch. */
export type Reaction = 'ends' | 'ignored' | { readonly endsAfterMs: number };

/** What a process does by itself. Without one it takes no input and every signal ends it. */
export interface Program {
  /** Text that arrives at its terminal while it is in front. */
  typed?(text: string, by: By): void;
  pressed?(key: 'Enter' | 'BSpace', by: By): void;
  signalled?(signal: Signal): Reaction;
  /** It has ended, however that came. */
  ended?(how: Ending): void;
  childEnded?(child: SimProcess): void;
}

/** A terminal of a pane. */
export interface SimTty {
  readonly path: string;
  readonly number: number;
  /** The process group that has it. */
  front: number;
  /** As `stty -a` names them. */
  settings: ReadonlySet<string>;
  /** Epoch seconds, as the kernel notes when it was read last. */
  readAt: number;
}

/** What a process is started as. */
export interface ProcessSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly ppid: number;
  /** `own`: it leads a group of its own. Its parent's where it is not given. */
  readonly group?: 'own';
  /** `own`: it leads a session of its own (setsid), which has this terminal or none. */
  readonly session?: 'own';
  readonly tty?: SimTty | null;
  readonly comm?: string;
  readonly uid?: number;
  readonly rssBytes?: number;
  /** SIGHUP does nothing to it (nohup). */
  readonly ignoresHangup?: boolean;
}

/** One process of a machine. Only `SimProcesses` changes who is alive; the rest is set by whoever plays it, which then calls `touch`. */
export class SimProcess implements ProcessMark {
  readonly pid: number;
  readonly startTicks: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly comm: string;
  readonly uid: number;
  readonly ignoresHangup: boolean;
  ppid: number;
  pgid: number;
  sid: number;
  tty: SimTty | null;
  cwd: string;
  /** S, R, D, T or Z. */
  state: 'S' | 'R' | 'D' | 'T' | 'Z' = 'S';
  rssBytes: number;
  ioBytes = 0;
  /** Changes with every exec. */
  imageMark = 1;
  program: Program | null = null;
  /** How it ended; null while it runs. A zombie has ended and waits for its parent. */
  ending: Ending | null = null;
  /** A SIGTERM that waits until it goes on (SIGCONT). */
  pending: Signal | null = null;
  /** Processes that have a pipe to it. */
  readonly pipes = { reads: false, writes: false };
  reapedCpuMs = 0;
  /** Turns that the kernel gave it, beside what its work takes. */
  turns = 1;
  #cpuMs = 0;
  #share = 0;
  #since = 0;

  constructor(
    spec: ProcessSpec,
    own: { pid: number; startTicks: number; parent: SimProcess | null; now: number },
  ) {
    const { pid, startTicks, parent, now } = own;
    [this.pid, this.startTicks, this.ppid, this.#since] = [pid, startTicks, spec.ppid, now];
    this.argv = spec.argv;
    this.env = spec.env ?? {};
    this.comm = (spec.comm ?? spec.argv[0]?.split('/').at(-1) ?? '?').slice(0, 15);
    this.uid = spec.uid ?? parent?.uid ?? 1000;
    this.sid = spec.session === 'own' ? pid : (parent?.sid ?? pid);
    this.pgid = spec.session === 'own' || spec.group === 'own' ? pid : (parent?.pgid ?? pid);
    this.tty = spec.tty !== undefined ? spec.tty : spec.session === 'own' ? null : (parent?.tty ?? null);
    this.cwd = spec.cwd;
    this.rssBytes = spec.rssBytes ?? 4 * 1024 * 1024;
    this.ignoresHangup = spec.ignoresHangup ?? false;
  }

  /** CPU time until now, by a clock of awake ms. */
  cpuMsAt(awakeMs: number): number {
    return Math.round(this.#cpuMs + (awakeMs - this.#since) * this.#share);
  }

  get isAtWork(): boolean {
    return this.#share > 0;
  }

  /** From now on it uses this share of a core. */
  use(share: number, awakeMs: number): void {
    this.#cpuMs += (awakeMs - this.#since) * this.#share;
    [this.#since, this.#share] = [awakeMs, share];
  }

  /** It uses so much at once. */
  spend(cpuMs: number, ioBytes = 0): void {
    this.#cpuMs += cpuMs;
    this.ioBytes += ioBytes;
    this.turns += 1;
  }
}
