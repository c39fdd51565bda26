import type { AgentAdapter, AgentGate, AgentProcess, AgentScene } from '../../ports/agent.ts';
import type { ToldScene } from '../../ports/folders.ts';
import type { FolderDesk } from './folders.ts';

/**
 * Agents whose own files another process reads, wherever such a file may lie on a mount that gives no answer: their
 * environment, their folder and their hooks say where it is.
 */
export function hostedAgents(agents: readonly AgentAdapter[], desk: FolderDesk): readonly AgentAdapter[] {
  return agents.map((agent) => {
    const { kind, listen, gate } = agent;
    // Its script and its word lie in a folder of the stage's own, which the other process does not know.
    if (kind === 'scripted') return agent;
    return {
      ...agent,
      ...(listen && {
        listen: (scene: AgentScene) =>
          desk.hosted()?.hear(kind, toldScene(scene), scene.hooks) ?? listen(scene),
      }),
      ...(gate && { gate: hostedGate(kind, gate, desk) }),
    };
  });
}

function hostedGate(kind: string, gate: AgentGate, desk: FolderDesk): AgentGate {
  return { ...gate, todo: (stop) => desk.hosted()?.todoOf(kind, stop) ?? gate.todo(stop) };
}

function toldScene({ hooks: _, ...scene }: AgentScene): ToldScene {
  return {
    ...scene,
    agent: toldProcess(scene.agent),
    launchers: scene.launchers.map(toldProcess),
    others: scene.others(),
  };
}

function toldProcess({ env: _, ...process }: AgentProcess): Omit<AgentProcess, 'env'> {
  return process;
}
