import type { By } from './journal.ts';
import type { Machine } from './machine.ts';
import type { Program, Reaction, Signal, SimProcess } from './process.ts';
import type { SimPane } from './tmux-parts.ts';
import { COOKED } from './tty.ts';

/** What a shell does at its terminal. */
export type ShellStanding = 'prompt' | 'busy' | 'question';

// What bash gives the terminal while it waits in its line editor.
const EDITING: ReadonlySet<string> = new Set([
  '-icanon',
  '-echo',
  '-icrnl',
  'lnext=<undef>',
  'iexten',
  '-inlcr',
]);

/** A bash in a pane: at its prompt, behind a command, or at a question of a script. */
export class SimShell implements Program {
  readonly machine: Machine;
  readonly process: SimProcess;
  readonly pane: SimPane;
  /** What is typed and not entered. */
  draft = '';
  standing: ShellStanding = 'prompt';
  #front: SimProcess | null = null;

  constructor(machine: Machine, process: SimProcess, pane: SimPane) {
    [this.machine, this.process, this.pane] = [machine, process, pane];
    this.#draw();
  }

  get prompt(): string {
    const name =
      this.process.cwd === this.machine.home ? '~' : this.process.cwd.replace(`${this.machine.home}/`, '~/');
    return `${this.machine.user}@${this.machine.host.name}:${name}$ `;
  }

  /** Runs a command in front; the prompt comes back when it has ended. */
  run(argv: readonly string[], by: By, rssBytes?: number): SimProcess {
    const { processes } = this.machine;
    const { pid, cwd, env, tty } = this.process;
    this.standing = 'busy';
    const spec = { argv, cwd, env, ppid: pid, group: 'own' } as const;
    const child = processes.spawn({ ...spec, ...(rssBytes !== undefined && { rssBytes }) }, by);
    this.#front = child;
    if (tty !== null) [tty.front, tty.settings] = [child.pgid, COOKED];
    this.#ran();
    this.pane.server.show(this.pane, {
      history: [...this.pane.screen.history, `${this.prompt}${argv.join(' ')}`].slice(-200),
    });
    this.machine.begin(child, this.pane);
    return child;
  }

  /** Leaves something behind that has nothing to do with the terminal any more (`setsid`, `nohup`, `&`). */
  leave(argv: readonly string[], by: By, how: 'setsid' | 'nohup' | 'job' = 'job'): SimProcess {
    const { pid, cwd, env } = this.process;
    const child = this.machine.processes.spawn(
      {
        ...{ argv, cwd, env, ppid: pid, group: 'own', ignoresHangup: how === 'nohup' },
        ...(how === 'setsid' && { session: 'own' }),
      },
      by,
    );
    this.#ran();
    return child;
  }

  /** A script asks for a line (`read -p`). */
  ask(text: string): void {
    this.standing = 'question';
    this.#draw(text);
  }

  typed(text: string): void {
    this.draft += text;
    this.#draw();
  }

  pressed(key: 'Enter' | 'BSpace', by: By): void {
    const { draft } = this;
    this.draft = key === 'BSpace' ? draft.slice(0, -1) : '';
    if (key === 'Enter' && draft === 'exit') this.machine.processes.end(this.process, { status: 0 }, by);
    else if (key === 'Enter' && draft.trim() !== '') this.run(draft.trim().split(/\s+/), by);
    else this.#draw();
  }

  signalled(signal: Signal): Reaction {
    if (signal !== 'SIGHUP') return 'ignored';
    // bash hands it on to its jobs.
    for (const child of this.machine.processes.children(this.process.pid)) {
      if (child.sid === this.process.sid) this.machine.processes.signal(child, 'SIGHUP', 'kernel');
    }
    return 'ends';
  }

  childEnded(child: SimProcess): void {
    if (child !== this.#front) return;
    this.#front = null;
    this.standing = 'prompt';
    if (this.process.ending === null) this.#draw();
  }

  #ran(): void {
    this.machine.processes.spend(this.process, 1);
    if (this.process.tty !== null) this.process.tty.readAt = this.machine.clock.seconds;
  }

  #draw(question?: string): void {
    const { tty, pgid } = this.process;
    const isAsked = this.standing === 'question';
    if (tty !== null) [tty.front, tty.settings] = [pgid, isAsked ? COOKED : EDITING];
    const line = `${isAsked ? (question ?? '? ') : this.prompt}${this.draft}`;
    this.#ran();
    this.pane.server.show(this.pane, {
      ...{ lines: ['', line], cursor: { x: line.length, y: 1 }, isAlternate: false, printingSinceMs: null },
    });
    this.pane.server.setTitle(this.pane, this.machine.host.name);
  }
}
