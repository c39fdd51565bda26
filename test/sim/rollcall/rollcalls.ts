import type { Settings } from '../../../src/config/settings.ts';
import type { CloseDocument } from '../../../src/contract/close-schemas.ts';
import type { Input, OperationName, Output } from '../../../src/contract/operations.ts';
import type { ReapMode } from '../../../src/core/reaper/standing.ts';
import type { Endings } from '../../../src/operations/end.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimPane } from '../machine/tmux-parts.ts';
import { Seat } from '../ports/seat.ts';
import { reapModes } from '../ports/state.ts';
import { type Ran, runEndings, runOperation } from './command.ts';
import { beginDaemon, type SimDaemon } from './daemon.ts';
import type { Given } from './given.ts';

/** Where and how a process of rollcall runs. */
export interface Place extends Pick<Given, 'sockets'> {
  /** Its state folder; `home` where none is named. */
  readonly install?: string;
  /** The pane that it runs in. */
  readonly pane?: SimPane;
  readonly settings?: Settings;
  /** It is killed in place of this step. */
  readonly killAt?: number;
}

/** A command that runs. */
export interface Running<T> {
  readonly seat: Seat;
  /** Never settles where it is killed. */
  readonly answer: Promise<Ran<T>>;
}

/** What a round takes for each session on a machine that has nothing else to do. */
const USUAL_ROUND_MS = 0.05;

/**
 * The rollcalls of a machine: daemons and commands, each a process of its own. `up`, `run` and `end` begin one; its seat is
 * killed at a step (`killAt`, or `seat.kill()` whenever a story says so) and stopped (`seat.setStopped`). Two that name other
 * installs share nothing but the machine. Settings are `settingsOf({ 'reaper.grace': 60_000, … })`.
 */
export class Rollcalls {
  readonly machine: Machine;
  readonly settings: Settings;
  /** Those that were begun and have not ended, by the names of their seats. */
  readonly seats = new Map<string, Seat>();
  /** Told of every daemon that begins. */
  onDaemon: ((daemon: SimDaemon) => void) | null = null;
  readonly #roundMs: number;
  #count = 0;

  constructor(machine: Machine, settings: Settings, roundMs = USUAL_ROUND_MS) {
    [this.machine, this.settings, this.#roundMs] = [machine, settings, roundMs];
    machine.onWake = (receipt, pane) => {
      this.run('wake', { session: receipt }, { pane });
    };
  }

  /** `rollcall up`; null where one runs there already. */
  up(place: Place = {}): SimDaemon | null {
    const daemon = beginDaemon(this.#given('daemon', ['up'], place));
    if (daemon !== null) this.onDaemon?.(daemon);
    return daemon;
  }

  /** A command of that name. */
  run<N extends OperationName>(name: N, input: Input<N>, place: Place = {}): Running<Output<N>> {
    const given = this.#given(name, [name], place);
    return { seat: given.seat, answer: runOperation(given, name, input) };
  }

  /** `rollcall close` and `rollcall hibernate` with any of their flags: `--due`, several sessions. */
  end(asked: Endings, place: Place = {}): Running<CloseDocument> {
    const argv = [
      ...asked.sessions,
      ...(asked.due ? ['--due'] : []),
      ...(asked.automatic ? ['--automatic'] : []),
    ];
    const given = this.#given(asked.isToSleep ? 'hibernate' : 'close', argv, place);
    return { seat: given.seat, answer: runEndings(given, asked) };
  }

  /** `rollcall reap mode`. */
  reapMode(mode: ReapMode, place: Place = {}): void {
    const { seat } = this.#given('reap-mode', ['reap', 'mode', mode], place);
    reapModes(seat).set(mode);
    seat.end();
  }

  #given(name: string, argv: readonly string[], place: Place): Given {
    const { install: named = 'home', pane = null, settings = this.settings, killAt = null } = place;
    const { sockets } = place;
    const install = this.machine.install(named);
    // Whatever it begins with comes to rest before time goes on.
    this.machine.clock.stir();
    this.#count += 1;
    const seat = new Seat(this.machine, install, `${name}-${this.#count}`, argv, pane);
    seat.killAt = killAt;
    this.seats.set(seat.name, seat);
    seat.onEnd(() => this.seats.delete(seat.name));
    return { seat, settings, roundMs: this.#roundMs, ...(sockets && { sockets }) };
  }
}
