import type { SimAgent } from '../machine/agent.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimShell } from '../machine/shell.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { Seat } from '../ports/seat.ts';
import type { Rollcalls } from '../rollcall/rollcalls.ts';
import type { Cast } from './cast.ts';

/** Where an event happens: the session that it is about as it is now, and whoever gave the moment for it. */
export class Spot {
  readonly machine: Machine;
  readonly rollcalls: Rollcalls;
  readonly cast: Cast;
  readonly session: SimSession | undefined;
  /** The process of rollcall at whose deed it happens. */
  readonly seat: Seat | undefined;

  constructor(
    { machine, rollcalls, cast }: Pick<Spot, 'machine' | 'rollcalls' | 'cast'>,
    session: SimSession | undefined,
    seat: Seat | undefined,
  ) {
    [this.machine, this.rollcalls, this.cast, this.session, this.seat] = [
      machine,
      rollcalls,
      cast,
      session,
      seat,
    ];
  }

  get panes(): SimPane[] {
    return this.session?.windows.flatMap(({ panes }) => panes) ?? [];
  }

  get pane(): SimPane | undefined {
    return this.agent?.pane ?? this.panes[0];
  }

  get agent(): SimAgent | undefined {
    for (const pane of this.panes) {
      const agent = this.machine.agentIn(pane);
      if (agent?.isAlive) return agent;
    }
    return undefined;
  }

  get shell(): SimShell | undefined {
    for (const pane of this.panes) {
      const shell = this.machine.shellIn(pane);
      if (shell?.process.ending === null) return shell;
    }
    return undefined;
  }

  /** Whether people get anywhere there: a server that hangs shows them nothing. */
  get isReached(): boolean {
    return this.session?.server.mood === 'well' && !this.machine.isDown;
  }

  after(ms: number, call: () => void): void {
    this.machine.clock.after(ms, call);
  }
}
