import { codexCommand } from './command-line.ts';

// Everything but the interactive program and its `resume`, `fork` and `agents`: daemons, one-off runs, tools.
const OTHER_COMMANDS = new Set(
  (
    'exec e review login logout mcp mcp-server plugin app-server remote-control app completion update doctor ' +
    'sandbox debug execpolicy apply a queue archive delete unarchive migrate-rollouts migrate-nfs-db cloud ' +
    'exec-server responses-api-proxy stdio-to-uds features help'
  ).split(' '),
);

/** Whether a command line is the Codex that a person talks to, and not its daemon, its sandbox or one of its tools. */
export function isCodex(argv: readonly string[]): boolean {
  const command = codexCommand(argv);
  if (command === null || command.isPrinting) return false;
  return command.first === undefined || !OTHER_COMMANDS.has(command.first);
}

/** Whether a command line is the daemon, which runs the conversations of all its clients, or belongs to it. */
export function isAppServer(argv: readonly string[]): boolean {
  return codexCommand(argv)?.first === 'app-server';
}
