import { folderProblem } from '../adapters/tmux/act/program.ts';
import { realSocketPath, socketPathInTmux, socketPathOf } from '../adapters/tmux/find-sockets.ts';
import type { Settings } from '../config/settings.ts';
import type { Hands } from '../engine/act/hands.ts';
import { withoutLeaked } from '../engine/act/leaked-variables.ts';
import { createLook } from '../engine/look/create-look.ts';
import { carefulRunner } from './folders/careful-runner.ts';
import { folderDesk } from './folders/folders.ts';
import { isFolder, realFolder } from './folders/is-folder.ts';
import { openLedger } from './ledger.ts';
import { composeLocks } from './locks.ts';
import { endPlaceOf, endsIn } from './look/ends.ts';
import { layoutsIn } from './look/layouts.ts';
import { wait } from './look/look.ts';
import { partsOf } from './look/parts.ts';
import type { Scope } from './look/scope.ts';
import { startsIn } from './look/starts.ts';
import { findProgram } from './system/find-program.ts';
import { ownProgram } from './system/own-program.ts';
import { ownStateFolder, ownUid } from './system/own-user.ts';
import { withUserPath } from './system/user-path.ts';

/** Everything that changes sessions, for one who acts in this process. Whoever asks for it closes its ledger. */
export async function composeHands(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  {
    sockets,
    onStep,
    actorKind = 'cli',
    own = Object.values(ownProgram()),
  }: Pick<Scope, 'sockets'> &
    Pick<Hands, 'onStep'> & { readonly actorKind?: string; readonly own?: Hands['own'] } = {},
): Promise<Hands> {
  const { createTmuxActuator } = await import('../adapters/tmux/act/tmux-actuator.ts');
  const { brokenVariables } = await import('../adapters/proc/broken-variables.ts');
  const { createProcessActuator } = await import('../adapters/proc/process-actuator.ts');
  const { createProcessOwners } = await import('../adapters/proc/process-owners.ts');
  const { openArchive } = await import('./archive.ts');
  const { conversationsIn } = await import('./look/conversations.ts');
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
    socketOf: (server) =>
      realSocketPath(
        server === undefined
          ? (socketPathInTmux(env.TMUX) ?? socketPathOf('default', env, uid))
          : socketPathOf(server, env, uid),
      ),
    findProgram,
    isFolder: isFolderHere,
    realFolder,
    now: Date.now,
    moment: parts.host.now,
    wait,
    ...(onStep && { onStep }),
  };
}
