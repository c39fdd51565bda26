import { folderProblem } from '../adapters/tmux/act/program.ts';
import { realSocketPath, socketPathInTmux } from '../adapters/tmux/find-sockets.ts';
import type { Settings } from '../config/settings.ts';
import { withoutLeaked } from '../engine/act/caller-environment.ts';
import type { Hands } from '../engine/act/hands.ts';
import { createLook } from '../engine/look/create-look.ts';
import { carefulRunner, folderDesk } from './folders/folders.ts';
import { openLedger } from './ledger.ts';
import { composeLocks } from './locks.ts';
import { endPlaceOf, endsIn, startsIn } from './look/ends.ts';
import { layoutsIn } from './look/layouts.ts';
import { partsOf, type Scope, wait } from './look/parts.ts';
import { findProgram, isFolder, ownProgram, realPath } from './system/find-program.ts';
import { labelSocket, ownStateFolder, ownUid, withUserPath } from './system/own-user.ts';

/** Everything that changes sessions, for one who acts in this process. Whoever asks for it closes its ledger. */
export async function composeHands(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  given: Pick<Scope, 'sockets'> &
    Pick<Partial<Hands>, 'onStep' | 'own'> & { readonly actorKind?: string } = {},
): Promise<Hands> {
  const { sockets, onStep, actorKind = 'cli', own = Object.values(ownProgram()) } = given;
  const { createTmuxActuator } = await import('../adapters/tmux/act/tmux-actuator.ts');
  const { brokenVariables } = await import('../adapters/proc/broken-variables.ts');
  const { createProcessActuator } = await import('../adapters/proc/process-actuator.ts');
  const { createProcessOwners } = await import('../adapters/proc/process-owners.ts');
  const { conversationsIn, openArchive } = await import('./look/conversations.ts');
  const { createCommandRunner } = await import('../adapters/commands/run-command.ts');
  const { createEndStarted } = await import('../adapters/proc/end-started.ts');
  const { createWriterLock } = await import('../adapters/lock/writer-lock.ts');
  const { gateStoreIn } = await import('./gate/gate.ts');
  const uid = ownUid();
  const broken = brokenVariables(env);
  const callerEnv = Object.fromEntries(
    Object.entries(withUserPath(env)).filter(([name]) => !broken.includes(name)),
  );
  const parts = partsOf({ env, settings, isPatient: true, ...(sockets && { sockets }) });
  const desk = folderDesk(env, { gitMs: settings.git.timeoutMs, parallel: settings.git.parallel });
  const isFolderHere = (path: string) => desk.hosted()?.isFolder(path) ?? isFolder(path);
  const locks = await composeLocks(env);
  return {
    look: createLook(parts, wait),
    ledger: await openLedger(env, actorKind),
    locks,
    writer: createWriterLock(locks),
    ends: endsIn(ownStateFolder(env)),
    starts: startsIn(ownStateFolder(env)),
    layouts: layoutsIn(ownStateFolder(env)),
    tmux: createTmuxActuator({
      ...{ env, uid, serverEnv: withoutLeaked(callerEnv), ...endPlaceOf(env) },
      folderProblem: (folder) => desk.hosted()?.problemOf(folder) ?? folderProblem(folder),
    }),
    screens: parts.tmux,
    processes: { ...parts.processes, ...createProcessActuator() },
    owners: { ...createProcessOwners(), own: uid },
    agents: parts.agents,
    hooks: parts.hooks,
    archive: openArchive(env),
    conversations: conversationsIn(ownStateFolder(env), settings, isFolderHere),
    gates: gateStoreIn(env, parts.agents),
    runCommand: carefulRunner(createCommandRunner(callerEnv, createEndStarted()), desk),
    wakesOnAttach: settings.wake.isOnAttach,
    own,
    callerEnv,
    brokenVariables: broken,
    socketOf(server) {
      const around = server === undefined ? socketPathInTmux(env.TMUX) : null;
      return around == null ? labelSocket(server ?? 'default', env) : realSocketPath(around);
    },
    findProgram,
    isFolder: isFolderHere,
    realFolder: realPath,
    now: Date.now,
    moment: parts.host.now,
    wait,
    ...(onStep && { onStep }),
  };
}
