import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import type { ServerSurroundings } from './app-server.ts';
import { choice, isAppServer, isCodex, prepare, resume } from './command-line.ts';
import { conversations } from './conversations.ts';
import { gate } from './gate.ts';
import { hooks } from './hooks.ts';
import { createListener } from './listen.ts';
import { readScreen } from './screen.ts';
import { VERIFIED } from './version.ts';

/** OpenAI's Codex CLI. */
export function codexAgent(options: Partial<ServerSurroundings> = {}): AgentAdapter {
  const listen = createListener(options);
  return {
    kind: 'codex',
    recognises: isCodex,
    isShared: isAppServer,
    prepare,
    choice,
    listen: (scene) =>
      listen(scene).catch((error) => ({
        signs: [],
        gaps: [],
        failures: [{ source: 'agent', text: visible(String(error), 200) }],
      })),
    readScreen: (screen, { version }) => readScreen(screen, isWithin(version, VERIFIED)),
    verified: VERIFIED,
    hooks,
    gate,
    // `/quit` ends it with code 0 (as `/exit` does); it dies of SIGTERM by itself, behind its launcher too.
    exit: { command: '/quit', signal: 'process' },
    resume,
    conversations,
  };
}
