import { isGone } from '../../adapters/doctor/own-folder.ts';
import { lookAtBoxes, lookForFile } from '../../adapters/gate/look-at-check.ts';
import { branchAt } from '../../adapters/git/find-work-tree.ts';
import { createGitSensor } from '../../adapters/git/git-sensor.ts';
import { readTreeState, rootAround } from '../../adapters/git/tree-state.ts';
import { folderProblem } from '../../adapters/tmux/act/program.ts';
import type { AgentAdapter, AgentProcess, AgentReading } from '../../ports/agent.ts';
import type { Folders } from '../../ports/folders.ts';
import type { GitSensor, ProcessSensor } from '../../ports/sensor.ts';
import { allAgents } from '../look/agents.ts';
import { isFolder } from './is-folder.ts';

/** What the questions need to know of the settings. */
export interface FolderLimits {
  /** For each of git's steps. */
  readonly gitMs: number;
  readonly parallel: number;
  /** For everything about one work tree, where nobody acts on the answer. */
  readonly quickMs: number;
  /** For finding a work tree. */
  readonly folderMs: number;
}

/** Touches the folders in this very process. */
export function folderTasks(
  env: NodeJS.ProcessEnv,
  limits: FolderLimits,
  environmentOf: ProcessSensor['environment'],
): Folders {
  const now = Date.now;
  const { gitMs: timeoutMs, parallel: maxParallel, quickMs: limitMs, folderMs } = limits;
  const given = { env, now, timeoutMs, maxParallel, folderMs, cache: new Map() };
  const patient = createGitSensor(given);
  const quick = createGitSensor({ ...given, limitMs });
  const agents = allAgents(env);
  const agentOf = (kind: string): AgentAdapter | undefined => agents.find((one) => one.kind === kind);
  const whole = (process: Omit<AgentProcess, 'env'>): AgentProcess => ({
    ...process,
    env: () => environmentOf(process),
  });
  return {
    git: (cwd, isPatient, isFresh = false) =>
      senseOne(isPatient ? patient : quick, cwd, isPatient || isFresh),
    branchAt: (folder) => branchAt(folder),
    treeState: (cwd, treeMs) => readTreeState({ env, timeoutMs: treeMs }, cwd),
    rootAround,
    isFolder: async (path) => isFolder(path),
    problemOf: async (folder) => folderProblem(folder),
    isGone: async (path) => isGone(path),
    fileIn: async (cwd, path) => lookForFile(cwd, path),
    boxesIn: async (cwd, path) => lookAtBoxes(cwd, path),
    async hear(kind, { agent, launchers, others, ...scene }, hooks) {
      const told = { agent: whole(agent), launchers: launchers.map(whole), others: () => others, hooks };
      return (await agentOf(kind)?.listen?.({ ...scene, ...told })) ?? SILENT;
    },
    async todoOf(kind, stop) {
      const todo = await agentOf(kind)?.gate?.todo(stop);
      return todo ?? { state: 'unknown', text: `${kind} keeps no list` };
    },
  };
}

const SILENT: AgentReading = { signs: [], gaps: [], failures: [] };

async function senseOne(sensor: GitSensor, cwd: string, isFresh: boolean) {
  const [sighting] = await sensor.sense([cwd], isFresh);
  if (sighting === undefined) throw new Error('git was asked and did not answer');
  return sighting;
}
