import { rmSync } from 'node:fs';
import type { HookMemory } from '../../../../src/core/agent/hook-memory.ts';
import type { AgentSign } from '../../../../src/core/agent/sign.ts';
import type { AgentProcess, AgentReading, AgentScene, PaneProcess } from '../../../../src/ports/agent.ts';

export const STARTED_AT = 1_800_000_000_000;
export const NOW = STARTED_AT + 600_000;
export const FOLDER = '/home/dev/source/work';
export const SESSION = 'ses_e21e5136cffeY5tVdDHArF3pyP';

/** An opencode process that was started in FOLDER. */
export function opencodeProcess(fields: Partial<AgentProcess> = {}): AgentProcess {
  return {
    pid: 200,
    startTicks: 1,
    startedAt: STARTED_AT,
    argv: ['opencode'],
    cwd: FOLDER,
    env: () => ({ HOME: '/home/dev' }),
    ...fields,
  };
}

/** A pane in which opencode runs. */
export function sceneOf(fields: Partial<AgentScene> = {}): AgentScene {
  return {
    paneId: '%1',
    title: 'OpenCode',
    server: { socketPath: '/tmp/tmux-1000/default', pid: 50 },
    agent: opencodeProcess(),
    launchers: [],
    others: () => [],
    hooks: [],
    now: NOW,
    ...fields,
  };
}

/** A process that left the tree of the pane. */
export function processOf(fields: Partial<PaneProcess> = {}): PaneProcess {
  return {
    pid: 300,
    parentPid: 1,
    startTicks: 5,
    startedAt: STARTED_AT + 5_000,
    argv: ['sleep', '300'],
    role: 'command',
    relation: 'outside',
    ...fields,
  };
}

/** What the plugin of the scene's agent has told of one session. */
export function memoryOf(fields: Partial<HookMemory> = {}): HookMemory {
  return {
    agentKind: 'opencode',
    conversation: SESSION,
    sender: { parentPid: 200, agentPid: 200, paneId: '%1' },
    subagents: [],
    last: { event: 'session.idle', at: STARTED_AT + 60_000 },
    ...fields,
  };
}

/** What another source has told; by default that every session is at rest. */
export function readingOf(...signs: Partial<AgentSign>[]): AgentReading {
  const base = { source: 'transcript', observedAt: NOW, isLive: false, isVerified: true, text: '' } as const;
  return { version: '1.18.33', signs: signs.map((sign) => ({ ...base, ...sign })), gaps: [], failures: [] };
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
