import { rollCommand } from '../roll/roll.ts';
import type { Command } from './command.ts';

// Only the default command comes with the start; the others cost nothing until they are called.
const COMMANDS = {
  roll: async () => rollCommand,
  explain: async () => (await import('../explain/explain.ts')).explainCommand,
  watch: async () => (await import('../watch/watch-command.ts')).watchCommand,
  events: async () => (await import('../events/events.ts')).eventsCommand,
  wait: async () => (await import('../wait/wait.ts')).waitCommand,
  guard: async () => (await import('../guard/guard.ts')).guardCommand,
  run: async () => (await import('../run/run.ts')).runCommand,
  adopt: async () => (await import('../declare/adopt.ts')).adoptCommand,
  hold: async () => (await import('../declare/hold.ts')).holdCommand,
  unhold: async () => (await import('../declare/hold.ts')).unholdCommand,
  retain: async () => (await import('../declare/retain.ts')).retainCommand,
  complete: async () => (await import('../declare/complete.ts')).completeCommand,
  close: async () => (await import('../close/close.ts')).closeCommand,
  reopen: async () => (await import('../reopen/reopen.ts')).reopenCommand,
  hibernate: async () => (await import('../close/hibernate.ts')).hibernateCommand,
  wake: async () => (await import('../reopen/wake.ts')).wakeCommand,
  restore: async () => (await import('../restore/restore.ts')).restoreCommand,
  agents: async () => (await import('../agents/agents.ts')).agentsCommand,
  status: async () => (await import('../status/status.ts')).statusCommand,
  doctor: async () => (await import('../doctor/doctor.ts')).doctorCommand,
  up: async () => (await import('../up/up.ts')).upCommand,
  down: async () => (await import('../up/down.ts')).downCommand,
  api: async () => (await import('../api/api.ts')).apiCommand,
  log: async () => (await import('../log/log.ts')).logCommand,
  verify: async () => (await import('../log/verify.ts')).verifyCommand,
  'reap report': async () => (await import('../reap/report.ts')).reapReportCommand,
  backtest: async () => (await import('../backtest/backtest.ts')).backtestCommand,
  demo: async () => (await import('../demo/demo.ts')).demoCommand,
  'reap mode': async () => (await import('../reap/mode.ts')).reapModeCommand,
  'reap now': async () => (await import('../reap/now.ts')).reapNowCommand,
  'gate start': async () => (await import('../gate/start.ts')).gateStartCommand,
  'gate status': async () => (await import('../gate/status.ts')).gateStatusCommand,
  'gate finish': async () => (await import('../gate/finish.ts')).gateFinishCommand,
  'gate abandon': async () => (await import('../gate/abandon.ts')).gateAbandonCommand,
  'gate mode': async () => (await import('../gate/mode.ts')).gateModeCommand,
  'gate report': async () => (await import('../gate/report.ts')).gateReportCommand,
  'gate off': async () => (await import('../gate/off.ts')).gateOffCommand,
  'gate on': async () => (await import('../gate/on.ts')).gateOnCommand,
  lock: async () => (await import('../lock/lock.ts')).lockCommand,
  'lock status': async () => (await import('../lock/status.ts')).lockStatusCommand,
  'hooks install': async () => (await import('../hooks/install.ts')).hooksInstallCommand,
  'hooks remove': async () => (await import('../hooks/install.ts')).hooksRemoveCommand,
  'hooks status': async () => (await import('../hooks/status.ts')).hooksStatusCommand,
  'notify test': async () => (await import('../notify/test.ts')).notifyTestCommand,
  'config explain': async () => (await import('../config/explain.ts')).configExplainCommand,
  completions: async () => (await import('../completions/completions.ts')).completionsCommand,
  help: async () => (await import('../help/help.ts')).helpCommand,
  version: async () => (await import('../help/version.ts')).versionCommand,
} as const;

/** Called by completion scripts and by the hooks of agents; in no help. */
const HIDDEN = {
  __names: async () => (await import('../completions/complete-names.ts')).completeNamesCommand,
  __stop: async () => (await import('../gate/stop.ts')).stopCommand,
} as const;

export type CommandName = keyof typeof COMMANDS | keyof typeof HIDDEN;

/** Every command a person may call, in the order in which help lists them. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];

export const HIDDEN_NAMES = Object.keys(HIDDEN) as (keyof typeof HIDDEN)[];

/** Loads one command. */
export function loadCommand(name: CommandName): Promise<Command> {
  return { ...COMMANDS, ...HIDDEN }[name]();
}
