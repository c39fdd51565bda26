import type { Value } from '../../../src/config/setting.ts';
import type { Settings } from '../../../src/config/settings.ts';
import type { AgentKind } from '../machine/agent-kinds.ts';
import { KINDS } from '../machine/agent-kinds.ts';
import { Machine } from '../machine/machine.ts';
import { seedIds } from '../machine/rng.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import { Rollcalls } from './rollcalls.ts';
import { settingsOf } from './settings.ts';

/** A machine with one tmux server and so many sessions, each with an agent in a pane. */
export interface Room {
  readonly machine: Machine;
  readonly rollcalls: Rollcalls;
  readonly settings: Settings;
  session(label: string): SimSession;
  pane(label: string): SimPane;
  until(ms: number): Promise<void>;
  leave(): void;
}

export interface RoomWish {
  readonly seed?: number;
  readonly sessions?: number;
  readonly settings?: Readonly<Record<string, Value>>;
  readonly kind?: (index: number) => AgentKind;
}

export const SOCKET = '/tmp/tmux-1000/default';

/** Opens it. Everything that takes random ids in this process has them from the seed until `leave`. */
export function openRoom({
  seed = 1,
  sessions = 3,
  settings: said,
  kind = () => 'full',
}: RoomWish = {}): Room {
  const machine = new Machine(seed);
  const leave = seedIds(machine.rng.fork('ids'));
  const settings = settingsOf(said);
  const server = machine.startServer(SOCKET);
  for (let index = 0; index < sessions; index += 1) {
    const label = `s${index}`;
    const cwd = `${machine.home}/${label}`;
    server.newSession(
      { label, name: `work-${index}`, cwd, argv: [`/usr/bin/${KINDS[kind(index)].program}`] },
      'person',
    );
  }
  const session = (label: string): SimSession => {
    const found = machine.session(label);
    if (found === undefined) throw new Error(`there is no session ${label}`);
    return found;
  };
  return {
    ...{ machine, settings, session, leave },
    rollcalls: new Rollcalls(machine, settings),
    pane: (label) => session(label).current.active,
    until: (ms) => machine.clock.runUntil(ms),
  };
}
