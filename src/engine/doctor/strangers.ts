import type { DoctorFacts } from '../../core/doctor/facts.ts';
import type { ProcessScene, Stranger } from '../../core/doctor/process-scene.ts';
import { recordedIn } from '../../core/doctor/recorded.ts';
import { isClaudeService } from '../../core/doctor/vendor-daemons.ts';
import { grouped } from '../../core/grouped.ts';
import { helperKind, helperNamed } from '../../core/sight/helper-kind.ts';
import { processKey } from '../../core/sight/identity.ts';
import { type Marks, marksIn } from '../../core/sight/marks.ts';
import { isKernelThread, type Process, type ProcessTable } from '../../core/sight/process.ts';
import { visible } from '../../core/text/visible.ts';
import { inPanes } from '../act/close/sweep.ts';
import type { DoctorParts } from './parts.ts';

/** What all processes have in common that are looked at more closely. */
interface Sensed {
  readonly process: Process;
  readonly argv: readonly string[];
  readonly marks: Marks | null;
}

/** Reads what processes under no pane tell of themselves. Whatever is neither marked, recorded nor known is left out. */
export function senseStrangers(
  seen: Pick<DoctorFacts, 'roll' | 'table' | 'ledger' | 'recollection'>,
  parts: DoctorParts,
): ProcessScene {
  const { table, roll } = seen;
  const serverPids = serversIn(seen);
  const shown = inPanes(roll);
  const own = ownLine(table, parts.own.pid);
  const outside = [...table.byPid.values()].filter(
    (process) =>
      !shown.has(processKey(process)) &&
      process.pid > 1 &&
      !isKernelThread(process, table.byPid) &&
      process.state !== 'Z' &&
      !serverPids.has(process.pid) &&
      !own.has(process.pid),
  );
  const recorded = recordedIn(seen);
  const sensed = sense(outside, parts);
  const telling = sensed.filter(
    ({ process, argv, marks }) =>
      (marks !== null && isMarked(marks)) ||
      recorded.processes.has(processKey(process)) ||
      isKnown(argv, process, parts),
  );
  const below = descendants(telling, sensed);
  const ownServerPids = ownAmong(serverPids, table, parts);
  const strangers = describe([...telling, ...below], parts);
  return { ownUid: parts.own.uid, serverPids, ownServerPids, strangers };
}

function ownAmong(pids: Iterable<number>, { byPid }: ProcessTable, parts: DoctorParts): ReadonlySet<number> {
  const uids = parts.owners.uids([...pids].flatMap((pid) => byPid.get(pid) ?? []));
  return new Set([...pids].filter((pid) => uids.get(pid) === parts.own.uid));
}

/** Its own process and everything above it: nobody ends what it runs in. */
function ownLine({ byPid }: ProcessTable, ownPid: number): ReadonlySet<number> {
  const line = new Set<number>();
  for (let at = byPid.get(ownPid); at && !line.has(at.pid); at = byPid.get(at.ppid)) line.add(at.pid);
  return line;
}

function serversIn({ roll, table }: Pick<DoctorFacts, 'roll' | 'table'>): ReadonlySet<number> {
  const answered = roll.servers.flatMap(({ pid }) => pid ?? []);
  const named = [...table.byPid.values()].filter(({ comm }) => comm === 'tmux: server' || comm === 'tmux');
  return new Set([...answered, ...named.map(({ pid }) => pid)]);
}

function sense(processes: readonly Process[], { processes: sensor, own }: DoctorParts): Sensed[] {
  const details = sensor.details(processes, { io: false, memory: false, cwd: false });
  const environments = sensor.environments(processes);
  const self = sensor.table().byPid.get(own.pid);
  const ownNamespace = self && sensor.placesOf([self]).get(own.pid)?.pidNamespace;
  return processes.flatMap((process) => {
    const argv = details.get(process.pid)?.argv;
    const env = environments.get(process.pid);
    const marks = env === undefined ? null : marksIn(env);
    if (argv === undefined) return [];
    // The numbers in a container's marks are that container's: nothing in it is this user's leftover.
    const isElsewhere = marks !== null && isMarked(marks) && !isHere(process, sensor, ownNamespace);
    return [{ process, argv, marks: isElsewhere ? null : marks }];
  });
}

function isHere(
  process: Process,
  sensor: DoctorParts['processes'],
  ownNamespace: string | undefined,
): boolean {
  const place = ownNamespace === undefined ? undefined : sensor.placesOf([process]).get(process.pid);
  return place === undefined || place.pidNamespace === ownNamespace;
}

function isMarked({ pane, run, agent }: Marks): boolean {
  return pane !== null || run !== null || agent !== null;
}

function isKnown(argv: readonly string[], { comm }: Process, parts: DoctorParts): boolean {
  return (
    parts.naming.program(comm, argv).role === 'agent' ||
    sharedBy(argv, parts) !== null ||
    helperNamed(argv) !== null
  );
}

function sharedBy(argv: readonly string[], { agents }: DoctorParts): string | null {
  if (isClaudeService(argv)) return 'claude';
  return agents.find((agent) => agent.isShared?.(argv) ?? false)?.kind ?? null;
}

/** What runs below them and tells nothing of itself. */
function descendants(telling: readonly Sensed[], all: readonly Sensed[]): Sensed[] {
  const children = grouped(all, ({ process }) => process.ppid);
  const found = new Set(telling.map(({ process }) => process.pid));
  const below: Sensed[] = [];
  const open = [...found];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.process.pid)) continue;
      found.add(child.process.pid);
      below.push(child);
      open.push(child.process.pid);
    }
  }
  return below;
}

function describe(sensed: readonly Sensed[], parts: DoctorParts): Stranger[] {
  const processes = sensed.map(({ process }) => process);
  const uids = parts.owners.uids(processes);
  const details = parts.processes.details(processes, { io: false, memory: true, cwd: false });
  const helpers = sensed.filter(({ argv }) => helperNamed(argv) !== null).map(({ process }) => process);
  const piped = parts.processes.pipedAmong(helpers);
  const ignoring = parts.owners.ignoresHangup(helpers);
  const keeping = parts.processes.keepTerminals(processes);
  return sensed.map(({ process, argv, marks }) => {
    const keepsTerminal = keeping.get(process.pid);
    const { name, role, agentKind, command } = parts.naming.program(process.comm, argv);
    return {
      process,
      program: { name: visible(name, 120), role, command, ...(agentKind !== undefined && { agentKind }) },
      argv,
      helper: helperKind(argv, piped.has(process.pid)),
      sharedBy: sharedBy(argv, parts),
      uid: uids.get(process.pid) ?? null,
      marks,
      memoryBytes: details.get(process.pid)?.pssBytes ?? process.rssBytes,
      ignoresHangup: ignoring.get(process.pid) ?? null,
      ...(keepsTerminal !== undefined && { keepsTerminal }),
      progress: null,
    };
  });
}
