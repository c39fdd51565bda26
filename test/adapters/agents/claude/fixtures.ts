import { readFileSync } from 'node:fs';
import type { HookEvent } from '../../../../src/core/agent/hook-memory.ts';
import type { AgentProcess, AgentScene, CapturedScreen } from '../../../../src/ports/agent.ts';

const FOLDER = new URL('../../../fixtures/agents/claude/', import.meta.url);

export const fixture = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

interface Recorded {
  readonly cursor: { readonly x: number; readonly y: number; readonly width: number };
  readonly title: string;
  /** What the status file said at the same moment. */
  readonly own: string | null;
}

export const recordedScreens: Readonly<Record<string, Recorded>> = JSON.parse(
  fixture('screens/screens.json'),
);

const STYLE = /\x1b\[[\d;:]*m/g;

export function screenOf(
  styled: readonly string[],
  cursor: CapturedScreen['cursor'] = { x: 2, y: 1, width: 120 },
): CapturedScreen {
  const lines = styled.map((row) => row.replace(STYLE, '').trimEnd());
  return { state: 'captured', paneId: '%1', observedAt: 1000, lines, styled, cursor };
}

export function recordedScreen(name: string): CapturedScreen {
  const { cursor } = recordedScreens[name] as Recorded;
  return screenOf(fixture(`screens/${name}.ansi`).split('\n'), cursor);
}

/** The hook events that a real session sent, one of each sort. */
export const recordedEvents: readonly HookEvent[] = fixture('hooks.jsonl')
  .trim()
  .split('\n')
  .map((line) => {
    const { at, event, env, payload } = JSON.parse(line);
    const [tmuxSocket, server] = env.TMUX.split(',');
    const sender = {
      parentPid: 1,
      agentPid: Number(env.CLAUDE_PID),
      tmuxSocket,
      tmuxServerPid: Number(server),
      paneId: env.TMUX_PANE,
    };
    return { agentKind: 'claude', event, at: Date.parse(at), sender, payload };
  });

export const CONVERSATION = 'ec3bef6e-9d24-4e46-be4f-85ecaaecac04';
export const STARTED_AT = Date.parse('2026-11-15T07:00:00Z');
export const NOW = Date.parse('2026-11-15T09:00:00Z');

export function agentIn(home: string, given: Partial<AgentProcess> = {}): AgentProcess {
  const env = () => ({ HOME: home });
  return {
    pid: 31600,
    startTicks: 172849,
    startedAt: STARTED_AT,
    argv: ['claude'],
    cwd: '/srv',
    env,
    ...given,
  };
}

export function sceneOf(agent: AgentProcess, given: Partial<AgentScene> = {}): AgentScene {
  const server = { socketPath: '/tmp/tmux-1000/default', pid: 2646 };
  return {
    paneId: '%1',
    title: '',
    server,
    agent,
    launchers: [],
    others: () => [],
    hooks: [],
    now: NOW,
    ...given,
  };
}
