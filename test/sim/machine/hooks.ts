import type { HookEvent, HookMeaning } from '../../../src/core/agent/hook-memory.ts';
import type { UnheardHooks } from '../../../src/ports/hook-log.ts';
import type { SimAgent } from './agent.ts';
import type { Machine } from './machine.ts';

/** What an agent tells by a hook. */
export interface HookWord {
  readonly event: 'start' | 'prompt' | 'tool' | 'notify' | 'stop' | 'background' | 'end';
  readonly meaning: Omit<HookMeaning, 'conversation'>;
}

/** Events that wait in the state folder of an install, in the order in which they arrived. */
export interface Spool {
  readonly events: HookEvent[];
  /** What hooks may have told and nobody can read. */
  unheard: UnheardHooks[];
  /** Why it cannot be read; null where it can. */
  problem: string | null;
}

export function newSpool(): Spool {
  return { events: [], unheard: [], problem: null };
}

/** Sends a hook event as the story has it: at once, late, twice, or not at all. */
export function sendHook(agent: SimAgent, word: HookWord): void {
  const { machine, process, kind } = agent;
  const fate = agent.fateOfHook(word.event);
  const what = fate === 'lost' ? 'hook-lost' : 'hook-sent';
  const { pid, startTicks } = process;
  machine.journal.note('agent', { what, pid, startTicks, kind, detail: word.event });
  if (fate === 'lost') return;
  const event = eventOf(agent, word);
  const send = () => deliver(machine, agent.hooksOf, event);
  if (typeof fate === 'object') machine.clock.after(fate.lateMs, send);
  else send();
  if (fate === 'twice') machine.clock.after(5, send);
}

/** The payload is the meaning itself: what an adapter would translate is not the point here. */
function eventOf({ machine, process, pane, truth, kind }: SimAgent, { event, meaning }: HookWord): HookEvent {
  const { socketPath, pid } = pane.server;
  return {
    ...{ agentKind: kind, event, at: machine.clock.at },
    sender: {
      parentPid: process.pid,
      agentPid: process.pid,
      tmuxSocket: socketPath,
      tmuxServerPid: pid,
      paneId: pane.id,
    },
    payload: { ...meaning, conversation: truth.conversation },
  };
}

function deliver(machine: Machine, installs: readonly string[], event: HookEvent): void {
  if (machine.isDown) return;
  for (const name of installs) {
    const install = machine.installs.get(name);
    if (install === undefined) continue;
    install.spool.events.push(event);
    install.rings('hook');
  }
}
