import type { AgentExit } from '../../../ports/agent.ts';

/** Its launcher ignores TERM and HUP and forwards neither, so that a signal must reach the whole group. */
export const GEMINI_EXIT: AgentExit = { command: '/quit', signal: 'group' };
