import type { AgentAdapter } from '../../../ports/agent.ts';
import { choice, isClaude, prepare, resume } from './command-line.ts';
import { CONVERSATIONS } from './conversations.ts';
import { GATE } from './gate.ts';
import { HOOKS } from './hooks.ts';
import { createListener } from './listen.ts';
import { readScreen } from './screen.ts';
import { VERIFIED } from './verified.ts';

/** Claude Code: its own status file first, then hooks, transcript and screen. */
export function claudeAgent(): AgentAdapter {
  return {
    kind: 'claude',
    recognises: isClaude,
    prepare: (argv) => prepare(argv),
    choice,
    listen: createListener(),
    readScreen,
    verified: VERIFIED,
    hooks: HOOKS,
    gate: GATE,
    // It ends cleanly on SIGTERM to its one process.
    exit: { command: '/exit', signal: 'process' },
    resume,
    conversations: CONVERSATIONS,
  };
}
