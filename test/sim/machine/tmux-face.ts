import type { By } from './journal.ts';
import type { Machine } from './machine.ts';
import type { SimProcess } from './process.ts';
import type { SimClient, SimPane, SimScreen, SimSession, SimWindow } from './tmux-parts.ts';
import { sessionOf } from './tmux-parts.ts';
import type { Mood } from './tmux-wishes.ts';

/** What a tmux server has and shows, and what it tells of what happens to it. */
export abstract class TmuxFace {
  readonly machine: Machine;
  readonly socketPath: string;
  readonly process: SimProcess;
  readonly version: string;
  readonly startedAtSeconds: number;
  readonly sessions = new Map<string, SimSession>();
  readonly clients = new Map<string, SimClient>();
  readonly panes = new Map<string, SimPane>();
  /** `remain-on-exit` of all windows, as the user has it. */
  remainOnExit: 'off' | 'on' | 'failed' = 'off';
  /** A build that misses how one program in so many ended (utempter, up to 3.5): asked for each end. */
  missesEnd: () => boolean = () => false;
  mood: Mood = 'well';
  isGone = false;
  /** Counts every change of what a listing tells. */
  revision = 0;
  #requests = 0;

  constructor(machine: Machine, socketPath: string, version: string, by: By) {
    this.machine = machine;
    [this.socketPath, this.version] = [socketPath, version];
    this.startedAtSeconds = machine.clock.seconds;
    const argv = ['tmux', '-S', socketPath, 'new-session', '-d'];
    const spec = { argv, comm: 'tmux: server', cwd: '/', ppid: 1, session: 'own', uid: machine.uid } as const;
    this.process = machine.processes.spawn(spec, by);
    machine.journal.note(by, { what: 'server-started', server: socketPath, pid: this.process.pid });
  }

  get pid(): number {
    return this.process.pid;
  }

  /** What a listing tells of it may be otherwise than before. */
  changed(): void {
    this.revision += 1;
  }

  /** Somebody asks it something. */
  asked(): void {
    this.#requests += 1;
  }

  /** How often the kernel gave it a turn: it runs for every request, every change, and all that is printed. */
  get turns(): number {
    const isPrinting = [...this.panes.values()].some(({ screen }) => screen.printingSinceMs !== null);
    return this.revision + this.#requests + (isPrinting ? this.machine.clock.ms : 0);
  }

  setOption(of: SimSession | SimPane, name: string, value: string | null, by: By): void {
    if (value === null) of.options.delete(name);
    else of.options.set(name, value);
    this.changed();
    if (name === '@rollcall_held' && 'label' in of) this.note(by, of, { what: 'held-mark', value });
  }

  /** The pane shows something else now, which is output. */
  show(pane: SimPane, screen: Partial<SimScreen>): void {
    this.settleActivity(pane.window);
    pane.screen = { ...pane.screen, ...screen };
    pane.window.activity = this.machine.clock.seconds;
    this.changed();
  }

  setTitle(pane: SimPane, title: string): void {
    pane.title = title;
    this.changed();
  }

  /** The second of the last output in a window, with what prints all the time counted until now. */
  activityOf(window: SimWindow): number {
    const isPrinting = window.panes.some(({ screen }) => screen.printingSinceMs !== null);
    return isPrinting ? this.machine.clock.seconds : window.activity;
  }

  settleActivity(window: SimWindow): void {
    window.activity = this.activityOf(window);
  }

  protected note(
    by: By,
    { label, key }: SimSession,
    happening:
      | { readonly what: 'session-started' | 'session-renamed'; readonly name: string }
      | { readonly what: 'session-removed'; readonly why: 'killed' | 'empty' | 'server' }
      | { readonly what: 'attached' | 'detached' | 'client-input'; readonly client: string }
      | { readonly what: 'held-mark'; readonly value: string | null },
  ): void {
    this.machine.journal.note(by, { ...happening, server: this.socketPath, session: label, key });
  }

  protected inPane(
    by: By,
    pane: SimPane,
    happening:
      | { readonly what: 'typed'; readonly text: string }
      | { readonly what: 'pressed'; readonly button: string }
      | { readonly what: 'pane-mode'; readonly isOn: boolean },
  ): void {
    const { label, key } = sessionOf(pane);
    const where = { server: this.socketPath, session: label, key, pane: pane.id };
    this.machine.journal.note(by, { ...happening, ...where });
  }

  protected notePane(by: By, { label, key }: SimSession, { id, process }: SimPane): void {
    const where = { server: this.socketPath, session: label, key, pane: id };
    this.machine.journal.note(by, { what: 'pane-started', ...where, pid: process.pid, argv: process.argv });
  }
}
