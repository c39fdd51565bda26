import { restorerOf } from '../../../src/compose/daemon/restore.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import { DAEMON } from '../../../src/core/lock/subject.ts';
import { CLOSE_TIMINGS } from '../../../src/engine/act/close/order.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { createCloseTurn } from '../../../src/engine/daemon/close-turn.ts';
import { createDaemon, type Daemon } from '../../../src/engine/daemon/create-daemon.ts';
import { createInterruptedObserver } from '../../../src/engine/daemon/interrupted-observer.ts';
import {
  createEndsObserver,
  createMissingObserver,
  createRestoreObserver,
} from '../../../src/engine/daemon/lost-observers.ts';
import { seldomSaved } from '../../../src/engine/daemon/seldom-saved.ts';
import {
  createLayoutsObserver,
  createStandingObserver,
} from '../../../src/engine/daemon/standing-observer.ts';
import { createLayoutKeeper } from '../../../src/engine/layouts/keep-layouts.ts';
import { createLook, serialLook } from '../../../src/engine/look/create-look.ts';
import { createPressureLook } from '../../../src/engine/pressure.ts';
import { createReaper } from '../../../src/engine/reaper/create-reaper.ts';
import { createSettler } from '../../../src/engine/settle/create-settler.ts';
import type { DaemonLog } from '../../../src/ports/daemon.ts';
import { ledger } from '../ports/ledger.ts';
import { locksOf } from '../ports/locks.ts';
import { ends, layouts } from '../ports/records.ts';
import type { Seat } from '../ports/seat.ts';
import { pressureSensor } from '../ports/sensors.ts';
import { pressureStore, reapBudgets, reapModes, standingFile } from '../ports/state.ts';
import { tmuxActuator } from '../ports/tmux-acts.ts';
import type { Given } from './given.ts';
import { handsOf } from './hands.ts';
import { partsOf } from './parts.ts';
import { stirring } from './stirring.ts';
import { wakeSources } from './wakes.ts';

/** A daemon of rollcall that runs in a world. */
export interface SimDaemon {
  readonly seat: Seat;
  readonly desk: Daemon['desk'];
  /** Its last notes, for whoever looks for the cause of something. */
  readonly log: readonly string[];
  /** Ends it as `rollcall down` does. */
  stop(): Promise<void>;
}

const ARGV = ['rollcall', 'up'];
const MOST_NOTES = 300;

/** Begins to supervise, as src/compose/daemon/daemon.ts does; null where another one of this install does. */
export function beginDaemon(given: Given): SimDaemon | null {
  const { seat, settings, sockets, roundMs } = given;
  const { machine } = seat;
  const taken = locksOf(seat).tryLock(DAEMON, { task: 'daemon', argv: [] });
  if (taken.state !== 'held') {
    seat.end();
    return null;
  }
  const notes: string[] = [];
  const log = logInto(notes, seat);
  const own = partsOf(given);
  const recollections = seldomSaved(own.recollections);
  const isSettling = settings.daemon.settle === 'on';
  const settles = async () => () => isSettling;
  const look = serialLook(createLook({ ...own, recollections, settles }, (ms) => seat.wait(ms)));
  const turn = createCloseTurn();
  const openHands = async () => {
    recollections.flush();
    return handsOf(given, 'daemon');
  };
  const closer = closerParts(seat, openHands);
  const closing = { ...closer, turn, argv: ARGV, timings: CLOSE_TIMINGS, now: () => machine.clock.moment() };
  let [cpuMs, sessions] = [0, 0];
  const daemon = createDaemon({
    ...{ look, openHands, log, stirring: stirring(seat) },
    pressure: createPressureLook({
      ...{ sensor: pressureSensor(seat), store: pressureStore(seat), host: own.host },
      policy: settings.pressure,
    }),
    reaper: createReaper({
      ...{ ...closing, look, screens: own.tmux, policy: settings.reaper },
      ...{ modes: reapModes(seat), budgets: reapBudgets(seat, settings.reaper) },
    }),
    settler: createSettler({ ...closing, mode: settings.daemon.settle, roles: settings }),
    wakes: wakeSources(seat),
    ledger: ledger(seat, 'daemon'),
    now: () => own.host.now(),
    // The rhythm of the rounds depends on it, so it must not be that of this machine.
    cpuMs: () => {
      cpuMs += 0.5 + sessions * roundMs;
      return cpuMs;
    },
    timers: { after: (ms, call) => seat.after(ms, call) },
  });
  const { desk } = daemon;
  desk.onRound(({ roll }) => {
    sessions = roll.sessions.length;
  });
  observe(given, desk, { own, closer, log });
  const standing = standingFile(seat);
  const warn = (text: string) => log.warn('not-saved', { text });
  desk.onRound(
    createStandingObserver(
      { pid: seat.process.pid },
      (told) => save(seat, () => standing.write(told, false)),
      warn,
      sockets,
    ),
  );
  void daemon.run().catch(() => {});
  return {
    ...{ seat, desk, log: notes },
    async stop() {
      await daemon.stop();
      recollections.flush();
      taken.hold.release();
      seat.end();
    },
  };
}

/** What closes by itself, records and acts with. */
function closerParts(seat: Seat, openHands: () => Promise<Hands>) {
  return {
    async record(drafts: readonly EntryDraft[]): Promise<void> {
      const own = ledger(seat, 'daemon');
      for (const draft of drafts) own.append(draft);
    },
    withHands: async <T>(work: (hands: Hands) => Promise<T>): Promise<T> => work(await openHands()),
  };
}

function observe(
  { seat, settings }: Given,
  desk: Daemon['desk'],
  {
    own,
    closer,
    log,
  }: { own: ReturnType<typeof partsOf>; closer: ReturnType<typeof closerParts>; log: DaemonLog },
): void {
  desk.onRound(createEndsObserver(desk, ends(seat)));
  desk.onRound(createInterruptedObserver(desk));
  const keepLayouts = createLayoutKeeper({
    ...{ ...own, ledger: desk.ledger, now: () => seat.machine.clock.at },
    ...{ layouts: layouts(seat), tmux: tmuxActuator(seat) },
  });
  desk.onRound(createLayoutsObserver(keepLayouts, (text) => log.warn('not-saved', { text })));
  const restorer = restorerOf(closer, log);
  desk.onRound(createMissingObserver(desk.ledger, restorer.record));
  desk.onRound(
    createRestoreObserver({
      ...{ mode: settings.restore.onBoot, ledger: desk.ledger },
      ...restorer,
      onOffer: (text) => log.note('restore-offer', { text }),
    }),
  );
}

function save({ install, isAlive }: Seat, write: () => void): string | null {
  const objection = install.objection();
  if (objection === null && isAlive) write();
  return objection;
}

function logInto(notes: string[], { machine }: Seat): DaemonLog {
  const keep = (event: string, fields: object = {}) => {
    notes.push(`${machine.clock.ms} ${event} ${JSON.stringify(fields)}`);
    if (notes.length > MOST_NOTES) notes.shift();
  };
  return { note: keep, warn: keep };
}
