import type { WindowPlan } from '../../../src/core/sight/window.ts';
import type { Acted } from '../../../src/ports/actuator.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { PaneProgram } from '../machine/tmux-server.ts';
import type { Seat } from './seat.ts';
import { folderProblem } from './tmux-start.ts';

/** Which windows were begun, so that none is made twice. */
const BEGUN = '@rollcall_windows';

/** Makes the windows and panes of a plan around the pane that is there; done again it makes what is missing. */
export function layOut(seat: Seat, session: SimSession, first: SimPane, plan: readonly WindowPlan[]): Acted {
  const problem = plan
    .flatMap(({ panes }) => panes)
    .map(({ cwd }) => folderProblem(seat, cwd))
    .find((one) => one !== null);
  if (problem !== undefined) return { state: 'failed', text: problem };
  const begun = new Set((session.options.get(BEGUN) ?? '').split(' '));
  const { server } = session;
  for (const window of plan) {
    if (begun.has(String(window.index))) continue;
    begun.add(String(window.index));
    server.setOption(session, BEGUN, [...begun].join(' '), seat.by);
    const [own, ...others] = window.panes;
    if (own === undefined) continue;
    const isThere = window.panes.some((pane) => pane.isThere);
    const base = isThere ? first : server.newWindow(session, programIn(own), seat.by);
    base.window.name = window.name;
    const rest = isThere ? window.panes.filter((pane) => !pane.isThere) : others;
    for (const pane of rest) server.split(base, programIn(pane), seat.by);
  }
  return { state: 'done' };
}

function programIn({ command, cwd }: WindowPlan['panes'][number]): PaneProgram {
  return { argv: command !== undefined && command.length > 0 ? command : ['/bin/bash'], cwd };
}
