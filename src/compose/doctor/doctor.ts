import { createDoctorSensor } from '../../adapters/doctor/doctor-sensor.ts';
import { createOwnFiles, isGone } from '../../adapters/doctor/own-folder.ts';
import { createPressureSensor } from '../../adapters/host/pressure-sensor.ts';
import { createProcessOwners } from '../../adapters/proc/process-owners.ts';
import { createProcessTies } from '../../adapters/proc/process-ties.ts';
import { createModeFile, noModes } from '../../adapters/reaper/mode-file.ts';
import { createTmuxRunner } from '../../adapters/tmux/run-tmux.ts';
import { matchesGlob } from '../../config/glob.ts';
import type { Process, ProcessTable } from '../../core/sight/process.ts';
import { programPath } from '../../core/sight/program-path.ts';
import { LEAKED_VARIABLES } from '../../engine/act/caller-environment.ts';
import { gather, gatherProcesses } from '../../engine/doctor/gather.ts';
import type { Doctor } from '../../engine/doctor/mender.ts';
import type { DoctorParts } from '../../engine/doctor/parts.ts';
import { createLedgerReader } from '../../engine/doctor/read-ledger.ts';
import { createSight, type MachineSight } from '../../engine/doctor/sight.ts';
import { createWatch } from '../../engine/doctor/watch-progress.ts';
import { createLook } from '../../engine/look/create-look.ts';
import type { OwnFiles } from '../../ports/doctor.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { folderDesk } from '../folders/folders.ts';
import { composeHookConfig, spoolIn } from '../hooks.ts';
import { openLedger } from '../ledger.ts';
import { composeLocks } from '../locks.ts';
import { findInstalledAgents } from '../look/agents.ts';
import { conversationsIn } from '../look/conversations.ts';
import { partsOf, type Scope, wait } from '../look/parts.ts';
import { programOnPath } from '../system/find-program.ts';
import { ownStateFolder, ownUid, userName } from '../system/own-user.ts';

/** The doctor with the real sensors; `cwd` tells which project is meant. */
export async function composeDoctor(scope: Scope, cwd: string): Promise<Doctor> {
  const parts = await doctorPartsOf(scope, cwd);
  return {
    gather: (onStep) => gather(parts, onStep),
    gatherProcesses: () => gatherProcesses(parts),
    files: composeOwnFiles(scope.env),
    protectedBy: parts.protectedBy,
  };
}

/** Everything that the doctor sees with. */
async function doctorPartsOf(scope: Scope, cwd: string): Promise<DoctorParts> {
  const parts = partsOf(scope);
  const { processes, table } = keepingTable(parts.processes);
  const recollections = keepingMemory(parts.recollections);
  const ties = createProcessTies();
  return {
    look: createLook({ ...parts, processes, recollections }, wait),
    processes: {
      table,
      sense: processes.sense,
      details: (of, wanted) => processes.details(of, wanted),
      environments: (of) => environmentsOf(of, processes),
      pipedAmong: (of) => processes.pipedAmong(of),
      keepTerminals: (of) => processes.keepTerminals(of),
      placesOf: (of) => processes.placesOf(of),
    },
    owners: createProcessOwners(),
    ties,
    agents: parts.agents,
    naming: parts.naming,
    recollections: { load: recollections.loadNow },
    host: parts.host,
    ledger: createLedgerReader(() => openLedger(scope.env, 'look')),
    sight: await composeSight(scope, cwd, { sense: table, details: processes.details }),
    protectedBy: (name) => parts.protectedBy(name) ?? unreadablePattern(scope),
    watch: createWatch({ processes, ties, now: () => parts.host.now().awakeMs, wait }),
    own: { pid: process.pid, uid: ownUid() },
  };
}

// Whose leftovers a broken project file wanted to keep nobody can tell, so none is ended while it is broken.
function unreadablePattern({ settings: { brokenProject } }: Scope): string | undefined {
  return brokenProject && `that cannot be read in ${brokenProject.file}`;
}

// The table of a look is all that the doctor needs: one pass over a thousand processes is enough.
function keepingTable(sensor: ProcessSensor): { processes: ProcessSensor; table: () => ProcessTable } {
  let last: ProcessTable | null = null;
  const sense = () => {
    last = sensor.sense();
    return last;
  };
  return { processes: { ...sensor, sense }, table: () => last ?? sense() };
}

// The look takes what the doctor has just read: it is a file of a kilobyte for each pane.
function keepingMemory(
  store: RecollectionStore,
): RecollectionStore & { readonly loadNow: RecollectionStore['load'] } {
  let last: ReturnType<RecollectionStore['load']> | null = null;
  return {
    ...store,
    load: () => last ?? store.load(),
    loadNow() {
      last = store.load();
      return last;
    },
  };
}

// ps would be started once for each process, so where there is no /proc only tmux's own marks are read.
function environmentsOf(
  processes: readonly Process[],
  sensor: ProcessSensor,
): ReadonlyMap<number, Readonly<Record<string, string | undefined>>> {
  if (process.platform === 'darwin') {
    const marked = [...sensor.markers(processes).values()];
    return new Map(marked.map(({ pid, tmux, tmuxPane }) => [pid, { TMUX: tmux, TMUX_PANE: tmuxPane }]));
  }
  return new Map(
    processes.flatMap((one) => {
      const env = sensor.environment(one);
      return env === null ? [] : [[one.pid, env] as const];
    }),
  );
}

/** What the doctor's session and machine checks look at, with the real sensors. */
export async function composeSight(
  { env, settings, spawn }: Omit<Scope, 'sockets'>,
  cwd: string,
  processes: Pick<ProcessSensor, 'sense' | 'details'>,
): Promise<MachineSight> {
  const folder = ownStateFolder(env);
  const { orphanPatterns, staleHoldMs } = settings.doctor;
  const desk = folderDesk(env, { gitMs: settings.git.timeoutMs, parallel: settings.git.parallel });
  return createSight({
    sensor: createDoctorSensor({
      run: createTmuxRunner({ env, timeoutMs: settings.tmux.timeoutMs, ...(spawn && { spawn }) }),
      folder: folder.path,
      spoolFolder: spoolIn(folder),
      uid: ownUid(),
      user: userName(env),
      watched: LEAKED_VARIABLES,
      isGone: (path) => desk.hosted()?.isGone(path) ?? isGone(path),
    }),
    hooks: await composeHookConfig(env, cwd),
    installed: () => findInstalledAgents(env),
    pressure: createPressureSensor({ now: Date.now }),
    locks: await composeLocks(env, processes),
    reapModes: folder.state === 'refused' ? noModes(folder.text) : createModeFile(folder.path),
    conversations: {
      ...conversationsIn(folder, settings, () => false),
      maxBytes: settings.archive.keepConversationsBytes,
    },
    programs: () => {
      const path = programPath(env.PATH);
      return PROGRAMS.map((name) => ({ name, isFound: programOnPath(name, env) !== null, path }));
    },
    orphanPattern: (name) => orphanPatterns.find(({ pattern }) => matchesGlob(pattern, name)),
    staleHoldMs,
  });
}

const PROGRAMS = ['tmux', 'git'] as const;

/** Mends files of the state folder. */
export function composeOwnFiles(env: NodeJS.ProcessEnv): OwnFiles {
  return createOwnFiles({ folder: ownStateFolder(env).path, uid: ownUid() });
}
