import { createDoctorSensor } from '../../adapters/doctor/doctor-sensor.ts';
import { createOwnFiles, isGone } from '../../adapters/doctor/own-folder.ts';
import { createPressureSensor } from '../../adapters/host/pressure-sensor.ts';
import { createModeFile, noModes } from '../../adapters/reaper/mode-file.ts';
import { createTmuxRunner } from '../../adapters/tmux/run-tmux.ts';
import { matchesGlob } from '../../config/glob.ts';
import { programPath } from '../../core/sight/program-path.ts';
import { LEAKED_VARIABLES } from '../../engine/act/leaked-variables.ts';
import { createSight, type Sight } from '../../engine/doctor/sight.ts';
import type { OwnFiles } from '../../ports/doctor.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { folderDesk } from '../folders/folders.ts';
import { spoolIn } from '../hook-log.ts';
import { composeHookConfig } from '../hooks.ts';
import { composeLocks } from '../locks.ts';
import { findInstalledAgents } from '../look/agents.ts';
import { conversationsIn } from '../look/conversations.ts';
import type { Scope } from '../look/scope.ts';
import { ownStateFolder, ownUid, userName } from '../system/own-user.ts';
import { programOnPath } from '../system/program-on-path.ts';

/** What the doctor's session and machine checks look at, with the real sensors. */
export async function composeSight(
  { env, settings, spawn }: Omit<Scope, 'sockets'>,
  cwd: string,
  processes: Pick<ProcessSensor, 'sense' | 'details'>,
): Promise<Sight> {
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
    programs: () =>
      PROGRAMS.map((name) => ({
        name,
        isFound: programOnPath(name, env) !== null,
        path: programPath(env.PATH),
      })),
    orphanPattern: (name) => orphanPatterns.find(({ pattern }) => matchesGlob(pattern, name)),
    staleHoldMs,
  });
}

const PROGRAMS = ['tmux', 'git'] as const;

/** Mends files of the state folder. */
export function composeOwnFiles(env: NodeJS.ProcessEnv): OwnFiles {
  return createOwnFiles({ folder: ownStateFolder(env).path, uid: ownUid() });
}
