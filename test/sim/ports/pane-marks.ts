import type { WindowLayout } from '../../../src/core/sight/window.ts';
import type { PaneEnd, PaneStamp } from '../../../src/ports/actuator.ts';
import type { EndHook, SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { SimTmuxServer } from '../machine/tmux-server.ts';
import type { Seat } from './seat.ts';

/** Writes on a pane by which it is known again; what is null is taken off. */
export function stampPane({ by }: Seat, server: SimTmuxServer, pane: SimPane, stamp: PaneStamp): void {
  const { run, owner, role, task } = stamp;
  for (const [name, value] of Object.entries({ run, owner, role, task })) {
    server.setOption(pane, `@rollcall_${name}`, value, by);
  }
}

/** Says what becomes of a pane when its program ends. */
export function setEnd(seat: Seat, server: SimTmuxServer, pane: SimPane, how: PaneEnd): void {
  const { by } = seat;
  if (how === 'held') {
    pane.endHook = { kind: 'nothing' };
    server.setOption(pane, 'remain-on-exit', 'on', by);
    server.setOption(pane, '@rollcall_ends', null, by);
  } else if ('remain' in how) {
    pane.endHook = null;
    server.setOption(pane, 'remain-on-exit', how.remain, by);
  } else {
    pane.endHook = recording(seat, how.run, how.isKept);
    server.setOption(pane, 'remain-on-exit', 'on', by);
    server.setOption(pane, '@rollcall_ends', 'on', by);
  }
}

function recording({ install }: Seat, run: string, isKept: boolean): EndHook {
  return {
    ...{ kind: 'record', run, isKept },
    write(end) {
      if (install.objection() !== null) return false;
      install.ends.set(run, end);
      install.rings('tmux-hook');
      return true;
    },
  };
}

/** How the windows and panes of a session are laid out. */
export function layoutOf(session: SimSession): WindowLayout[] {
  return session.windows.map((window, index) => ({
    ...{ index, name: window.name, isActive: session.current === window, layout: window.layout },
    panes: window.panes.map((pane) => ({
      ...{
        paneId: pane.id,
        isActive: window.active === pane,
        command: pane.process.argv,
        cwd: pane.startPath,
      },
    })),
  }));
}
