import { createDeclaredFacts, type KnownFacts } from '../../adapters/declared/declared-facts.ts';
import { branchAt } from '../../adapters/git/find-work-tree.ts';
import { createHostSensor } from '../../adapters/host/host-sensor.ts';
import { createProcessSensor } from '../../adapters/proc/process-sensor.ts';
import { createShellSensor } from '../../adapters/proc/shell-sensor.ts';
import { createRecollectionFile } from '../../adapters/state/json-file.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import { ledgerMark } from '../../adapters/store-sqlite/ledger-mark.ts';
import { realSocketPath } from '../../adapters/tmux/find-sockets.ts';
import { createTmuxSensor } from '../../adapters/tmux/tmux-sensor.ts';
import { protectionIn } from '../../config/broken-project.ts';
import { matchesGlob } from '../../config/glob.ts';
import type { Settings } from '../../config/settings.ts';
import { isElsewhere, isRecollection } from '../../core/memory/recollection.ts';
import { bootWords, type HostIdentity } from '../../core/sight/identity.ts';
import { paneNamedIn } from '../../core/sight/pane-named-in.ts';
import { expectedSockets } from '../../engine/look/lost.ts';
import { createNaming } from '../../engine/look/naming.ts';
import type { Parts, Settles } from '../../engine/look/parts.ts';
import { createScreenKeeper } from '../../engine/look/screen-keeper.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';
import type { GitSensor } from '../../ports/sensor.ts';
import { factsFileIn } from '../facts-file.ts';
import { type FolderDesk, folderDesk } from '../folders/folders.ts';
import { hostedAgents } from '../folders/hosted-agents.ts';
import { hooksIn } from '../hook-log.ts';
import { openLedger } from '../ledger.ts';
import { ownStateFolder, ownUid } from '../system/own-user.ts';
import { programOnPath } from '../system/program-on-path.ts';
import { storeOf } from '../system/store-of.ts';
import { allAgents } from './agents.ts';
import { endsIn } from './ends.ts';
import type { Scope } from './scope.ts';

/** One look need not wait longer for a ledger that somebody writes to; what it cannot read is unknown until the next. */
const LOOK_WAITS_MS = 1000;

/** What the ledger says. Behind a state folder that is refused something may have been declared that nobody can read. */
function declaredIn(folder: StateFolder, env: NodeJS.ProcessEnv, host: () => HostIdentity): KnownFacts {
  if (folder.state === 'refused') {
    const text = `what was declared cannot be read: ${folder.text}`;
    return { current: () => ({ state: 'failed', text, hint: folder.hint }), known: () => new Map() };
  }
  return createDeclaredFacts({
    mark: () => ledgerMark(folder.path),
    checkpoint: factsFileIn(folder.path),
    host,
    openLedger: () => openLedger(env, 'look', LOOK_WAITS_MS),
  });
}

/** What a look is made of, part by part. */
export function partsOf({ env, settings, sockets, spawn, scriptedAgent, isPatient = false }: Scope): Parts {
  const now = Date.now;
  const desk = folderDesk(env, { gitMs: settings.git.timeoutMs, parallel: settings.git.parallel });
  const agents = hostedAgents(allAgents(env, scriptedAgent), desk);
  const folder = ownStateFolder(env);
  const host = createHostSensor({ now });
  const declared = declaredIn(folder, env, () => host.identity());
  const tmux = createTmuxSensor({
    env,
    uid: ownUid(),
    now,
    timeoutMs: settings.tmux.timeoutMs,
    answers: (path) => desk.answers(path),
    expectedSockets: () => expectedSockets(declared.known(), host.identity()),
    ...(sockets && { onlySockets: sockets }),
    ...withinOf(env),
    ...(spawn && { spawn }),
  });
  return {
    // Started while tmux answers.
    tmux: {
      ...tmux,
      sense: (processes) =>
        tmux.sense(() => {
          desk.warm();
          return processes();
        }),
    },
    screens: createScreenKeeper(tmux.capture),
    hooks: hooksIn(folder, agents, now),
    declared,
    ends: endsIn(folder),
    processes: createProcessSensor({ now }),
    shells: createShellSensor({
      ...{ env, now, timeoutMs: settings.tmux.timeoutMs },
      branchAt: (folder) => desk.hosted()?.branchAt(folder) ?? branchAt(folder),
    }),
    git: hostedGit(gitOnDemand(env, now, settings), desk, isPatient),
    host,
    agents,
    naming: createNaming(agents),
    recollections: recollectionsIn(folder, () => host.identity()),
    policy: settings.policy,
    protectedBy: (name) => settings.protect.find((pattern) => matchesGlob(pattern, name)),
    protectedIn: (folders) => protectionIn(settings.brokenProject, folders),
    ownPane: paneNamedIn(env),
    ownPid: process.pid,
    settles: () => settlesIn(env),
    isTmuxInstalled: () => programOnPath('tmux', env) !== null,
  };
}

function withinOf({ ROLLCALL_SOCKETS_WITHIN: folder = '' }: NodeJS.ProcessEnv): { within?: string } {
  // As the paths of sockets are compared: without links.
  return folder === '' ? {} : { within: realSocketPath(folder) };
}

// Locks are loaded only where something was declared complete.
async function settlesIn(env: NodeJS.ProcessEnv): Promise<Settles> {
  const { runningSettler } = await import('../daemon/settle.ts');
  return runningSettler(env);
}

// Most looks ask git nothing, and its code takes time to load.
function gitOnDemand(env: NodeJS.ProcessEnv, now: () => number, { git }: Settings): GitSensor {
  let sensor: Promise<GitSensor> | undefined;
  const load = async (): Promise<GitSensor> => {
    const { createGitSensor } = await import('../../adapters/git/git-sensor.ts');
    return createGitSensor({ env, now, timeoutMs: git.timeoutMs, maxParallel: git.parallel });
  };
  return {
    async sense(cwds, isFresh) {
      sensor ??= load();
      return (await sensor).sense(cwds, isFresh);
    },
  };
}

/** In another process wherever a folder may give no answer. */
function hostedGit(own: GitSensor, desk: FolderDesk, isPatient: boolean): GitSensor {
  return {
    sense(cwds, isFresh) {
      const folders = desk.hosted();
      if (folders === null) return own.sense(cwds, isFresh);
      return Promise.all([...new Set(cwds)].map((cwd) => folders.git(cwd, isPatient, isFresh)));
    },
  };
}

/**
 * The memory of the looks. Machines that share the state folder have a file each: the first has the plain one, and nobody
 * writes over what another machine remembers.
 */
export function recollectionsIn(folder: StateFolder, identity: () => HostIdentity): RecollectionStore {
  if (folder.state === 'refused') {
    const problem = `${folder.text} (${folder.hint})`;
    return { load: () => ({ value: null, problem }), save: () => null };
  }
  const storeFor = (machine?: string) => {
    const file = createRecollectionFile({ folder: folder.path, isValid: isRecollection, machine });
    const store = storeOf(file);
    return { ...store, news: () => (file.isChanged() ? store.load().value : null) };
  };
  const shared = storeFor();
  let own = shared;
  return {
    load() {
      const found = shared.load();
      const host = identity();
      if (found.value === null || !isElsewhere(found.value, host)) return found;
      own = storeFor(bootWords(host).machine);
      return own.load();
    },
    news: () => own.news(),
    save: (value) => own.save(value),
  };
}
