import type { Capabilities } from '../cli/frame/capabilities.ts';

/** Makes what commands work with. Loaded when it is asked for: each command pays only for what it uses. */
export function capabilitiesOf(env: NodeJS.ProcessEnv, version: string): Capabilities {
  return {
    eyes: async (config) => (await import('./look/parts.ts')).composeLook({ env, settings: await config() }),
    hands: async (config) => (await import('./hands.ts')).composeHands(env, await config()),
    standIn: async (_, written) => (await import('./look/view.ts')).composeStandIn(env, written, version),
    handOver: async (_, argv) => (await import('./daemon/hand-over.ts')).handOver(env, argv),
    installedAgents: async () => (await import('./look/agents.ts')).findInstalledAgents(env),
    theatre: async (config) =>
      (await import('./theatre.ts')).composeTheatre({ env, settings: await config() }),
    hookConfig: async (_, cwd) => (await import('./hooks.ts')).composeHookConfig(env, cwd),
    ledger: async () => (await import('./ledger.ts')).openLedger(env, 'cli'),
    archive: async () => (await import('./look/conversations.ts')).openArchive(env),
    history: async () => (await import('./history.ts')).composeHistoryReader(env),
    lockDesk: async () => (await import('./locks.ts')).composeLockDesk(env),
    guardProbes: async (_, timeoutMs) => (await import('./guard.ts')).composeGuardProbes(env, timeoutMs),
    daemonControl: async () => (await import('./daemon/control.ts')).composeDaemonControl(env),
    beginDaemon: async (config, servers, protectNow) =>
      (await import('./daemon/daemon.ts')).beginDaemon(
        { env, settings: await config() },
        { servers, version, protectNow },
      ),
    pressure: async (config) => (await import('./pressure.ts')).composePressure(env, await config()),
    reapDesk: async (config) => (await import('./reaper.ts')).composeReapDesk(env, await config()),
    gate: async (config) => {
      const { settingsOrStandard } = await import('../operations/config-failure.ts');
      // What only lets agents stop must not wait until a file is mended.
      return (await import('./gate/gate.ts')).composeGateParts(env, await settingsOrStandard(config));
    },
    answerStop: async (_, request) => (await import('./gate/stop.ts')).answerStop(env, request),
    doctor: async (config, cwd) =>
      (await import('./doctor/doctor.ts')).composeDoctor({ env, settings: await config() }, cwd),
    notifyTest: async () => (await import('./notify.ts')).composeNotifyTest(env),
  };
}
