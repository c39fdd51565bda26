import type { AgentExit } from '../../../ports/agent.ts';

/** `/quit` ends Codex with code 0 (as `/exit` does); it dies of SIGTERM by itself, behind its launcher too. */
export const exit: AgentExit = { command: '/quit', signal: 'process' };
