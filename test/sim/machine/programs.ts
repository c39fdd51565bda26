import { SLEEPER } from '../../../src/core/sleep/sleeper.ts';
import { SimAgent } from './agent.ts';
import { kindOf } from './agent-kinds.ts';
import type { By } from './journal.ts';
import type { Machine } from './machine.ts';
import type { Program, SimProcess } from './process.ts';
import { SimShell } from './shell.ts';
import type { SimPane } from './tmux-parts.ts';

/** What a command line becomes when it is started in a pane; null where it only runs. */
export function programFor(machine: Machine, process: SimProcess, pane: SimPane): Program | null {
  const { argv } = process;
  const name = argv[0]?.split('/').at(-1) ?? '';
  const kind = kindOf(argv);
  if (kind !== null) {
    process.rssBytes = Math.max(process.rssBytes, AGENT_BYTES);
    return new SimAgent(machine, process, pane, kind);
  }
  if (argv[3] === SLEEPER) return new Sleeper(machine, process, pane);
  if (name === 'bash' || name === '-bash') return new SimShell(machine, process, pane);
  if (name === 'prints') return printing(machine, process, pane);
  if (name === 'ends') {
    machine.clock.after(Number(argv[1] ?? 0), () =>
      machine.processes.end(process, { status: Number(argv[2] ?? 0) }, 'agent'),
    );
  }
  return null;
}

const AGENT_BYTES = 350 * 1024 * 1024;

/** `prints`: a program that prints all the time, as a build or a log does. */
function printing(machine: Machine, process: SimProcess, pane: SimPane): Program | null {
  machine.processes.use(process, 0.02);
  pane.server.show(pane, { lines: ['building'], printingSinceMs: machine.clock.ms });
  return null;
}

/** rollcall's own sleeper: Enter starts `rollcall wake`, anything else is nothing to it. */
class Sleeper implements Program {
  readonly #machine: Machine;
  readonly #process: SimProcess;
  readonly #pane: SimPane;

  constructor(machine: Machine, process: SimProcess, pane: SimPane) {
    [this.#machine, this.#process, this.#pane] = [machine, process, pane];
    process.rssBytes = 1024 * 1024;
    const lines = [...(process.argv[5] ?? '').split('\n'), '', '  Press Enter to wake it. '];
    pane.server.show(pane, { lines, cursor: { x: 26, y: lines.length - 1 }, printingSinceMs: null });
  }

  pressed(key: 'Enter' | 'BSpace', by: By): void {
    const receipt = this.#process.argv[4] ?? '';
    if (key === 'Enter') this.#machine.onWake?.(receipt, this.#pane, this.#process, by);
  }

  signalled(signal: string) {
    return signal === 'SIGINT' ? ('ignored' as const) : ('ends' as const);
  }
}
