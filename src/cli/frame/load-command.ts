import { rollCommand } from '../roll/roll.ts';
import type { Command } from './command.ts';
import type { CommandName } from './names.ts';

/** Loads one command. Only the default one comes with the start; the others cost nothing until they are called. */
export async function loadCommand(name: CommandName): Promise<Command> {
  switch (name) {
    case 'roll':
      return rollCommand;
    case 'explain':
      return (await import('../explain/explain.ts')).explainCommand;
    case 'watch':
      return (await import('../watch/watch-command.ts')).watchCommand;
    case 'wait':
      return (await import('../wait/wait.ts')).waitCommand;
    case 'guard':
      return (await import('../guard/guard.ts')).guardCommand;
    case 'run':
      return (await import('../run/run.ts')).runCommand;
    case 'adopt':
      return (await import('../declare/adopt.ts')).adoptCommand;
    case 'hold':
      return (await import('../declare/hold.ts')).holdCommand;
    case 'unhold':
      return (await import('../declare/hold.ts')).unholdCommand;
    case 'retain':
      return (await import('../declare/retain.ts')).retainCommand;
    case 'complete':
      return (await import('../declare/complete.ts')).completeCommand;
    case 'close':
      return (await import('../close/close.ts')).closeCommand;
    case 'reopen':
      return (await import('../reopen/reopen.ts')).reopenCommand;
    case 'hibernate':
      return (await import('../close/hibernate.ts')).hibernateCommand;
    case 'wake':
      return (await import('../reopen/wake.ts')).wakeCommand;
    case 'restore':
      return (await import('../restore/restore.ts')).restoreCommand;
    case 'agents':
      return (await import('../agents/agents.ts')).agentsCommand;
    case 'status':
      return (await import('../status/status.ts')).statusCommand;
    case 'doctor':
      return (await import('../doctor/doctor.ts')).doctorCommand;
    case 'up':
      return (await import('../up/up.ts')).upCommand;
    case 'down':
      return (await import('../up/down.ts')).downCommand;
    case 'api':
      return (await import('../api/api.ts')).apiCommand;
    case 'events':
      return (await import('../events/events.ts')).eventsCommand;
    case 'log':
      return (await import('../log/log.ts')).logCommand;
    case 'verify':
      return (await import('../log/verify.ts')).verifyCommand;
    case 'reap report':
      return (await import('../reap/report.ts')).reapReportCommand;
    case 'backtest':
      return (await import('../backtest/backtest.ts')).backtestCommand;
    case 'demo':
      return (await import('../demo/demo.ts')).demoCommand;
    case 'reap mode':
      return (await import('../reap/mode.ts')).reapModeCommand;
    case 'reap now':
      return (await import('../reap/now.ts')).reapNowCommand;
    case 'gate start':
      return (await import('../gate/start.ts')).gateStartCommand;
    case 'gate status':
      return (await import('../gate/status.ts')).gateStatusCommand;
    case 'gate finish':
      return (await import('../gate/finish.ts')).gateFinishCommand;
    case 'gate abandon':
      return (await import('../gate/abandon.ts')).gateAbandonCommand;
    case 'gate mode':
      return (await import('../gate/mode.ts')).gateModeCommand;
    case 'gate report':
      return (await import('../gate/report.ts')).gateReportCommand;
    case 'gate off':
      return (await import('../gate/off.ts')).gateOffCommand;
    case 'gate on':
      return (await import('../gate/on.ts')).gateOnCommand;
    case 'lock':
      return (await import('../lock/lock.ts')).lockCommand;
    case 'lock status':
      return (await import('../lock/status.ts')).lockStatusCommand;
    case 'hooks install':
      return (await import('../hooks/install.ts')).hooksInstallCommand;
    case 'hooks remove':
      return (await import('../hooks/install.ts')).hooksRemoveCommand;
    case 'hooks status':
      return (await import('../hooks/status.ts')).hooksStatusCommand;
    case 'notify test':
      return (await import('../notify/test.ts')).notifyTestCommand;
    case 'config explain':
      return (await import('../config/explain.ts')).configExplainCommand;
    case 'completions':
      return (await import('../completions/completions.ts')).completionsCommand;
    case 'help':
      return (await import('../help/help.ts')).helpCommand;
    case 'version':
      return (await import('../help/version.ts')).versionCommand;
    case '__names':
      return (await import('../completions/complete-names.ts')).completeNamesCommand;
    case '__stop':
      return (await import('../gate/stop.ts')).stopCommand;
  }
}
