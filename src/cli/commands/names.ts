/** Every command a person may call, in the order in which help lists them. */
export const COMMAND_NAMES = [
  'roll',
  'explain',
  'watch',
  'events',
  'wait',
  'guard',
  'run',
  'adopt',
  'hold',
  'unhold',
  'retain',
  'complete',
  'close',
  'reopen',
  'agents',
  'status',
  'doctor',
  'up',
  'down',
  'log',
  'verify',
  'reap report',
  'backtest',
  'demo',
  'reap mode',
  'reap now',
  'lock',
  'lock status',
  'hooks install',
  'hooks remove',
  'hooks status',
  'notify test',
  'config explain',
  'completions',
  'help',
  'version',
] as const;

/** Called by completion scripts; in no help. */
export const HIDDEN_NAMES = ['__names'] as const;

export type CommandName = (typeof COMMAND_NAMES)[number] | (typeof HIDDEN_NAMES)[number];
