import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createCommandRunner } from '../adapters/commands/run-command.ts';
import { createGateChecks } from '../adapters/gate/gate-checks.ts';
import { createGateStore, noGateStore } from '../adapters/gate/gate-store.ts';
import { readTreeState, rootAround } from '../adapters/git/tree-state.ts';
import type { Settings } from '../config/settings.ts';
import type { GateParts } from '../engine/gate/parts.ts';
import type { AgentAdapter } from '../ports/agent.ts';
import type { GateChecks, GateStore } from '../ports/gate.ts';
import type { WriterLock } from '../ports/lock.ts';
import type { GitSensor } from '../ports/sensor.ts';
import { allAgents } from './agents.ts';
import { composeLocks } from './locks.ts';
import { ownStateFolder, ownUid } from './own-user.ts';

/** What contracts are made, looked at and ended with. */
export function composeGateParts(env: NodeJS.ProcessEnv, settings: Pick<Settings, 'git'>): GateParts {
  const agents = allAgents();
  return {
    ...{ agents, env, now: Date.now, projectOf: rootAround },
    store: gateStoreIn(env, agents),
    checks: gateChecksIn(env, { gitTimeoutMs: Math.max(settings.git.timeoutMs, PATIENT_GIT_MS) }),
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
  { gitTimeoutMs, signal }: { readonly gitTimeoutMs: number; readonly signal?: AbortSignal },
): GateChecks {
  const access = { env, timeoutMs: gitTimeoutMs };
  return createGateChecks({
    tree: (cwd) => readTreeState(access, cwd),
    git: gitOnDemand(env, gitTimeoutMs),
    run: createCommandRunner(env),
    ...(signal && { signal }),
  });
}

// Only a check of what is pushed needs it.
function gitOnDemand(env: NodeJS.ProcessEnv, timeoutMs: number): GitSensor {
  return {
    async sense(cwds) {
      const { createGitSensor } = await import('../adapters/git/git-sensor.ts');
      return createGitSensor({ env, now: Date.now, timeoutMs }).sense(cwds);
    },
  };
}

/** The locks take some time to load, and not everybody writes. */
export function writerOnDemand(env: NodeJS.ProcessEnv): WriterLock {
  return {
    async hold(claim, timeoutMs, work) {
      const { createWriterLock } = await import('../adapters/lock/writer-lock.ts');
      return createWriterLock(await composeLocks(env)).hold(claim, timeoutMs, work);
    },
  };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
