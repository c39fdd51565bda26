import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentAdapter } from '../../../ports/agent.ts';
import { choice } from './choice.ts';
import { conversations } from './conversations.ts';
import { exit } from './exit.ts';
import { gate } from './gate.ts';
import { hooks } from './hooks.ts';
import { createListener, type ListenerOptions } from './listen.ts';
import { prepare } from './prepare.ts';
import { isAppServer, isCodex } from './recognise.ts';
import { resume } from './resume.ts';
import { readScreen } from './screen.ts';
import { VERIFIED } from './version.ts';

/** OpenAI's Codex CLI. */
export function codexAgent(options: ListenerOptions = {}): AgentAdapter {
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
    exit,
    resume,
    conversations,
  };
}
