import type { AgentAdapter } from '../../../ports/agent.ts';
import { choice } from './choice.ts';
import { CONVERSATIONS } from './conversations.ts';
import { EXIT } from './exit.ts';
import { GATE } from './gate.ts';
import { HOOKS } from './hooks.ts';
import { createListener } from './listen.ts';
import { prepare } from './prepare.ts';
import { isClaude } from './recognise.ts';
import { resume } from './resume.ts';
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
    exit: EXIT,
    resume,
    conversations: CONVERSATIONS,
  };
}
