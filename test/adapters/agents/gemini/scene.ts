import type { HookMemory } from '../../../../src/core/agent/hook-memory.ts';
import type { AgentProcess, AgentScene, PaneProcess } from '../../../../src/ports/agent.ts';

export const STARTED_AT = 1_800_000_000_000;
export const NOW = STARTED_AT + 60_000;
export const CONVERSATION = '56f07a03-f3a0-42ae-898e-4ee7bb9ac7d3';

const GUARD = 'shopt -u promptvars nullglob extglob nocaseglob dotglob;';

/** A Gemini process. */
export function geminiProcess(fields: Partial<AgentProcess> = {}): AgentProcess {
  return {
    pid: 200,
    startTicks: 1,
    startedAt: STARTED_AT,
    argv: ['node', '/opt/node/bin/gemini'],
    env: () => ({}),
    ...fields,
  };
}

/** A pane in which Gemini runs. */
export function sceneOf(fields: Partial<AgentScene> = {}): AgentScene {
  return {
    paneId: '%1',
    title: '◇  Ready (gemini)'.padEnd(80),
    server: { socketPath: '/tmp/tmux-1000/default', pid: 50 },
    agent: geminiProcess(),
    launchers: [],
    others: () => [],
    hooks: [],
    now: NOW,
    ...fields,
  };
}

/** A process of the pane, below the agent. */
export function processOf(fields: Partial<PaneProcess> & { readonly argv: readonly string[] }): PaneProcess {
  return {
    pid: 300,
    parentPid: 200,
    startTicks: 5,
    startedAt: STARTED_AT + 5_000,
    role: 'command',
    relation: 'background',
    ...fields,
  };
}

/** The shell that Gemini runs a command in. */
export function shellOf(command: string, fields: Partial<PaneProcess> = {}): PaneProcess {
  const script = `${GUARD} _bgpids_file=/home/dev/tmp/gemini-shell-gs73gy/bgpids.tmp\n(\n${command}\n)`;
  return processOf({ argv: ['/usr/bin/bash', '-c', script], role: 'wrapper', ...fields });
}

/** What the hooks of the scene's agent have told. */
export function memoryOf(fields: Partial<HookMemory> = {}): HookMemory {
  return {
    agentKind: 'gemini',
    conversation: CONVERSATION,
    sender: { parentPid: 200, paneId: '%1', tmuxServerPid: 50, tmuxSocket: '/tmp/tmux-1000/default' },
    subagents: [],
    last: { event: 'SessionStart', at: STARTED_AT + 2_000 },
    ...fields,
  };
}
