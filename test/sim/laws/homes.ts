import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type { JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimProcess } from '../machine/process.ts';
import type { SimSession } from '../machine/tmux-parts.ts';
import { sessionOf } from '../machine/tmux-server.ts';

/** Remembers in which session each pane was, also once it is gone. */
export class Homes {
  readonly #machine: Machine;
  readonly #ofPane = new Map<string, SimSession>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  on(entry: JournalEntry): void {
    if (entry.what !== 'pane-started') return;
    const server = this.#machine.servers.get(entry.server);
    const session = [...(server?.sessions.values() ?? [])].find(({ key }) => key === entry.key);
    if (server !== undefined && session !== undefined)
      this.#ofPane.set(`${entry.server},${server.pid},${entry.pane}`, session);
  }

  /** The session that a process belongs to: by its tree, else by the mark that it was born with. */
  of(mark: ProcessMark): SimSession | null {
    const process = this.#machine.processes.find(mark);
    if (process === undefined) return null;
    for (let at: SimProcess | undefined = process; at !== undefined && at.pid > 1; ) {
      const pane = this.#machine.paneOf(at);
      if (pane !== null && pane.window.sessions.size > 0) return sessionOf(pane);
      at = this.#machine.processes.at(at.ppid);
    }
    const [socket, pid] = process.env.TMUX?.split(',') ?? [];
    const pane = `${socket},${pid},${process.env.TMUX_PANE}`;
    return this.#ofPane.get(pane) ?? null;
  }
}
