import { allBudgets } from '../../../src/adapters/reaper/all-budgets.ts';
import type { Recollection } from '../../../src/core/memory/recollection.ts';
import type { PressureMemory } from '../../../src/core/pressure/memory.ts';
import { type BudgetEntry, freeAtOf, inForce, isSettling } from '../../../src/core/reaper/budget.ts';
import type { Breaker, ReapMode } from '../../../src/core/reaper/standing.ts';
import type { DaemonStanding } from '../../../src/ports/daemon.ts';
import type { PressureStore } from '../../../src/ports/pressure.ts';
import type { ReapBudgets, ReapModes } from '../../../src/ports/reaper.ts';
import type { RecollectionStore } from '../../../src/ports/recollection-store.ts';
import type { SimFile } from '../machine/install.ts';
import type { Seat } from './seat.ts';

/** What earlier looks saw; written without waiting for the disk, so that it may be lost with the power. */
export function recollections(seat: Seat): RecollectionStore {
  const file = seat.install.file<Recollection>('recollections');
  let own: Recollection | null = null;
  const problem = () =>
    seat.install.objection() ?? (seat.fault('recollections') && 'it cannot be read or written');
  return {
    load() {
      seat.step();
      own = file.now;
      const text = seat.fault('recollections') === null ? null : problem();
      return text ? { value: null, problem: text } : { value: own };
    },
    news() {
      if (file.now === own) return null;
      own = file.now;
      return own;
    },
    save(value) {
      seat.step();
      const text = problem();
      if (text) return text;
      file.write(value, false);
      own = value;
      return null;
    },
  };
}

export function pressureStore(seat: Seat): PressureStore {
  const file = seat.install.file<PressureMemory>('pressure');
  return {
    load: () => ({ value: file.now }),
    save(value) {
      seat.step();
      const objection = seat.install.objection();
      if (objection === null) file.write(value, false);
      return objection;
    },
  };
}

/** What the daemon tells of itself. */
export function standingFile({ install }: Pick<Seat, 'install'>): SimFile<DaemonStanding> {
  return install.file<DaemonStanding>('standing');
}

interface Mode {
  readonly mode: ReapMode;
  readonly breaker: Breaker | null;
  readonly stamp: string;
}

/** Mode and breaker of the reaper; shadow where nobody has said otherwise, as the real one. */
export function reapModes(seat: Seat): ReapModes {
  const file = seat.install.file<Mode>('reaper');
  const now = (): Mode => file.now ?? { mode: 'shadow', breaker: null, stamp: '0' };
  const write = (mode: Mode): string | null => {
    const objection = seat.install.objection();
    if (objection !== null) return objection;
    file.write(mode, true);
    seat.install.rings('ledger');
    return null;
  };
  return {
    read: () => ({ ...now(), problem: null }),
    set(mode) {
      seat.step();
      return write({ mode, breaker: null, stamp: String(Number(now().stamp) + 1) });
    },
    trip(breaker) {
      seat.step();
      return write({ ...now(), breaker });
    },
  };
}

/** The closes of the hour: of this install, and of all rollcalls of this user on this machine. */
export function reapBudgets(
  seat: Seat,
  policy: { readonly perHour: number; readonly settleMs: number },
): ReapBudgets {
  const [own, shared] = [seat.install, seat.machine.runtime].map((place) =>
    place.file<readonly BudgetEntry[]>('budget'),
  );
  if (own === undefined || shared === undefined) throw new Error('a budget has a place');
  return allBudgets([budgetIn(seat, own, policy), budgetIn(seat, shared, policy)]);
}

function budgetIn(
  seat: Seat,
  file: SimFile<readonly BudgetEntry[]>,
  { perHour, settleMs }: { readonly perHour: number; readonly settleMs: number },
): ReapBudgets {
  const { machine } = seat;
  const here = () => ({ now: machine.clock.moment(), bootId: machine.host.bootId });
  const load = () => inForce(file.now ?? [], here());
  const save = (entries: readonly BudgetEntry[]) => file.write(entries, true);
  const asLeft = (entry: BudgetEntry): BudgetEntry =>
    entry.isOver || machine.processes.at(entry.pid) !== undefined ? entry : { ...entry, isOver: true };
  const problem = () => (seat.fault('budget') === null ? seat.install.objection() : 'it cannot be read');
  return {
    read() {
      seat.step();
      const text = problem();
      if (text !== null) return { perHour, used: 0, freeAt: null, problem: text };
      const entries = load();
      const freeAt = entries.length < perHour ? null : freeAtOf(entries, perHour, here());
      return { perHour, used: entries.length, freeAt, problem: null };
    },
    take(key) {
      seat.step();
      const text = problem();
      if (text !== null) return { state: 'refused', text };
      const entries = load();
      if (entries.length >= perHour)
        return { state: 'used-up', text: `${entries.length} of ${perHour} closes are used` };
      if (isSettling(entries.map(asLeft), settleMs, here())) return { state: 'settling' };
      const { at, awakeMs } = machine.clock.moment();
      const { bootId } = machine.host;
      const id = `${seat.name}.${seat.steps}`;
      save([...entries, { id, at, awakeMs, bootId, pid: seat.process.pid, key, isOver: false }]);
      return {
        state: 'taken',
        settle(isUsed) {
          if (!seat.isAlive) return;
          const now = machine.clock.moment();
          const over = { isOver: true, at: now.at, awakeMs: now.awakeMs };
          const left = isUsed ? load() : load().filter((entry) => entry.id !== id);
          save(left.map((entry) => (entry.id === id ? { ...entry, ...over } : entry)));
        },
      };
    },
  };
}
