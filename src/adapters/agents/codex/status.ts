import type { AgentSign } from '../../../core/agent/sign.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { LoadedThread } from './app-server.ts';
import { rootsOf } from './conversation.ts';

/** The parts of a sign that do not depend on what is told. */
export type SignBase = Pick<AgentSign, 'observedAt' | 'isVerified'>;

const WAITING: ReadonlyMap<string, WaitingFor> = new Map([
  ['waitingOnApproval', 'permission'],
  ['waitingOnUserInput', 'question'],
]);

/**
 * What the daemon says of one conversation; null when it says nothing that is understood. It sees every turn, question
 * and command of it, but not the dialogs that the client in the pane opens by itself (a plan, trust, a menu): so it
 * never says that there is none while the conversation rests.
 */
export function signOfThread(
  thread: LoadedThread,
  threads: readonly LoadedThread[],
  base: SignBase,
): AgentSign | null {
  const sign = { source: 'agent', isLive: true, ...base } as const;
  if (thread.status === 'active') {
    const waitingFor = thread.flags.map((flag) => WAITING.get(flag)).find((known) => known !== undefined);
    const isPlain = thread.flags.length === 0;
    return {
      ...sign,
      turn: 'running',
      ...(waitingFor ? { waitingFor } : isPlain && { waitingFor: null }),
      text: waitingFor ? `its app server says it waits (${waitingFor})` : 'its app server says it is active',
    };
  }
  if (thread.status !== 'idle' && thread.status !== 'systemError') return null;
  const background = backgroundOf(thread, threads);
  const isError = thread.status === 'systemError';
  const work = background === undefined ? '' : `, ${background} in the background`;
  return {
    ...sign,
    turn: 'over',
    ...(isError && { waitingFor: 'error' as const }),
    ...(background !== undefined && { background }),
    text: isError ? `its app server says the turn failed${work}` : `its app server says it is idle${work}`,
  };
}

/**
 * What holds for every conversation: if all of the daemon's rest, the one of this pane rests too. Null if one does not,
 * or if there are fewer conversations than clients: then this one may be elsewhere.
 */
export function signOfAll(
  threads: readonly LoadedThread[],
  { clients, connections }: { readonly clients: number; readonly connections: number | null },
  base: SignBase,
): AgentSign | null {
  const count = rootsOf(threads).length;
  const isAllThere = count >= clients && connections !== null && connections >= clients;
  const isQuiet = threads.every(({ status, terminals }) => status === 'idle' && terminals === 0);
  if (!isAllThere || !isQuiet || count === 0) return null;
  const text = `its app server says that all ${count} of its conversations are idle`;
  return { source: 'agent', isLive: true, ...base, turn: 'over', background: 0, text };
}

// Commands of the conversation and of its subagents, and subagents that still work. Whatever is not told may be work.
function backgroundOf(thread: LoadedThread, threads: readonly LoadedThread[]): number | undefined {
  const family = threads.filter(
    (other) => other.id === thread.id || other.session === thread.session || other.parent === thread.id,
  );
  const subagents = family.filter(({ id, status }) => id !== thread.id && status === 'active').length;
  const commands = family.reduce((sum, { terminals }) => sum + (terminals ?? 0), 0);
  const isTold = family.every(
    ({ id, status, terminals }) =>
      terminals !== null && (id === thread.id || ['idle', 'active', 'systemError'].includes(status)),
  );
  const count = subagents + commands;
  return count > 0 || isTold ? count : undefined;
}
