import type { AgentExit } from '../../../ports/agent.ts';

/** opencode leaves on `/exit` and on SIGTERM, and takes its tools with it. */
export const exit: AgentExit = { command: '/exit', signal: 'process' };
