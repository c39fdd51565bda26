import { join } from 'node:path';
import { createCommandRunner } from '../../adapters/commands/run-command.ts';
import { createGateChecks } from '../../adapters/gate/gate-checks.ts';
import { createGateStore, noGateStore } from '../../adapters/gate/gate-store.ts';
import { lookAtBoxes, lookForFile } from '../../adapters/gate/look-at-check.ts';
import { readTreeState, rootAround } from '../../adapters/git/tree-state.ts';
import { createEndStarted } from '../../adapters/proc/end-started.ts';
import type { Settings } from '../../config/settings.ts';
import type { GateParts } from '../../engine/gate/parts.ts';
import type { AgentAdapter } from '../../ports/agent.ts';
import type { GateChecks, GateStore } from '../../ports/gate.ts';
import type { WriterLock } from '../../ports/lock.ts';
import type { GitSensor } from '../../ports/sensor.ts';
import { carefulRunner, type FolderDesk, folderDesk } from '../folders/folders.ts';
import { hostedAgents } from '../folders/hosted-agents.ts';
import { composeLocks } from '../locks.ts';
import { allAgents } from '../look/agents.ts';
import { ownStateFolder, ownUid, withUserPath } from '../system/own-user.ts';

/** What contracts are made, looked at and ended with. */
export function composeGateParts(env: NodeJS.ProcessEnv, settings: Pick<Settings, 'git'>): GateParts {
  const gitMs = Math.max(settings.git.timeoutMs, PATIENT_GIT_MS);
  const desk = folderDesk(env, { gitMs, parallel: settings.git.parallel });
  const agents = hostedAgents(allAgents(env), desk);
  return {
    ...{ agents, env, now: Date.now },
    projectOf: (cwd) => desk.hosted()?.rootAround(cwd) ?? rootAround(cwd),
    store: gateStoreIn(env, agents),
    checks: gateChecksIn(env, { gitTimeoutMs: gitMs, desk }),
    writer: writerOnDemand(env),
  };
}

/** Nobody waits for a hook here. */
const PATIENT_GIT_MS = 10_000;

/** Contracts, modes and the switch of this user. */
export function gateStoreIn(env: NodeJS.ProcessEnv, agents: readonly AgentAdapter[]): GateStore {
  const state = ownStateFolder(env);
  const folder = join(state.path, 'gate');
  if (state.state === 'refused') return noGateStore(folder, state.text);
  const daemons = new Set(agents.filter(({ gate }) => gate?.hasDaemon).map(({ kind }) => kind));
  return createGateStore({
    ...{ folder, uid: ownUid(), now: Date.now },
    hasDaemon: (kind) => daemons.has(kind),
  });
}

export function gateChecksIn(
  env: NodeJS.ProcessEnv,
  given: {
    readonly gitTimeoutMs: number;
    readonly signal?: AbortSignal;
    /** Without one everything is looked at in this process, as for a hook, whose own folder it is and which waits no longer. */
    readonly desk?: FolderDesk;
  },
): GateChecks {
  const { gitTimeoutMs, signal, desk = NO_DESK } = given;
  const access = { env, timeoutMs: gitTimeoutMs };
  return createGateChecks({
    tree: (cwd) => desk.hosted()?.treeState(cwd, gitTimeoutMs) ?? readTreeState(access, cwd),
    git: gitOnDemand(env, gitTimeoutMs, desk),
    run: carefulRunner(createCommandRunner(withUserPath(env), createEndStarted()), desk),
    files: {
      lookFor: (cwd, path) => desk.hosted()?.fileIn(cwd, path) ?? lookForFile(cwd, path),
      boxesIn: (cwd, path) => desk.hosted()?.boxesIn(cwd, path) ?? lookAtBoxes(cwd, path),
    },
    ...(signal && { signal }),
  });
}

const NO_DESK: FolderDesk = { hosted: () => null, answers: () => null, warm: () => {} };

// Only a check of what is pushed needs it.
function gitOnDemand(env: NodeJS.ProcessEnv, timeoutMs: number, desk: FolderDesk): GitSensor {
  return {
    async sense(cwds) {
      const folders = desk.hosted();
      if (folders !== null) return Promise.all(cwds.map((cwd) => folders.git(cwd, true)));
      const { createGitSensor } = await import('../../adapters/git/git-sensor.ts');
      return createGitSensor({ env, now: Date.now, timeoutMs }).sense(cwds);
    },
  };
}

/** The locks take some time to load, and not everybody writes. */
export function writerOnDemand(env: NodeJS.ProcessEnv): WriterLock {
  return {
    async hold(claim, timeoutMs, work) {
      const { createWriterLock } = await import('../../adapters/lock/writer-lock.ts');
      return createWriterLock(await composeLocks(env)).hold(claim, timeoutMs, work);
    },
  };
}
