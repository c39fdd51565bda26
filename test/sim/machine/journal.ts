import { createHash } from 'node:crypto';
import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type { SimClock } from './clock.ts';
import type { Signal } from './process.ts';
import type { SimPane, SimSession } from './tmux-parts.ts';

/** Who changed the world. `rollcall:` is followed by the name of a seat. */
export type By = 'person' | 'agent' | 'kernel' | 'tmux' | 'story' | `rollcall:${string}`;

/** What can happen in a world. Sessions are named by their label, processes by pid and start. */
export type Happening =
  | { readonly what: 'server-started'; readonly server: string; readonly pid: number }
  | {
      readonly what: 'server-ended';
      readonly server: string;
      readonly pid: number;
      readonly why: 'crash' | 'empty' | 'power';
    }
  | { readonly what: 'server-mood'; readonly server: string; readonly mood: string }
  | ({ readonly what: 'session-started'; readonly name: string } & InSession)
  | ({ readonly what: 'session-removed'; readonly why: 'killed' | 'empty' | 'server' } & InSession)
  | ({ readonly what: 'session-renamed'; readonly name: string } & InSession)
  | ({ readonly what: 'pane-started'; readonly pid: number; readonly argv: readonly string[] } & InPane)
  | ({ readonly what: 'pane-died'; readonly pid: number; readonly status: string } & InPane)
  | ({ readonly what: 'pane-removed'; readonly pid: number } & InPane)
  | ({ readonly what: 'pane-mode'; readonly isOn: boolean } & InPane)
  | ({ readonly what: 'end-written'; readonly run: string } & InPane)
  | ({ readonly what: 'attached' | 'detached' | 'client-input'; readonly client: string } & InSession)
  | ({ readonly what: 'held-mark'; readonly value: string | null } & InSession)
  | ({ readonly what: 'typed'; readonly text: string } & InPane)
  | ({ readonly what: 'pressed'; readonly button: string } & InPane)
  | {
      readonly what: 'process-started';
      readonly pid: number;
      readonly startTicks: number;
      readonly ppid: number;
      readonly argv: readonly string[];
    }
  | {
      readonly what: 'process-ended';
      readonly pid: number;
      readonly startTicks: number;
      readonly how: string;
    }
  | {
      readonly what: 'signalled';
      readonly pid: number;
      readonly startTicks: number;
      readonly signal: string;
      /** `gone`: nobody was there, or another one by that number. */
      readonly effect: 'ends' | 'ignored' | 'later' | 'stopped' | 'goes-on' | 'gone';
    }
  | ({ readonly what: AgentWhat; readonly detail?: string | number } & OfAgent)
  | { readonly what: 'memory'; readonly availableBytes: number; readonly stallPercent: number }
  | { readonly what: 'git'; readonly cwd: string; readonly detail: string }
  | { readonly what: 'disk'; readonly install: string; readonly mood: string }
  | { readonly what: 'clock'; readonly detail: string; readonly ms: number }
  | { readonly what: 'power-lost' }
  | { readonly what: 'rebooted'; readonly bootId: string }
  | {
      readonly what: 'recorded';
      readonly install: string;
      readonly sequence: number;
      readonly kind: string;
      readonly action: string;
      readonly key: string | null;
      readonly cause: number | null;
      readonly hash: string;
    }
  | { readonly what: 'archived' | 'conversation-kept'; readonly install: string; readonly id: string }
  | { readonly what: 'seat-began'; readonly seat: string; readonly pid: number }
  | { readonly what: 'seat-ended'; readonly seat: string; readonly how: string; readonly steps: number }
  | { readonly what: 'step'; readonly seat: string; readonly step: string; readonly when: 'before' | 'after' }
  | {
      readonly what: 'act';
      readonly seat: string;
      readonly act: string;
      readonly answer: string;
      readonly of: string;
    }
  | { readonly what: 'answered'; readonly seat: string; readonly command: string; readonly answer: string }
  | { readonly what: 'fault'; readonly port: string; readonly how: string; readonly forMs: number }
  | { readonly what: 'story'; readonly text: string };

export type AgentWhat =
  | 'agent-started'
  | 'agent-left'
  | 'turn-began'
  | 'turn-ended'
  | 'dialog-opened'
  | 'dialog-closed'
  | 'draft'
  | 'background'
  | 'hook-sent'
  | 'hook-lost'
  | 'conversation';

interface InSession {
  readonly server: string;
  readonly session: string;
  readonly key: string;
}

interface InPane extends InSession {
  readonly pane: string;
}

interface OfAgent {
  readonly pid: number;
  readonly startTicks: number;
  readonly kind: string;
}

/** One line of the journal. */
export type JournalEntry = Happening & { readonly at: number; readonly by: By };

/** What is about to be done to somebody, while everything is still as it was. */
export type Doing =
  | { readonly what: 'type'; readonly pane: SimPane; readonly text: string }
  | { readonly what: 'press'; readonly pane: SimPane; readonly key: string }
  | { readonly what: 'respawn' | 'kill-pane'; readonly pane: SimPane }
  | { readonly what: 'kill-session'; readonly session: SimSession }
  | { readonly what: 'signal'; readonly mark: ProcessMark; readonly signal: Signal };

/** Everything that changed a world, in order; its hash stands for the whole run. */
export class Journal {
  readonly #clock: Pick<SimClock, 'ms'>;
  readonly #hash = createHash('sha256');
  readonly #listeners: ((entry: JournalEntry) => void)[] = [];
  readonly #witnesses: ((by: By, doing: Doing) => void)[] = [];
  readonly #kept: JournalEntry[] = [];
  count = 0;
  /** Off: nothing is kept in memory, for long runs that need only the hash. */
  isKept = true;

  constructor(clock: Pick<SimClock, 'ms'>) {
    this.#clock = clock;
  }

  note(by: By, happening: Happening): void {
    const entry: JournalEntry = { at: this.#clock.ms, by, ...happening };
    this.count += 1;
    this.#hash.update(`${JSON.stringify(entry)}\n`);
    if (this.isKept) this.#kept.push(entry);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Called before anything is typed, pressed, signalled or taken away. */
  before(by: By, doing: Doing): void {
    for (const witness of this.#witnesses) witness(by, doing);
  }

  /** Told of what is about to be done, by whomever. What it throws ends the run. */
  onDoing(witness: (by: By, doing: Doing) => void): void {
    this.#witnesses.push(witness);
  }

  /** Told of everything that happens, in the moment that it has happened. What it throws ends the run. */
  onEntry(listener: (entry: JournalEntry) => void): void {
    this.#listeners.push(listener);
  }

  entries(): readonly JournalEntry[] {
    return this.#kept;
  }

  /** Of everything until now. */
  hash(): string {
    return this.#hash.copy().digest('hex');
  }
}
