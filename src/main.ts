import { outsideOf } from './cli/frame/outside.ts';
import { runCli } from './cli/frame/run-cli.ts';
import { FOLDERS_WORD, startFoldersWith } from './compose/folders/folders.ts';
import { labelSocket } from './compose/system/label-socket.ts';
import { keepToProgramPath, withUserPath } from './compose/system/user-path.ts';

declare const __ROLLCALL_VERSION__: string;

const { env } = process;
keepToProgramPath(env);
const version = __ROLLCALL_VERSION__;

// Loaded when they are asked for: each command pays only for what it uses.
const outside = outsideOf(process, {
  version,
  env: withUserPath(env),
  socketOf: (label) => labelSocket(label, env),
  handOver: async (argv) => (await import('./compose/daemon/hand-over.ts')).handOver(env, argv),
  compose: async (settings) => (await import('./compose/look/look.ts')).composeLook({ env, settings }),
  installedAgents: async () => (await import('./compose/look/agents.ts')).findInstalledAgents(env),
  hookConfig: async (cwd) => (await import('./compose/hooks.ts')).composeHookConfig(env, cwd),
  guardProbes: async (timeoutMs) => (await import('./compose/guard.ts')).composeGuardProbes(env, timeoutMs),
  notifyTest: async () => (await import('./compose/notify.ts')).composeNotifyTest(env),
  ledger: async () => (await import('./compose/ledger.ts')).openLedger(env, 'cli'),
  archive: async () => (await import('./compose/archive.ts')).openArchive(env),
  history: async () => (await import('./compose/history.ts')).composeHistoryReader(env),
  lockDesk: async () => (await import('./compose/locks.ts')).composeLockDesk(env),
  composeHands: async (settings) => (await import('./compose/hands.ts')).composeHands(env, settings),
  daemonControl: async () => (await import('./compose/daemon/control.ts')).composeDaemonControl(env),
  composeDaemon: async (settings, servers, protectNow) =>
    (await import('./compose/daemon/daemon.ts')).beginDaemon(
      { env, settings },
      { servers, version, protectNow },
    ),
  composeStandIn: async (settings) =>
    (await import('./compose/look/stand-in.ts')).composeStandIn({ env, settings }, version),
  composeDoctor: async (settings, cwd) =>
    (await import('./compose/doctor/doctor.ts')).composeDoctor({ env, settings }, cwd),
  composeReapDesk: async (settings) => (await import('./compose/reaper.ts')).composeReapDesk(env, settings),
  answerStop: async (request) => (await import('./compose/gate/stop.ts')).answerStop(env, request),
  composeGate: async (settings) => (await import('./compose/gate/gate.ts')).composeGateParts(env, settings),
  composePressure: async (settings) => (await import('./compose/pressure.ts')).composePressure(env, settings),
  composeTheatre: async (settings) =>
    (await import('./compose/theatre.ts')).composeTheatre({ env, settings }),
});
const [program = '', word, words] = process.argv.slice(1);
startFoldersWith([process.execPath, program]);
// No command: only rollcall itself starts this, to look at folders that may give no answer.
const isServing = async () =>
  word === FOLDERS_WORD && (await import('./compose/folders/serve-folders.ts')).serveFolders(env, words);
isServing().then(async (isServed) => {
  if (!isServed) process.exitCode = await runCli(process.argv.slice(2), outside);
});
