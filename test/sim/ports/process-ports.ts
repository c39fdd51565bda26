import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import type {
  Process,
  ProcessDetails,
  ProcessMarkers,
  ProcessTable,
} from '../../../src/core/sight/process.ts';
import type { ProcessActuator } from '../../../src/ports/actuator.ts';
import type { ProcessOwners, ProcessSensor } from '../../../src/ports/sensor.ts';
import type { SimProcess } from '../machine/process.ts';
import type { Seat } from './seat.ts';

const NAMESPACE = '4026531836';
const details = new WeakMap<SimProcess, ProcessDetails>();
const markers = new WeakMap<SimProcess, ProcessMarkers>();

/** Sees the processes of a machine through its kernel. */
export function processSensor(seat: Seat): ProcessSensor {
  const { machine } = seat;
  const living = function* (marks: Iterable<ProcessMark>) {
    for (const mark of marks) {
      const found = machine.processes.find(mark);
      if (found !== undefined) yield found;
    }
  };
  return {
    sense(): ProcessTable {
      seat.step();
      const observedAt = machine.clock.at;
      if (seat.fault('processes') !== null) {
        return {
          observedAt,
          byPid: new Map(),
          isComplete: false,
          problem: 'the process table cannot be read',
        };
      }
      return { observedAt, byPid: machine.processes.seen(), isComplete: true };
    },
    details(marks) {
      seat.step();
      const found = new Map<number, ProcessDetails>();
      if (seat.fault('processes') !== null) return found;
      for (const process of living(marks)) found.set(process.pid, detailsOf(process));
      return found;
    },
    markers(marks) {
      seat.step();
      const found = new Map<number, ProcessMarkers>();
      for (const process of living(marks)) found.set(process.pid, markersOf(process));
      return found;
    },
    daemonSigns(marks) {
      seat.step();
      const signs = { isListening: false };
      return new Map(
        [...living(marks)].map((one) => [
          one.pid,
          { ...signs, executable: one.argv[0] ?? null, hasTerminal: one.tty !== null },
        ]),
      );
    },
    placesOf: (marks) =>
      new Map([...living(marks)].map(({ pid }) => [pid, { pidNamespace: NAMESPACE, pidInside: pid }])),
    environment: (mark) => machine.processes.find(mark)?.env ?? null,
    standsAt: () => true,
    otherPath: () => null,
    holdersOf(ttys, among) {
      seat.step();
      const byTty = new Map<string, Process[]>(ttys.map((tty) => [tty, []]));
      for (const process of among) {
        const path = machine.processes.find(process)?.tty?.path;
        if (path !== undefined) byTty.get(path)?.push(process);
      }
      return { byTty, isComplete: true };
    },
    pipedAmong: (marks) => pidsOf(living(marks), ({ pipes }) => pipes.reads && pipes.writes),
    readersAmong: (marks) => pidsOf(living(marks), ({ pipes }) => pipes.reads && !pipes.writes),
    keepTerminals: (marks) => new Map([...marks].map(({ pid }) => [pid, false])),
  };
}

/** Sends signals to processes that are still the ones that were judged. */
export function processActuator(seat: Seat): ProcessActuator {
  const { machine } = seat;
  const reach: ProcessActuator['reach'] = (mark) => {
    seat.step();
    if (mark.pid <= 1 || mark.pid === seat.process.pid)
      return { state: 'refused', text: 'it is rollcall itself' };
    const found = machine.processes.find(mark);
    if (found === undefined || found.ending !== null) return { state: 'gone' };
    if (found.uid !== machine.uid)
      return { state: 'refused', text: `process ${mark.pid} belongs to somebody else` };
    return { state: 'there' };
  };
  return {
    reach,
    isProvenGone: ({ pid }) => !machine.processes.seen().has(pid),
    signal(mark, signal) {
      const found = reach(mark);
      if (found.state !== 'there') return found;
      return { state: machine.processes.signal(mark, signal, seat.by) === 'gone' ? 'gone' : 'sent' };
    },
  };
}

/** Knows whose processes are. */
export function processOwners({ machine }: Seat): ProcessOwners & { readonly own: number } {
  const living = (marks: Iterable<ProcessMark>) =>
    [...marks].flatMap((mark) => machine.processes.find(mark) ?? []);
  return {
    own: machine.uid,
    uids: (marks) => new Map(living(marks).map(({ pid, uid }) => [pid, uid])),
    ignoresHangup: (marks) => new Map(living(marks).map(({ pid, ignoresHangup }) => [pid, ignoresHangup])),
  };
}

function detailsOf(process: SimProcess): ProcessDetails {
  const { pid, startTicks, argv, cwd, ioBytes, rssBytes } = process;
  const known = details.get(process);
  if (known !== undefined && known.cwd === cwd && known.ioBytes === ioBytes && known.pssBytes === rssBytes)
    return known;
  const now = { pid, startTicks, argv, cwd, ioBytes, pssBytes: rssBytes };
  details.set(process, now);
  return now;
}

function markersOf(process: SimProcess): ProcessMarkers {
  const known = markers.get(process);
  if (known !== undefined) return known;
  const { pid, startTicks, env } = process;
  const { TMUX: tmux, TMUX_PANE: tmuxPane } = env;
  const now = {
    pid,
    startTicks,
    ...(tmux !== undefined && { tmux }),
    ...(tmuxPane !== undefined && { tmuxPane }),
  };
  markers.set(process, now);
  return now;
}

function pidsOf(processes: Iterable<SimProcess>, is: (process: SimProcess) => boolean): ReadonlySet<number> {
  return new Set([...processes].filter(is).map(({ pid }) => pid));
}
