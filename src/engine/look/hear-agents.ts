import { homesIn } from '../../core/agent/homes.ts';
import type { HookOrigin } from '../../core/agent/hook-memory.ts';
import { once } from '../../core/once.ts';
import { lineageOf } from '../../core/sight/lineage.ts';
import type { PresentServer } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { ELSEWHERE } from '../../core/verdict/unseen-folder.ts';
import type { AgentAdapter, AgentProcess, AgentReading, AgentScene, PaneProcess } from '../../ports/agent.ts';
import type { UnheardHooks } from '../../ports/hook-log.ts';
import type { HeardAgent } from './agent-evidence.ts';
import type { Scene, SessionLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import type { ProcessReading } from './process-notes.ts';
import type { PaneLook } from './read-pane.ts';

/** What was heard, by session key. */
export type HeardAgents = ReadonlyMap<string, readonly HeardAgent[]>;

/** Asks the adapter of every live agent. One that fails says nothing, and that is evidence too. */
export async function hearAgents(
  looks: readonly SessionLook[],
  scene: Scene,
  parts: Parts,
): Promise<HeardAgents> {
  const heard = new Map<string, HeardAgent[]>();
  const hooks = hooksOf(parts);
  const late: Promise<void>[] = [];
  for (const look of looks) {
    for (const pane of look.panes) {
      const agent = agentIn(pane, look.server, scene, parts, hooks);
      if (!agent) continue;
      const add = (reading: AgentReading) => {
        const { paneId } = pane.sighting;
        const one = { paneId, adapter: agent.adapter, agentPid: agent.scene.agent.pid, reading };
        heard.set(look.key, [...(heard.get(look.key) ?? []), one]);
      };
      const own = (reading: AgentReading) => add(fromOwnFiles(reading, agent, parts));
      const reading = listen(agent.adapter, agent.scene, hooks(agent.adapter).unheard);
      if (reading instanceof Promise) late.push(reading.then(own));
      else own(reading);
    }
  }
  await Promise.all(late);
  return heard;
}

/** What the hooks of one kind of agent told, and what of it may be missing. */
interface ToldByHooks {
  readonly memories: AgentScene['hooks'];
  readonly unheard: readonly UnheardHooks[];
}

const NO_HOOKS: ToldByHooks = { memories: [], unheard: [] };

// Asked once for each kind of agent: every question costs a look at the spool.
function hooksOf(parts: Parts): (adapter: AgentAdapter) => ToldByHooks {
  const known = new Map<string, ToldByHooks>();
  return ({ kind, hooks }) => {
    const told = known.get(kind) ?? (hooks ? askedOf(parts, kind) : NO_HOOKS);
    known.set(kind, told);
    return told;
  };
}

function askedOf({ hooks }: Parts, kind: string): ToldByHooks {
  const memories = hooks.about(kind);
  return { memories, unheard: hooks.unheard() };
}

function listen(
  adapter: AgentAdapter,
  scene: AgentScene,
  unheard: readonly UnheardHooks[],
): AgentReading | Promise<AgentReading> {
  const whole = (reading: AgentReading) => withUnheard(reading, scene, adapter.kind, unheard);
  const failed = (error: unknown): AgentReading => {
    const text = `${adapter.kind} could not be heard: ${error instanceof Error ? error.message : String(error)}`;
    return { signs: [], gaps: [], failures: [{ source: 'agent', text: visible(text, 200) }] };
  };
  try {
    const reading = adapter.listen?.(scene) ?? { signs: [], gaps: [], failures: [] };
    return reading instanceof Promise ? reading.then(whole).catch(failed) : whole(reading);
  } catch (error) {
    return failed(error);
  }
}

// What was read at its paths is not about an agent that has other files there, and its conversation may end with it.
function fromOwnFiles(
  reading: AgentReading,
  { adapter, scene: { agent } }: { readonly adapter: AgentAdapter; readonly scene: AgentScene },
  { processes }: Pick<Parts, 'processes'>,
): AgentReading {
  const { transcript } = reading;
  const other = processes.otherPath(agent, () =>
    transcript === undefined ? homesIn(agent.env() ?? {}) : [transcript],
  );
  if (other === null) return reading;
  const text = `${visible(other, 200)} of ${adapter.kind} (pid ${agent.pid}) is ${ELSEWHERE}`;
  return { signs: [], gaps: [], failures: [{ source: 'agent', text }] };
}

// An event that was sent and not heard may tell of work, whatever all other sources say.
function withUnheard(
  reading: AgentReading,
  scene: AgentScene,
  kind: string,
  unheard: readonly UnheardHooks[],
): AgentReading {
  const missing = unheard.filter(({ of }) => isAbout(of, reading, scene, kind));
  if (missing.length === 0) return reading;
  const failures = missing.map(({ text }) => ({ source: 'hook' as const, text: visible(text, 200) }));
  return { ...reading, failures: [...reading.failures, ...failures] };
}

function isAbout(of: UnheardHooks['of'], reading: AgentReading, scene: AgentScene, kind: string): boolean {
  if (of === 'anyone') return true;
  if (!('silentSince' in of)) return of.agentKind === kind && isFrom(of, reading, scene);
  const isSilent =
    reading.gaps.some(({ code }) => code === 'hooks-silent') ||
    !scene.hooks.some((memory) => isFrom(memory, reading, scene));
  return isSilent && scene.agent.startedAt <= of.silentSince;
}

function isFrom({ conversation, sender }: HookOrigin, reading: AgentReading, scene: AgentScene): boolean {
  if (conversation !== null && conversation === reading.conversation) return true;
  const pids = [scene.agent, ...scene.launchers].map(({ pid }) => pid);
  const isFromHere = sender.paneId === scene.paneId && sender.tmuxServerPid === scene.server.pid;
  return isFromHere || pids.includes(sender.parentPid) || pids.includes(sender.agentPid ?? 0);
}

function agentIn(
  pane: PaneLook,
  server: PresentServer,
  { now }: Scene,
  parts: Parts,
  hooks: (adapter: AgentAdapter) => ToldByHooks,
): { readonly adapter: AgentAdapter; readonly scene: AgentScene } | null {
  const chain = agentChain(pane.readings);
  const agent = chain.at(-1);
  const adapter = agent && parts.agents.find((one) => one.kind === agent.note.agentKind);
  if (!agent || !adapter?.listen) return null;
  const process = (reading: ProcessReading): AgentProcess => ({
    pid: reading.note.pid,
    startTicks: reading.note.startTicks,
    startedAt: reading.note.startedAt,
    argv: reading.argv,
    ...(reading.cwd !== undefined && { cwd: reading.cwd }),
    env: () => parts.processes.environment(reading.note),
  });
  const { paneId, title } = pane.sighting;
  const others = once(() => othersOf(pane, agent));
  return {
    adapter,
    scene: {
      paneId,
      title,
      server: { socketPath: server.socketPath, pid: server.pid },
      agent: process(agent),
      launchers: chain.slice(0, -1).map(process),
      others,
      hooks: hooks(adapter).memories,
      now: now.at,
    },
  };
}

function othersOf(pane: PaneLook, agent: ProcessReading): PaneProcess[] {
  const below = lineageOf(pane.processes).below([agent.note]);
  return pane.readings
    .filter(({ note }) => !note.isKeeper && (below.has(note) || note.relation === 'outside'))
    .map(({ note: { pid, parentPid, startTicks, startedAt, role, relation }, argv }) => ({
      ...{ pid, parentPid, startTicks, startedAt, role, relation, argv },
    }));
}

// From the first agent down through what it relaunched itself as; what it runs through a shell is another matter.
function agentChain(readings: readonly ProcessReading[]): ProcessReading[] {
  const first = readings.find(({ note }) => note.role === 'agent' && note.relation !== 'outside');
  const chain: ProcessReading[] = [];
  for (let one = first; one && !chain.includes(one); ) {
    chain.push(one);
    const { pid, agentKind } = one.note;
    one = readings.find(({ note }) => note.parentPid === pid && note.agentKind === agentKind);
  }
  return chain;
}
