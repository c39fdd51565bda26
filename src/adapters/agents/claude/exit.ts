import type { AgentExit } from '../../../ports/agent.ts';

/** Claude Code leaves at `/exit`, and ends cleanly on SIGTERM to its one process. */
export const EXIT: AgentExit = { command: '/exit', signal: 'process' };
