import { MEMORY_LEVELS } from '../machine/host.ts';
import type { Machine } from '../machine/machine.ts';
import { sessionOf } from '../machine/tmux-server.ts';
import type { Seat } from '../ports/seat.ts';
import type { Rollcalls } from '../rollcall/rollcalls.ts';

/** How long the calm at the end lasts: longer than an idle agent has to rest, and everything after that takes. */
export const CALM_HOURS = 0.75;

const EVERY_MS = 5 * 60_000;

/**
 * The end of a story: nothing new happens and everything works again, but memory stays short. What people began is over: they
 * leave, and agents come to the end of their turns. In every other world the reaper is off by then: what is complete has to go
 * without it.
 */
export function calmDown(machine: Machine, rollcalls: Rollcalls, isReaping: boolean): void {
  for (const server of machine.servers.values()) {
    server.setMood('well', 'story');
    for (const client of [...server.clients.values()]) server.detach(client, 'person');
    for (const pane of server.panes.values()) if (pane.modes > 0) server.setMode(pane, false, 'person');
  }
  for (const install of machine.installs.values()) {
    install.setDisk('well', 'story');
    [install.spool.unheard, install.spool.problem] = [[], null];
  }
  for (const agent of machine.agents) {
    agent.fateOfHook = () => 'sent';
    [agent.lags.status, agent.lags.screen] = [0, 0];
    [agent.shows.status, agent.shows.screen, agent.shows.title] = [true, true, true];
    // An agent may live on without its pane.
    const isLeft = agent.pane.window.sessions.size === 0 || sessionOf(agent.pane).isGone;
    if (isLeft) continue;
    if (agent.truth.turn === 'running') agent.endTurn('agent');
    agent.redraw();
  }
  for (const seat of rollcalls.seats.values()) seat.setStopped(false);
  const isOwnDaemon = ({ name, install }: Seat) => name.startsWith('daemon-') && install.name === 'home';
  if (![...rollcalls.seats.values()].some(isOwnDaemon)) rollcalls.up();
  rollcalls.reapMode(isReaping ? 'enforce' : 'off');
  const keepPressing = () => {
    const isShort = machine.host.stallSome >= MEMORY_LEVELS.critical.stallSome;
    if (!isShort) machine.host.setMemory(MEMORY_LEVELS.critical);
    machine.clock.after(EVERY_MS, keepPressing);
  };
  keepPressing();
}
